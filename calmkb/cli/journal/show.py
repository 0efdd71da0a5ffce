"""`calmkb show`: records whole, of any kind, and kept sessions."""

from collections.abc import Sequence
from typing import Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.json_io import json_text
from calmkb.cli.base.layout import hanging, print_paged
from calmkb.cli.base.text import visible
from calmkb.cli.journal.moments import thread_lines, turn_row
from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.points import open_thread
from calmkb.kb.search.search import Shown, fields_of
from calmkb.model.sessions.kept import is_address


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--around", type=click.IntRange(0, 500), default=8, show_default=True,
              help="Turns before and after the line of a session.")  # fmt: skip
@click.option("--tools", is_flag=True, help="Show what tools answered, and changes, to their end.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(
    context: click.Context, ids: tuple[str, ...], around: int, tools: bool, as_json: bool
) -> None:
    """Show records whole, or a kept session as SESSION:LINE or SESSION.

    Any unique beginning of an id will do. Of a session are shown people, agent, tools in short, and
    changes.
    """
    kb = kb_from(context)
    if all(is_address(one) for one in ids):
        _show_threads(kb, ids, around, tools=tools, as_json=as_json)
        return
    from calmkb.kb.search.search import show as find

    try:
        found = find(kb, ids)
    except NotFoundError:
        if not _are_sessions(kb, ids):
            raise
        _show_threads(kb, ids, around, tools=tools, as_json=as_json)
        return
    if as_json:
        rows = [_row(item) for item in found]
        click.echo(json_text({"records": rows, "count": len(rows)}))
    else:
        texts = (f"{item.path}\n{visible(item.text).rstrip()}" for item in found)
        print_paged(hanging("\n\n".join(texts)))


def _are_sessions(kb: KnowledgeBase, ids: Sequence[str]) -> bool:
    try:
        return all(open_thread(kb.environment, one) for one in ids)
    except NotFoundError:
        return False


def _show_threads(
    kb: KnowledgeBase, ids: Sequence[str], around: int, *, tools: bool, as_json: bool
) -> None:
    threads = [open_thread(kb.environment, one, around=around) for one in ids]
    if as_json:
        rows = [{"session": one.session.name, "agent": one.session.agent, "line": one.line,
                 "project": one.session.project, "resume": one.session.resume,
                 "turns": [turn_row(turn) for turn in one.turns]} for one in threads]  # fmt: skip
        click.echo(json_text({"sessions": rows, "count": len(rows)}))
        return
    lines = [line for one in threads for line in thread_lines(one, unfolded=tools)]
    print_paged("\n".join(lines))


def _row(item: Shown) -> dict[str, Any]:
    return {"kind": item.kind, "path": item.path} | fields_of(item.record)
