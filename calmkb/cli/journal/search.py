"""`calmkb search`: a line a record, with what showing it whole would cost, then moments."""

import sys
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import listed_kb
from calmkb.cli.base.days import DAY
from calmkb.cli.base.json_io import fields_named, json_text
from calmkb.cli.base.layout import print_paged
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import clip, counted, terminal_width, visible

if TYPE_CHECKING:
    from datetime import datetime

    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.search.search import Hit, Hits
    from calmkb.model.sessions.kept import MomentsWanted

_PLACES = ("records", "turns", "all")
_RECORDS, _SESSIONS, _OF_A_SESSION = 10, 5, 1_050
"""Records where these are all, sessions (as many records stand below them), characters of one."""
_OF_TURNS = ("who", "file", "tool", "errors")


@click.command()
@click.argument("query", nargs=-1)
@click.option(
    "--kind", type=TableChoice("calmkb.kb.search.search:KINDS"), help="Only this kind of record."
)
@click.option("--project", help="Only this project.")
@click.option("--all-projects", is_flag=True, help="Sessions of every repository, not this one's.")
@click.option("--since", type=DAY, help="Only from this day (UTC) on.")
@click.option("--in", "places", type=click.Choice(_PLACES), default=None,
              help="Only records, or only turns of kept sessions.  [default: all]")  # fmt: skip
@click.option("--who", type=click.Choice(["person", "agent", "tool"]), help="Only their turns.")
@click.option("--file", default="", help="Only turns that name this file.")
@click.option("--tool", default="", help="Only calls and answers of this tool.")
@click.option("--error", "errors", is_flag=True, help="Only failures.")
@click.option("--limit", type=click.IntRange(min=1, max=200), default=None,
              help="At most so many.  [default: 10 records, 5 sessions]")  # fmt: skip
@click.option("--meaning/--no-meaning", default=True, help="Order by meaning too, where the "
              "[semantic] extra is installed.", show_default=True)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def search(
    context: click.Context,
    /,
    query: tuple[str, ...],
    kind: str | None,
    since: "datetime | None",
    places: str | None,
    limit: int | None,
    meaning: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Search every turn of the sessions that are kept, and records; best first.

    Any of the words will do; "quotes" keep words together, and a word may end in *. A record's line
    gives an id for `calmkb show` and what that costs to read, in tokens (characters / 4); a moment
    of a session gives SESSION:LINE for it, and the command that resumes it in its client.
    --who, --file, --tool and --error ask the sessions alone, and need no words.
    """
    from calmkb.model.sessions.kept import MomentsWanted

    of_turns = any(asked[name] for name in _OF_TURNS)
    if not query and not of_turns:
        raise click.UsageError("give words to search for, or --who, --file, --tool or --error")
    if kind and (of_turns or places == "turns"):
        raise click.UsageError("--kind is about records; --who, --file, --tool, --error and "
                               "--in turns about sessions: give one or the other")  # fmt: skip
    kb, chosen = listed_kb(context), places or ("records" if kind else "all")
    wanted = MomentsWanted(
        query=" ".join(query), since=since.date() if since else None, limit=limit or _SESSIONS,
        **{name: value for name, value in asked.items() if value},
    )  # fmt: skip
    found = None
    if chosen != "turns" and not of_turns:
        found = _records(kb, wanted, kind or "", limit or _RECORDS, meaning=meaning)
    _print(kb, found, wanted if chosen != "records" else None, meaning=meaning, as_json=as_json)


def _records(
    kb: "KnowledgeBase", wanted: "MomentsWanted", kind: str, limit: int, *, meaning: bool
) -> "Hits":
    from calmkb.kb.base.points import embedder
    from calmkb.kb.search.search import search as find

    found = find(
        kb, wanted.query, kind=kind, project=wanted.project, since=wanted.since, limit=limit,
        embed=embedder() if meaning else None,
    )  # fmt: skip
    if found.hits and found.instead:
        click.echo(f"No record holds {wanted.query}; shown: {found.instead}", err=True)
    if found.vectors_missing:
        words = f"The last {found.vectors_missing} are ordered by words alone: vectors are missing"
        click.echo(f"{words}. Each search builds some: repeat it, or use --no-meaning.", err=True)
    return found


def _print(
    kb: "KnowledgeBase",
    found: "Hits | None",
    wanted: "MomentsWanted | None",
    *,
    meaning: bool,
    as_json: bool,
) -> None:
    from calmkb.cli.journal.moments import session_lines, session_row
    from calmkb.kb.base.points import find_moments

    moments = find_moments(kb, wanted, meaning=meaning) if wanted else ()
    hits = found.hits if found else ()
    if as_json:
        rows = [_row(hit) for hit in hits]
        more = {"sessions": [session_row(one) for one in moments]} if wanted else {}
        click.echo(json_text({"hits": rows, "count": len(rows)} | more))
        return
    parts: list[str] = []
    if wanted and moments:
        room = _OF_A_SESSION * wanted.limit
        parts += [session_lines(moments, wanted.query, room, brief=sys.stdout.isatty()),
                  "Read on: calmkb show SESSION:LINE"]  # fmt: skip
        hits = hits[: wanted.limit]
    if hits:
        lines = "\n".join(_lines(hit, with_words=not moments) for hit in hits)
        parts += [lines, "Read them whole: calmkb show ID…"]
    print_paged("\n\n".join(parts) or _nothing(kb, wanted))


def _nothing(kb: "KnowledgeBase", wanted: "MomentsWanted | None") -> str:
    """Say that nothing was found, what was not searched, and how to change that."""
    from calmkb.kb.base.points import sessions_not_searched

    if wanted is None:
        return "Nothing found. Kept sessions were not searched: --in all"
    lines = ["Nothing found."]
    others, unkept = sessions_not_searched(kb, wanted)
    if others:
        other = counted(others, "session")
        lines.append(f"Not searched: {other} of other repositories: --all-projects")
    if unkept:
        lines.append(f"Not searched: {counted(unkept, 'session')} not kept: calmkb agents keep")
    return "\n".join(lines)


def _row(hit: "Hit") -> dict[str, object]:
    names = ("id", "kind", "project", "headline", "snippet", "tokens", "score", "created_at")
    return fields_named(hit, *names)


def _lines(hit: "Hit", *, with_words: bool) -> str:
    """Return the hit's line, and below it the words found where the headline lacks them."""
    width = terminal_width()
    facts = (hit.id[:8], f"{hit.created_at:%Y-%m-%d}", f"{hit.kind:10}", clip(hit.project, 20))
    head = f"{'  '.join(facts)}  ~{hit.tokens} tokens  "
    narrow = sys.stdout.isatty() and width - len(head) < 40
    headline = clip(hit.headline, width - 10 if narrow else max(40, width - len(head)))
    head = f"{head.rstrip()}\n          " if narrow else head
    snippet = visible(hit.snippet).strip("… ")
    if not (with_words and snippet) or snippet in visible(hit.headline):
        return head + headline
    return f"{head}{headline}\n          {clip(hit.snippet, width - 10)}"
