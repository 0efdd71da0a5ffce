"""Topic files of Claude Code's auto memory, in the user's home, and their lines in its index.

Of MEMORY.md the client reads 200 lines or 25 KB; a topic when a line of the index leads it there.
"""

import re

from calmkb.export.base import Exporter, Output
from calmkb.export.choice import Item, Selection
from calmkb.export.safe_text import clip, one_line
from calmkb.export.targets.claude_md import READER
from calmkb.export.targets.rules import text

FOLDER = ".claude/projects/{project}/memory"
LINES, BYTES = 200, 25_000
"""What the client reads of the index."""
_LINE = 150
_TYPES = {"preference": "feedback"}
_OURS = re.compile(r"^- \[[^\]\n]*\]\(calmkb-[0-9a-f]{12}\.md\)[^\n]*(?:\n|\Z)", re.MULTILINE)


def render(selection: Selection) -> tuple[Output, ...]:
    """Return a topic for each memory, and the lines of the index, the worthiest first."""
    topics = [_topic(item) for item in selection.items]
    lines = "\n".join(_line(item) for item in selection.items)
    return (*topics, Output(f"{FOLDER}/MEMORY.md", lines, merge=with_lines))


def with_lines(before: str, lines: str) -> str:
    """Return an index with these lines of ours at its end, as many as the client reads.

    What Claude or a person wrote there stays.
    """
    theirs = _OURS.sub("", before)
    if not lines:
        return theirs
    head = theirs if not theirs or theirs.endswith("\n") else f"{theirs}\n"
    room, size = LINES - head.count("\n"), BYTES - len(head.encode())
    kept = []
    for line in lines.split("\n")[: max(0, room)]:
        size -= len(line.encode()) + 1
        if size < 0:
            break
        kept.append(f"{line}\n")
    return head + "".join(kept) if kept else theirs


def _topic(item: Item) -> Output:
    memory = item.memory
    kind = _TYPES.get(memory.category, "project")
    front = (
        f"---\nname: {_name(item)}\ndescription: {text(clip(item.text, _LINE))}\n"
        f"metadata:\n  type: {kind}\n---\n"
    )
    why = one_line(memory.why)
    body = f"{item.text}\n\n**Why:** {why}" if why else item.text
    return Output(f"{FOLDER}/{_name(item)}.md", body, front, owned=True)


def _line(item: Item) -> str:
    """Return the line of the index; brackets would end the link's words."""
    shown = clip(item.text, _LINE)
    return f"- [{item.memory.category}]({_name(item)}.md) \u2014 {shown}"


def _name(item: Item) -> str:
    return f"calmkb-{item.memory.id[:8]}{item.memory.id[-4:]}"


EXPORTER = Exporter(
    name="claude-memory",
    file=f"{FOLDER}/MEMORY.md",
    reader=READER,
    render=render,
    owned=f"{FOLDER}/calmkb-*.md",
    personal=True,
    order=9,
)
