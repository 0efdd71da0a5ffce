"""`calmkb search`: a line a record, with what showing it whole would cost to read."""

import json
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import kb_from
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import clip, terminal_width, visible

if TYPE_CHECKING:
    from datetime import datetime

    from calmkb.kb.search.search import Hit


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--kind", type=TableChoice("calmkb.kb.search.search:KINDS"), help="Only this kind of record."
)
@click.option("--project", help="Only this project.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Only from this day (UTC) on.")
@click.option("--limit", type=click.IntRange(min=1, max=200), default=10, show_default=True)
@click.option("--meaning/--no-meaning", default=True, help="Order by meaning too, where the "
              "[semantic] extra is installed.", show_default=True)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def search(
    context: click.Context,
    query: tuple[str, ...],
    kind: str | None,
    project: str | None,
    since: "datetime | None",
    limit: int,
    meaning: bool,
    as_json: bool,
) -> None:
    """Search sessions, memories and reflections; best first.

    Any of the words will do; "quotes" keep words together, and a word may end in *. Each line gives
    an id for `calmkb show` and what that costs to read, in tokens (characters / 4).
    """
    from calmkb.kb.search.methods import find_embedder
    from calmkb.kb.search.search import search as find

    found = find(
        kb_from(context),
        " ".join(query),
        kind=kind or "",
        project=project or "",
        since=since.date() if since else None,
        limit=limit,
        embed=find_embedder() if meaning else None,
    )
    if found.vectors_missing:
        click.echo(
            f"The last {found.vectors_missing} are ordered by words alone: vectors are missing. "
            "Each search builds some: repeat it, or use --no-meaning.",
            err=True,
        )
    if as_json:
        rows = [_row(hit) for hit in found.hits]
        click.echo(json.dumps({"hits": rows, "count": len(rows)}, ensure_ascii=False))
    elif not found.hits:
        click.echo("Nothing found.")
    else:
        click.echo("\n".join(_lines(hit) for hit in found.hits))
        click.echo("\nRead them whole: calmkb show ID…")


def _row(hit: "Hit") -> dict[str, object]:
    names = ("id", "kind", "project", "headline", "snippet", "tokens", "score")
    row = {name: getattr(hit, name) for name in names}
    return row | {"created_at": hit.created_at.isoformat()}


def _lines(hit: "Hit") -> str:
    """Return the hit's line, and below it the words found where the headline lacks them."""
    width = terminal_width()
    facts = (hit.id[:8], f"{hit.created_at:%Y-%m-%d}", f"{hit.kind:10}", clip(hit.project, 20))
    head = f"{'  '.join(facts)}  ~{hit.tokens} tokens  "
    headline = clip(hit.headline, max(40, width - len(head)))
    snippet = visible(hit.snippet).strip("… ")
    if not snippet or snippet in visible(hit.headline):
        return head + headline
    return f"{head}{headline}\n          {clip(hit.snippet, width - 10)}"
