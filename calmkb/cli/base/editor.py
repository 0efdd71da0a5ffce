"""The user's editor, as `git commit` opens it."""

import re
from typing import Any

import click

from calmkb.documents.sections import parse_items, parse_text, render_items, render_text, split
from calmkb.errors import CalmError
from calmkb.model import CONTENT, Draft

_HINT = """\
# Lines that begin with `# ` are left out. An empty summary stops the wrap-up.
# The text under each heading is kept; the headings themselves must stay.
"""


def edit_draft(draft: Draft) -> Draft:
    """Return the draft as the user leaves it; CalmError if the summary is empty."""
    from dataclasses import replace

    edited = edit_text(_rendered(draft))
    body = "\n".join(line for line in edited.split("\n") if not re.match(r"#(\s|$)", line))
    before, found = split(body)
    named = {heading.strip().lower(): raw for heading, raw, _ in found}
    summary = parse_text(named.get("summary", "")) or parse_text(before)
    if not summary.strip():
        raise CalmError("the summary is empty, so nothing was written")
    lists: dict[str, Any] = {
        name: tuple(item for item in parse_items(named.get(spec.label.lower(), "")) if item)
        for name, spec in CONTENT.items()
        if spec.kind == "items"
    }
    return replace(draft, summary=summary, **lists)


def edit_text(text: str) -> str:
    """Return `text` as the user's editor leaves it; CalmError if it was closed without saving."""
    try:
        # Else Windows takes an editor from the current folder, which may be somebody else's.
        safe = {"NoDefaultCurrentDirectoryInExePath": "1"}
        edited = click.edit(text, extension=".md", env=safe)
    except click.ClickException as error:
        raise CalmError(
            f"the editor failed ({error.message}); set EDITOR to one you have"
        ) from None
    if edited is None:
        raise CalmError("the editor was closed without saving, so nothing was written")
    return edited


def _rendered(draft: Draft) -> str:
    parts = [_HINT]
    for name, spec in CONTENT.items():
        if spec.is_section:
            value = getattr(draft, name)
            body = render_items(value) if isinstance(value, tuple) else value and render_text(value)
            parts.append(f"## {spec.label}\n\n{body}\n")
    return "\n".join(parts)
