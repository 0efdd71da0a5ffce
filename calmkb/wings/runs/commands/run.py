"""`calmkb run`: give an agent a task, and follow it."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.common import INTERRUPTED, USERS_FAULT
from calmkb.cli.base.days import Amount
from calmkb.errors import CalmError
from calmkb.wings.runs.commands.common import Opened, Runner, ask_runner, on_runs, to_continue

if TYPE_CHECKING:
    from calmkb.wings.runs.model import Run


@click.command()
@click.argument("agent", metavar="TASK...", default="")
@click.argument("task", nargs=-1, metavar="")
@to_continue(help="Continue this session: the agent gets its context.")
@click.option("--continue-from", metavar="RUN", help="Go on from this ended run of the session, a "
              "failed or cancelled one too: the agent gets what it did.")  # fmt: skip
@click.option("--max-cost", type=Amount(min=0, min_open=True), metavar="USD",
              help="Stop at this cost; for Claude Code.")  # fmt: skip
@click.option("--max-tokens", type=click.IntRange(min=1),
              help="Stop at this many tokens, in and out.")  # fmt: skip
@click.option("--max-steps", type=click.IntRange(min=1), help="Stop after this many steps.")
@click.option("--json", "as_json", is_flag=True, help="Print one event per line, like the server.")
@click.option("--wrapup", is_flag=True, help="Archive the session and create a journal entry.")
@on_runs
def run(
    opened: Opened, agent: str, task: tuple[str, ...], session_id: str | None,
    continue_from: str | None, max_cost: float | None, max_tokens: int | None,
    max_steps: int | None, as_json: bool, wrapup: bool,
) -> int:  # fmt: skip
    """Give the agent TYPE the TASK (`-`: from standard input), and follow it.

    All entries are kept; the session's id is printed for the next task. The exit code is 0 where
    the run completed, 1 where it failed, 130 after ^C.
    """
    if not agent:
        names = ", ".join(ask_runner(opened, _agent_types))
        raise click.UsageError(f"Missing argument 'TYPE': an agent; choose from: {names}")
    if not task:
        raise click.UsageError("Missing argument 'TASK...': what the agent is to do")
    text = sys.stdin.read() if task == ("-",) else " ".join(task)
    if not text.strip():
        raise CalmError("the task is empty; say what the agent is to do")
    if continue_from and not session_id:
        raise CalmError("--continue-from needs the --session-id of that run")
    given = {"maxSteps": max_steps, "continueFrom": continue_from,
             "maxCost": max_cost, "maxTokens": max_tokens}  # fmt: skip
    config = {name: value for name, value in given.items() if value} or None
    return asyncio.run(_run(opened, agent, text, session_id, config, as_json, wrapup))


async def _agent_types(runner: Runner) -> Sequence[str]:
    return runner.agent_types()


async def _run(
    opened: Opened, agent: str, task: str, session_id: str | None,
    config: dict[str, float | str] | None, as_json: bool, wrapup: bool,
) -> int:  # fmt: skip
    async with opened() as runner:
        session_id = session_id or (await runner.begin_session(agent)).id
        run = await runner.start(session_id, task, config)
        code = await follow(runner, run, as_json=as_json)
        if wrapup and code != INTERRUPTED:
            done = await runner.archive(session_id, wrapup=True)
            click.echo(f"Journal entry saved: {done.entry_id}", err=True)
        elif not as_json:
            again = "" if code == 0 else f" --continue-from {run.id}"
            command = f"calmkb run {agent} --session-id {session_id}{again} TASK"
            click.echo(f"Continue with: {command}", err=True)
        return code


async def follow(runner: Runner, run: "Run", *, as_json: bool) -> int:
    """Print a run as it proceeds and return the exit code; ^C cancels it."""
    from calmkb.wings.runs.commands.screen import Screen

    screen = Screen(sys.stdout)
    try:
        async for event in runner.follow(run.id):
            if as_json:
                click.echo(json.dumps(event, ensure_ascii=False))
            else:
                screen.show(event)
            if event["type"] == "complete":
                return 0 if event["run"]["status"] == "completed" else USERS_FAULT
    except asyncio.CancelledError:
        screen.clear()
        await runner.cancel(run.id)
        click.echo("Cancelled; its entries until now are kept.", err=True)
    return INTERRUPTED
