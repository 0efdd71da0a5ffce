"""`calmkb show`: records whole, of any kind."""

import json
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.kb.search.search import Shown


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show(context: click.Context, ids: tuple[str, ...], as_json: bool) -> None:
    """Show records whole; any unique beginning of an id will do."""
    from calmkb.kb.search.search import show as find

    found = find(kb_from(context), ids)
    if as_json:
        rows = [_row(item) for item in found]
        click.echo(json.dumps({"records": rows, "count": len(rows)}, ensure_ascii=False))
    else:
        click.echo("\n\n".join(f"{item.path}\n{visible(item.text).rstrip()}" for item in found))


def _row(item: "Shown") -> dict[str, Any]:
    from calmkb.kb.search.search import fields_of

    return {"kind": item.kind, "path": item.path} | fields_of(item.record)
