"""The user's editor, as `git commit` opens it."""

import click

from calmkb.cli.base.choices import prompt_for
from calmkb.cli.base.common import NothingSaved
from calmkb.cli.base.progress import question
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError
from calmkb.kb.journal.draft_text import draft_as_text, draft_from_text, without_comments
from calmkb.model import Draft

_HINT = """\
# Lines that begin with `# ` are left out. To cancel, close the editor without saving, or leave
# the summary empty. The text under each heading is kept; the headings themselves must stay.
"""
_WORDS = """\
# Save to keep your words; to cancel, close the editor without saving. These two lines, the first
# of the file, are left out.
"""


def edit_draft(draft: Draft, note: str = "") -> Draft:
    """Return the draft as the user leaves it; CalmError if the summary is empty.

    The file begins with how to cancel, the session that the draft is from, and the `note`.
    """
    named = f"the session {draft.session_id} of {draft.agent}" if draft.session_id else ""
    about = [f"Drafted from {named}." if named else "", note]
    head = _HINT + "".join(f"# {' '.join(line.split())}\n" for line in about if line)
    return draft_from_text(without_comments(edit_text(f"{head}\n{draft_as_text(draft)}")), draft)


def edit_words(text: str) -> str:
    """Return a text as the user leaves it, below two lines on how to cancel; it may be empty."""
    lines = edit_text(f"{_WORDS}\n{text}\n").split("\n")
    ours = {"", *_WORDS.splitlines()}
    while lines and lines[0].strip() in ours:  # each alone: an editor may have dropped the other
        lines.pop(0)
    return "\n".join(lines).strip()


def keep_draft(draft: Draft) -> Draft | None:
    """Show a draft and ask; return it as the user keeps it, or None where they drop it."""
    click.echo(f"{visible(draft_as_text(draft))}\n")
    kinds = click.Choice(["yes", "edit", "drop", "y", "e", "d"], case_sensitive=False)
    asked = "Keep this wrap-up? [y]es, [e]dit, [d]rop it; ^C to decide later"
    answer = prompt_for(asked, type=kinds, default="yes", show_choices=False)
    if answer[0] == "d":
        return None
    return draft if answer[0] == "y" else edit_draft(draft)


def edit_text(text: str) -> str:
    """Return `text` as the user's editor leaves it; CalmError if it was closed without saving."""
    try:
        # Else Windows takes an editor from the current folder, which may be somebody else's.
        safe = {"NoDefaultCurrentDirectoryInExePath": "1"}
        with question():
            edited = click.edit(text, extension=".md", env=safe)
    except click.ClickException as error:
        raise CalmError(
            f"the editor failed ({error.message}); set EDITOR to one you have"
        ) from None
    if edited is None:
        raise NothingSaved("The editor was closed without saving, so nothing was written.")
    return edited
