"""A draft as Markdown that a person edits, and back."""

import re
from dataclasses import replace
from typing import Any

from calmkb.documents.sections import parse_items, parse_text, render_items, render_text, split
from calmkb.errors import CalmError
from calmkb.model import CONTENT, Draft

_COMMENT = re.compile(r"#(\s|$)")


def draft_as_text(draft: Draft) -> str:
    """Return a draft as the Markdown that a person edits."""
    parts = []
    for name, spec in CONTENT.items():
        if spec.is_section:
            value = getattr(draft, name)
            body = render_items(value) if isinstance(value, tuple) else value and render_text(value)
            parts.append(f"## {spec.label}\n\n{body}\n")
    return "\n".join(parts)


def draft_from_text(text: str, draft: Draft) -> Draft:
    """Return `draft` with the text of an edited file; CalmError if the summary is empty.

    Lines that begin with `# ` are left out. Text before the first heading is the summary where
    that section is empty.
    """
    body = "\n".join(line for line in text.split("\n") if not _COMMENT.match(line))
    before, found = split(body)
    sections = {heading.strip().lower(): raw for heading, raw, _ in found}
    summary = parse_text(sections.get("summary", "")) or parse_text(before)
    if not summary.strip():
        raise CalmError("the summary is empty, so nothing was written")
    lists: dict[str, Any] = {
        name: tuple(item for item in parse_items(sections.get(spec.label.lower(), "")) if item)
        for name, spec in CONTENT.items()
        if spec.kind == "items"
    }
    return replace(draft, summary=summary, **lists)
