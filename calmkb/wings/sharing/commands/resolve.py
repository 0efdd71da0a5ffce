"""`calmkb memory resolve`: which of two edits of one memory holds."""

from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import QUIT, Choice, Quit, choose
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.person import approver, require_person
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.wings.sharing.verbs.resolve import Edited, Side


@click.command()
@click.argument("id")
@click.option("--take", type=click.Choice(["left", "right"]), help="The version to keep.")
@click.option("--edit", is_flag=True, help="Rewrite it in your editor.")
@click.option("--text", help="Keep this text instead of either.")
@click.pass_context
def resolve(
    context: click.Context,
    id: str,  # noqa: A002
    take: "Side | None",
    edit: bool,
    text: str | None,
) -> None:
    """Decide between two edits of one memory: left, right, or words of your own.

    Two people who edit one memory before they sync leave two versions, and agents read neither. One
    commit leaves one. Words of your own keep the other fields of the version taken, else the left.
    """
    from calmkb.wings.sharing.verbs.resolve import resolve_memory, versions_of

    require_person(context, "deciding between two edits", "ask the person to do it")
    kb = kb_from(context)
    found = versions_of(kb, id)
    click.echo("\n\n".join(_shown(*pair) for pair in zip(("left", "right"), found, strict=True)))
    if not (take or edit) and text is None:
        take, edit = _ask()
    if edit:
        from calmkb.cli.base.editor import edit_words

        text = edit_words("\n\n".join(one.filed.record.text for one in found))
    if text is not None and not text.strip():
        raise CalmError("the text is empty, so nothing was written; take left or right instead")
    made = resolve_memory(kb, found, take or "left", text=text, approved_by=approver(context, kb))
    click.echo(f"Resolved {made.id}: {visible(made.text)}")


def _shown(side: str, version: "Edited") -> str:
    memory = version.filed.record
    when = f"{version.at:%Y-%m-%d %H:%M}, " if version.at else ""
    about = f"{side}: {when}{version.by or 'not committed'}, {memory.category}, {memory.scope}"
    return visible(f"{about}\n{version.filed.path}\n") + "\n" + visible(memory.text)


def _ask() -> "tuple[Side | None, bool]":
    """Return the side that the person takes, and whether they write their own words."""
    answers: list[tuple[Side | None, bool]] = []

    def answer(take: "Side | None", edit: bool) -> bool:
        answers.append((take, edit))
        return True

    click.echo()
    try:
        choose([
            Choice("left", "left: keep this version", lambda _: answer("left", False)),
            Choice("right", "right: keep this version", lambda _: answer("right", False)),
            Choice("edit", "edit: rewrite it, with both versions at hand",
                   lambda _: answer(None, True)),
            QUIT,
        ])  # fmt: skip
    except Quit:
        raise CalmError("nothing was decided, so nothing was written") from None
    return answers[0]
