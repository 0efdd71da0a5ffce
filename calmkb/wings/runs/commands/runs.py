"""`calmkb run`: the run journal from the command line."""

import io
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.days import DAY
from calmkb.cli.base.layout import print_paged
from calmkb.cli.base.lazy import LazyGroup
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError, NotFoundError
from calmkb.kb.base.environment import agent_mark, process_environment
from calmkb.wings.runs.commands.common import (
    SERVER,
    URL,
    Opened,
    Runner,
    ask_runner,
    on_runs,
    open_runs,
)
from calmkb.wings.runs.model import RUN_STATUSES, RunStatus, event_of

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_COMMANDS = {
    "TYPE": ("calmkb.wings.runs.commands.run:run", "Give the agent TYPE the TASK, and follow it."),
    "chat": ("calmkb.wings.runs.commands.chat:chat", "Talk with an agent that remembers."),
    "serve": ("calmkb.wings.runs.commands.serve:serve", "Serve the run journal over HTTP."),
}


class _Runs(LazyGroup):
    """What is none of the commands is the type of an agent: `run coding TASK`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give the task to the agent where no command is named."""
        named = args[:1] and (args[0] in self.commands or args[0] in (*self.table, "-h", "--help"))
        return super().parse_args(ctx, args if named else ["TYPE", *args])


@click.group("run", cls=_Runs, table=_COMMANDS, subcommand_metavar="TYPE TASK... | COMMAND")
def runs() -> None:
    """Give an agent a task and follow it; list, cancel and export runs, of any process."""


@runs.command("list")
@click.option("--status", type=click.Choice(RUN_STATUSES), help="Only runs of this status.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True,
              help="How many.")  # fmt: skip
@on_runs
def list_(opened: Opened, status: RunStatus | None, limit: int) -> None:
    """List runs, newest first: id, status, agent, task."""
    found = ask_runner(
        opened, lambda runner: runner.journal.list_recent_runs(status=status, limit=limit)
    )
    for run in found:
        task = " ".join(run.task.split())[:80]
        click.echo(visible(f"{run.id}  {run.status:9}  {run.agent_type}  {task}"))
    if not found:
        click.echo("No runs found.")


@runs.command()
@click.argument("name", metavar="ID")
@on_runs
def show(opened: Opened, name: str) -> None:
    """Show what a run did, or the runs of a session."""
    if not (found := ask_runner(opened, partial(_page, name=name))):
        raise NotFoundError(f"{name!r} not found; list runs with: calmkb run list")
    print_paged(found[1])


@runs.command()
@click.argument("run_id", metavar="RUN")
@on_runs
def cancel(opened: Opened, run_id: str) -> None:
    """Cancel the run RUN, whichever process executes it.

    Its program gets SIGTERM, and SIGKILL two seconds later.
    """
    run = ask_runner(opened, lambda runner: runner.cancel(run_id))
    if run.status == "running":
        raise CalmError(f"run {run.id} still runs: the process that executes it does not answer")
    click.echo(f"Run {run.id}: {run.status}")


@runs.command()
@click.option("--otlp", "file", metavar="FILE", is_flag=False, flag_value="", required=True,
              help="Spans in OTLP's JSON: to FILE (-: standard output), or without one to the "
              "collector of OTEL_EXPORTER_OTLP_ENDPOINT.")  # fmt: skip
@click.option("--session-id", help="Only this session.")
@click.option("--since", type=DAY, help="Only runs from this day (UTC).",
              callback=lambda _context, _option, day: day and day.replace(tzinfo=UTC))  # fmt: skip
@on_runs
def export(opened: Opened, file: str, session_id: str | None, since: "datetime | None") -> None:
    """Export ended runs to OpenTelemetry."""
    from calmkb.wings.runs.verbs.export import export_runs

    environment = process_environment()
    count = ask_runner(opened, lambda runner: export_runs(
        environment, runner.journal, file, session_id=session_id, since=since))  # fmt: skip
    click.echo(f"Exported {count} runs.", err=True)


def page(kb: "KnowledgeBase", name: str, detail: object) -> "Page | None":
    """Return a run, or the runs of a session, with their entries; None where there are none."""
    env = {} if agent_mark(kb.environment.env) else kb.environment.env
    url, server = env.get(URL), env.get(SERVER)
    here = url or (kb.environment.state / "runs.sqlite").is_file()
    if not (server or (here and find_spec("sqlalchemy"))):
        return None
    return ask_runner(partial(open_runs, lambda: kb, url, server), partial(_page, name=name))


async def _page(runner: Runner, name: str) -> "Page | None":
    from calmkb.wings.runs.commands.screen import Screen

    found = [run for run in reversed(await runner.journal.list_recent_runs(limit=1_000))
             if run.id.startswith(name) or run.session_id.startswith(name)]  # fmt: skip
    entries = {run.id: await runner.journal.entries(run.id) for run in found}
    out = io.StringIO()
    for run in found:
        out.write(f"{run.agent_type}, {run.status}: {visible(run.task)}\n")
        for entry in entries[run.id]:
            Screen(out).show(event_of(entry))
        if run.status != "running":
            Screen(out).show(event_of(run))
    rows = [{**asdict(run), "entries": [*map(asdict, entries[run.id])]} for run in found]
    return ({"kind": "run", "runs": rows}, out.getvalue().rstrip()) if found else None
