"""`calmkb import`: begin with the history that is there already."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.cli.base.days import DAY, Amount
from calmkb.cli.base.json_io import json_option, print_json
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.text import counted

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.kb.imports.request import Imported, ImportRequest

_SHOWN = 10


@click.command(name="import")
@click.argument("source", type=TableChoice("calmkb.kb.imports.history_import:SOURCES"))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--since", type=DAY, help="Only what ended on or after it.")
@click.option("--project", default="", help="Only this project.")
@click.option("--all-projects", is_flag=True, help="Sessions of every repository, not this one's.")
@click.option("--automated", is_flag=True, help="Sessions too that a program ran, such as CI.")
@click.option("--dry-run", is_flag=True, help="Say what would be added; change nothing.")
@click.option("--keep-logs", is_flag=True, help="Keep the raw logs on this machine, for analysts.")
@click.option("--with", "writer", metavar="claude|codex|gemini|COMMAND",
              help="Have a program write each entry; it gets the session, filtered.")  # fmt: skip
@click.option("--model", default="", help="The model to ask; else a small one.")
@click.option("--budget", type=Amount(min=0), default=1.0, show_default=True,
              help="Dollars a day for --with.")  # fmt: skip
@click.option("--most", type=click.IntRange(min=0), default=0, help="No more entries than this.")
@json_option
@click.pass_context
def importing(
    context: click.Context,
    /,
    source: str,
    path: Path | None,
    dry_run: bool,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Take over an agent's history from PATH, or from where the agent keeps it.

    Each session becomes an entry once, however often you run it. The knowledge base of a repository
    takes the sessions of that repository, ~/.calm/kb takes all. Notes that agents
    keep by themselves (auto-memory is Claude Code's, then codex-, gemini- and copilot-memory) come
    as proposals for `calmkb reflect`; of a private journal comes only what it says of the project
    and the craft.
    """
    from calmkb.kb.imports.history_import import SESSION_SOURCES, import_history
    from calmkb.kb.journal.writing import cost_notice

    kb, request = kb_from(context), _request(source, path, dry_run=dry_run, **wanted)
    if request.writer and not dry_run:
        click.echo(cost_notice(kb, request.writer), err=True)
    done = import_history(kb, request)
    _warn_of(done)
    if as_json:
        print_json({**asdict(done), "dry_run": dry_run})
    else:
        _report(done, request)
    if (done.added or done.known) and not dry_run and source in SESSION_SOURCES:
        _keep(kb, path, err=as_json)
    if done.added and not dry_run and not as_json:
        click.echo("Next: calmkb reflect")


def _request(
    source: str, path: Path | None, *, since: datetime | None, writer: str | None, model: str,
    budget: float, **wanted: Any,
) -> "ImportRequest":  # fmt: skip
    from calmkb.kb.imports.request import BATCH, WRITTEN_BATCH, ImportRequest
    from calmkb.kb.journal.writing import writer_named

    after = since.replace(tzinfo=UTC) if since else None
    chosen = writer_named(writer, model=model, budget=budget) if writer else None
    batch = WRITTEN_BATCH if chosen else BATCH
    return ImportRequest(source, path, after, writer=chosen, batch=batch, **wanted)


def _warn_of(done: "Imported") -> None:
    for line in (*done.broken[:_SHOWN], *done.left_out[:_SHOWN]):
        warn(line)
    hidden = max(0, len(done.broken) - _SHOWN) + max(0, len(done.left_out) - _SHOWN)
    if hidden:
        warn(f"and {hidden} more like these")
    if done.unknown:
        kinds = ", ".join(f"{kind} ({n})" for kind, n in done.unknown.most_common(_SHOWN))
        lines = counted(done.unknown.total(), "line")
        warn(f"{lines} of kinds unknown to this version, passed over: {kinds}")


def _report(done: "Imported", request: "ImportRequest") -> None:
    verb = "would be added" if request.dry_run else "added"
    click.echo(f"{done.added} {verb}, {', '.join(_left(done))}")
    if request.writer and not request.dry_run:
        cost = f"for about ${done.dollars:.2f}"
        click.echo(f"{done.written} written by {request.writer.name}, {cost}")
        for fault, count in list(done.unwritten.items())[:_SHOWN]:
            warn(f"{count} drafted without it: {fault}")


def _keep(kb: "KnowledgeBase", path: Path | None, *, err: bool = False) -> None:
    """Have the sessions kept in the background: their clients delete them after a month."""
    from calmkb.kb.base.points import sessions_imported

    try:
        for line in sessions_imported(kb.environment, [path.resolve()] if path else []):
            click.echo(line, err=err)
    except OSError as error:
        warn(f"the sessions were not kept ({error}); keep them with: calmkb agents keep")


def _left(done: "Imported") -> Iterator[str]:
    """Yield what was not added, and how to take it where there is a way."""
    yield f"{done.known} known before"
    yield f"{len(done.left_out)} left out"
    yield f"{len(done.broken)} with broken lines"
    for count, words in (
        (done.sub_agents, "of sub-agents passed over"),
        (done.outside, "outside what was asked for"),
        (done.automated, "run by programs left (--automated takes them)"),
        (done.forgotten, "forgotten"),
        (done.elsewhere, "of other repositories left (--all-projects takes them)"),
    ):
        if count:
            yield f"{count} {words}"
