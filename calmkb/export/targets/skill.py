"""A skill for the long tail: its description is always in view, its pages only when asked for."""

import re

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import HEADINGS, Selection
from calmkb.export.safe_text import clip, one_line
from calmkb.export.targets.claude_md import READER
from calmkb.export.targets.rules import text

FOLDER = ".claude/skills/calmkb-memories"
_DESCRIPTION = (
    "What earlier sessions in {project} learnt, approved by people: commands, conventions, gotchas "
    "and preferences. Use when a command fails, before choosing a tool or a way of doing things, "
    "and when something here behaves unexpectedly."
)
_FIRST = 5
_NAME = 60
_ARGUMENT = re.compile(r"(?<!\\)\$(?=\d|ARGUMENTS)")
_VARIABLE = re.compile(r"\$(?=\{CLAUDE)")


def render(selection: Selection) -> tuple[Output, ...]:
    """Return SKILL.md, which names a page a heading with the worthiest of it, and the pages."""
    parts, pages = [], []
    for heading, categories in HEADINGS.items():
        lines = [f"- {i.text}" for i in selection.items if i.memory.category in categories]
        page = f"{FOLDER}/reference/{heading.lower()}.md"
        pages.append(
            Output(page, "\n".join([f"# {heading}", "", *lines]) if lines else "", owned=True)
        )
        if lines:
            more = len(lines) - _FIRST
            rest = [f"- {more} more in reference/{heading.lower()}.md"] if more > 0 else []
            first = map(_literal, lines[:_FIRST])
            parts.append("\n".join([f"## {heading}", "", *first, *rest]))
    if not parts:
        return (Output(f"{FOLDER}/SKILL.md", "", owned=True), *pages)
    front = f"---\nname: calmkb-memories\ndescription: {text(_described(selection.project))}\n---\n"
    parts.append("More, in words of your own: the MCP tool `retrieve_memories`, "
                 "or `calmkb memory find WORDS`.")  # fmt: skip
    return (Output(f"{FOLDER}/SKILL.md", "\n\n".join(parts), front, owned=True), *pages)


def _described(project: str) -> str:
    name = clip(one_line(project), _NAME)
    return _DESCRIPTION.format(project=name or "this project")


def _literal(line: str) -> str:
    """Return a line in which `$1` and the like stay what they are.

    Claude Code puts arguments for them into SKILL.md, in code too, unless a backslash says no.
    """
    return _ARGUMENT.sub(r"\\$", _VARIABLE.sub("$ ", line))


EXPORTER = Exporter(
    name="skill",
    file=f"{FOLDER}/SKILL.md",
    reader=READER,
    render=render,
    owned=f"{FOLDER}/**/*.md",
    order=7,
)
