"""The user's editor, as `git commit` opens it."""

import re

import click

from calmkb.documents.sections import parse_items, parse_text, render_items, render_text, split
from calmkb.errors import CalmError
from calmkb.model import Draft

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
    return replace(
        draft,
        summary=summary,
        friction_points=tuple(x for x in parse_items(named.get("friction points", "")) if x),
        next_steps=tuple(x for x in parse_items(named.get("next steps", "")) if x),
    )


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
    return (
        f"{_HINT}\n## Summary\n\n{render_text(draft.summary) if draft.summary else ''}\n\n"
        f"## Friction points\n\n{render_items(draft.friction_points)}\n\n"
        f"## Next steps\n\n{render_items(draft.next_steps)}\n"
    )
