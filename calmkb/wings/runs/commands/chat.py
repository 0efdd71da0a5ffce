"""`calmkb run chat`: a conversation with an agent, each line a run in the same session."""

import asyncio
import contextlib
import signal

import click

from calmkb.cli.base.progress import question
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError
from calmkb.wings.runs.commands.common import Opened, Runner, on_runs, to_continue
from calmkb.wings.runs.commands.run import follow

HELP = """\
/new       start a new session: nothing is remembered
/session   show this session
/archive   archive this session and start a new one
/wrapup    the same, and create a journal entry of it
/help      show this help
/quit      leave; continue the session later with --session-id"""


@click.command()
@click.argument("agent", metavar="TYPE")
@to_continue(help="Continue this session.")
@on_runs
def chat(opened: Opened, agent: str, session_id: str | None) -> int:
    """Talk with the agent TYPE: each line is a task, with the earlier ones as context.

    ^C cancels the current task; at the prompt it leaves.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - it gives the prompt its history
    return asyncio.run(_chat(opened, agent, session_id))


async def _chat(opened: Opened, agent: str, session_id: str | None) -> int:
    async with opened() as runner:
        if session_id is None:
            session_id = (await runner.begin_session(agent)).id
        click.echo(f"Session {session_id} with {agent}; /help lists the commands.")
        while (line := _read(agent)) is not None:
            if not line:
                continue
            if line == "/quit":
                break
            if line == "/new":
                session_id = await _new(runner, agent)
            elif line == "/session":
                await _show(runner, session_id)
            elif line in ("/archive", "/wrapup"):
                session_id = await _archive(runner, session_id, agent, wrapup=line == "/wrapup")
            elif line.startswith("/"):
                click.echo(HELP)
            else:
                await _turn(runner, session_id, line)
        return 0


async def _show(runner: Runner, session_id: str) -> None:
    runs = await runner.journal.list_runs(session_id)
    click.echo(f"Session {session_id}: {len(runs)} runs")
    for run in runs:
        click.echo(f"{run.run_number:3}. {run.status:9}  {visible(' '.join(run.task.split()))}")


async def _archive(runner: Runner, session_id: str, agent: str, *, wrapup: bool) -> str:
    """Archive a session and return a new one; where that fails, say why and stay in it."""
    try:
        done = await runner.archive(session_id, wrapup=wrapup)
    except CalmError as error:
        click.echo(str(error), err=True)
        return session_id
    click.echo(f"Journal entry saved: {done.entry_id}" if done.entry_id else "Archived.")
    return await _new(runner, agent)


async def _new(runner: Runner, agent: str) -> str:
    session = await runner.begin_session(agent)
    click.echo(f"Session {session.id}")
    return session.id


async def _turn(runner: Runner, session_id: str, line: str) -> None:
    """Execute one line; ^C cancels it and returns to the prompt."""
    loop = asyncio.get_running_loop()
    work = asyncio.create_task(_execute(runner, session_id, line))
    with contextlib.suppress(NotImplementedError):  # Windows: ^C leaves the conversation
        loop.add_signal_handler(signal.SIGINT, work.cancel)
    try:
        await work
    except asyncio.CancelledError:
        if not work.cancelled():
            raise
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)


async def _execute(runner: Runner, session_id: str, line: str) -> None:
    try:
        run = await runner.start(session_id, line)
        await follow(runner, run, as_json=False)
    except CalmError as error:
        click.echo(str(error), err=True)


def _read(agent: str) -> str | None:
    """Return the next line, or None where the person leaves."""
    # The event loop's own handler would wait for the line to end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with question():
            return input(f"{agent}> ").strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        return None
