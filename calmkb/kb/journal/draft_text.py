"""A draft as Markdown that a person edits, and back."""

import re
from dataclasses import replace
from typing import Any

from calmkb.documents.parts import split_known
from calmkb.documents.sections import fenced, parse_text, render_items, render_others, render_text
from calmkb.errors import CalmError
from calmkb.model import CONTENT, Draft
from calmkb.model.sessions.said import kinds_kept

_COMMENT = re.compile(r"#(\s|$)")
_SECTIONS = {name: spec.label for name, spec in CONTENT.items() if spec.is_section}
_HEADINGS = tuple(label.lower() for label in _SECTIONS.values())
_REPORTED = re.compile(rf"^\*\*({'|'.join(_HEADINGS)}):?\*\*:?[ \t]*(.*)", re.IGNORECASE)
"""A section as `calmkb wrapup` reports it."""


def draft_as_text(draft: Draft) -> str:
    """Return a draft as the Markdown that a person edits."""
    parts = []
    for name, label in _SECTIONS.items():
        value = getattr(draft, name)
        body = render_items(value) if isinstance(value, tuple) else value and render_text(value)
        parts.append((label, body))
    parts += render_others(draft.sections)
    return "\n".join(f"## {label}\n\n{body}\n" for label, body in parts)


def draft_from_text(text: str, draft: Draft) -> Draft:
    """Return `draft` with the text of an edited file; CalmError if the summary is empty.

    Text before the first heading is the summary where that section is empty. Sections of the
    author's own, a repeated one and other text before the first heading are kept as sections.
    """
    before, parts = split_known(_headed(text), _HEADINGS)
    summary = parts.text("summary")
    if not (summary or parse_text(before)).strip():
        raise CalmError("the summary is empty, so nothing was written")
    lists: dict[str, Any] = {
        name: parts.items(spec.label.lower())
        for name, spec in CONTENT.items()
        if spec.kind == "items"
    }
    own = parts.others(before if summary else "")
    kept = kinds_kept(lists["friction_points"], draft.friction_points, draft.said)
    text = summary or parse_text(before)
    return replace(draft, summary=text, said=tuple(kept), sections=own, **lists)


def without_comments(text: str) -> str:
    """Return a text without the lines that begin with `# `, but for those in code fences."""
    lines = text.split("\n")
    code = fenced(lines)
    return "\n".join(
        line for at, line in enumerate(lines) if at in code or not _COMMENT.match(line)
    )


def _headed(text: str) -> str:
    """Return a text with the sections of a report, `**Summary**: …`, as sections."""
    lines = text.split("\n")
    code = fenced(lines)
    return "\n".join(
        line if at in code else _REPORTED.sub(r"## \1\n\n\2", line) for at, line in enumerate(lines)
    )
