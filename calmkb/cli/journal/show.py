"""`calmkb show`: whatever has an id, in full."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_option, json_text
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.text import visible
from calmkb.errors import NotFoundError
from calmkb.kb.base.points import taking_part

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

Page = tuple[Mapping[str, Any], str]
"""What `--json` prints of a thing, and what a person reads."""

FINDERS = (
    "calmkb.cli.clients.signal:page",
    "calmkb.cli.journal.show:record_page",
    "calmkb.cli.journal.next_steps:page",
)
"""Who is asked in turn, then wings and `LAST`; None if it cannot be its id, else NotFoundError."""
LAST = ("calmkb.cli.journal.session:commit_page",)
PAGES = {
    "session": "calmkb.cli.journal.session:page",
    "memory": "calmkb.cli.memory.show:page",
    "improvement": "calmkb.cli.improvements:page",
}
"""Kinds of records that have more to say than their file."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a session is shown."""

    around: int = 8
    tools: bool = False
    log: bool = False
    full: bool = False
    markdown: bool = False


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--around", type=click.IntRange(0, 500), default=8, show_default=True,
              help="Turns before and after the line of a session.")  # fmt: skip
@click.option("--tools", is_flag=True, help="Show what tools answered, and changes, to their end.")
@click.option("--log", is_flag=True, help="Print the log of a session too, a long one in short.")
@click.option("--full", is_flag=True, help="Print the whole log, as it was recorded.")
@click.option("--markdown", is_flag=True, help="Print the file of a record, or a kept session "
              "with all that was said and done, as Markdown.")  # fmt: skip
@json_option
@click.pass_context
def show(context: click.Context, /, ids: tuple[str, ...], as_json: bool, **detail: Any) -> None:
    """Show anything that has an ID; without one, the newest session.

    That is a session, memory, reflection, improvement, signal, next step or run, the session that
    made a commit, or a kept session as SESSION:LINE or SESSION. Any unique beginning will do.
    """
    kb = kb_from(context)
    if not ids:
        from calmkb.kb.journal.listing import newest_session

        ids = (newest_session(kb).entry.id,)
    found, faults = [], []
    for one in ids:
        try:
            found.append(_find(kb, one, Detail(**detail)))
        except NotFoundError as error:
            faults.append(str(error))
    if faults:
        raise NotFoundError("; ".join(dict.fromkeys(faults)))
    if as_json and context.parent is not context.find_root():  # as `session show` and its like
        click.echo(json_text(found[0][0]))
    elif as_json:
        threads = [row for row, _ in found if "turns" in row]
        records = [row for row, _ in found if "turns" not in row]
        groups = {"records": records} if records or not threads else {}
        groups |= {"sessions": threads} if threads else {}
        click.echo(json_text({**groups, "count": len(found)}))
    else:
        print_paged("\n\n".join(text for _, text in found))


def _find(kb: "KnowledgeBase", name: str, detail: Detail) -> Page:
    first: NotFoundError | None = None
    # Each is loaded when those before it have found nothing.
    for find in chain(map(resolve_name, FINDERS), taking_part("page_of"), map(resolve_name, LAST)):
        try:
            page: Page | None = find(kb, name, detail)
        except NotFoundError as error:
            first = first or error
        else:
            if page:
                return page
    raise first or NotFoundError(f"{name!r} not found; find ids with: calmkb search WORDS")


def record_page(kb: "KnowledgeBase", name: str, detail: Detail) -> Page | None:
    """Return a record of the journal: as its kind shows it, else its file."""
    from calmkb.kb.search.search import fields_of
    from calmkb.kb.search.search import show as find

    if ":" in name:
        return None
    (item,) = find(kb, [name])
    row = {"kind": item.kind, "path": item.path} | fields_of(item.record)
    if detail.markdown:
        return row, visible(item.text).rstrip()
    if place := PAGES.get(item.kind):
        more, text = resolve_name(place)(kb, item.record.id, detail)
        return row | more, text
    return row, hanging(f"{item.path}\n{visible(item.text).rstrip()}")
