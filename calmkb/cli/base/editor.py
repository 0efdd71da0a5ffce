"""The user's editor, as `git commit` opens it."""

import click

from calmkb.cli.base.text import visible
from calmkb.errors import CalmError
from calmkb.kb.journal.draft_text import draft_as_text, draft_from_text
from calmkb.model import Draft

_HINT = """\
# Lines that begin with `# ` are left out. An empty summary stops the wrap-up.
# The text under each heading is kept; the headings themselves must stay.
"""


def edit_draft(draft: Draft) -> Draft:
    """Return the draft as the user leaves it; CalmError if the summary is empty."""
    return draft_from_text(edit_text(f"{_HINT}\n{draft_as_text(draft)}"), draft)


def keep_draft(draft: Draft) -> Draft | None:
    """Show a draft and ask; return it as the user keeps it, or None where they drop it."""
    click.echo(f"{visible(draft_as_text(draft))}\n")
    kinds = click.Choice(["yes", "edit", "drop", "y", "e", "d"], case_sensitive=False)
    asked = "Keep this wrap-up? [y]es, [e]dit, [d]rop it; ^C to decide later"
    answer = click.prompt(asked, type=kinds, default="yes", show_choices=False)
    if answer[0] == "d":
        return None
    return draft if answer[0] == "y" else edit_draft(draft)


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
