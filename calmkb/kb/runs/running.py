"""Runs in this process: in the background, journalled from the start."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any

from calmkb.errors import CalmError, RunConflictError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.runs.agents import agent_types, find_agent, seconds_for
from calmkb.kb.runs.wrapup import keep_failures, wrap_up_session
from calmkb.model import Json, Run, RunContext, RunSession, RunStatus
from calmkb.runs.addresses import database_url
from calmkb.runs.agents.base import Agent, Outcome
from calmkb.runs.agents.streams import StepLimitError
from calmkb.runs.base import Archived
from calmkb.runs.context import FULL, PastRun, context_of, summarise
from calmkb.runs.sinks import JournalSink, Limits, OutputLimitError
from calmkb.runs.store.store import RunJournal, open_journal
from calmkb.runs.store.values import storable

CANCELLED = "cancelled"
_LIMITS = Limits()
_GRACE_SECONDS = 10
_BUG = "unexpected error in calmkb or in the agent: "


async def open_runs(kb: KnowledgeBase, database: str | None = None) -> RunJournal:
    """Return the run journal at `database`, or the one of the state folder.

    The runs of dead processes are marked as failed first. ConfigError on an invalid address,
    StoreError where it cannot be opened.
    """
    journal = await open_journal(database_url(database or "", kb.environment.state))
    await journal.fail_interrupted()
    return journal


@contextlib.asynccontextmanager
async def open_runner(kb: KnowledgeBase, database: str | None = None) -> AsyncIterator["KbRunner"]:
    """Open the run journal and a runner on it, and close both at the end; see `open_runs`."""
    journal = await open_runs(kb, database)
    runner = KbRunner(kb, journal)
    try:
        yield runner
    finally:
        await runner.close()
        await journal.close()


class KbRunner:
    """Executes runs for a knowledge base, writing into `journal`.

    `beat` is the heartbeat's interval in seconds.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        journal: RunJournal,
        *,
        beat: float = 2.0,
        limits: Limits = _LIMITS,
    ) -> None:
        self._kb, self.journal, self._beat, self._limits = kb, journal, beat, limits
        self._clean: Callable[[str], str] = kb.redactor().text
        self._running: dict[str, asyncio.Task[None]] = {}

    def agent_types(self) -> Sequence[str]:
        """Return the names of the configured agents."""
        return agent_types(self._kb)

    async def begin_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session with a configured agent; the title is filtered."""
        find_agent(self._kb, agent_type, run_id="", max_steps=None)
        return await self.journal.create_session(agent_type, title=self._clean(storable(title)))

    async def start(self, session_id: str, task: str, config: Json | None = None) -> Run:
        """Begin a run in the background and return at once."""
        session = await self.journal.get_session(session_id)
        steps = (config or {}).get("maxSteps")
        model = str((config or {}).get("model") or "")
        # Before anything is written: an unknown agent makes no run.
        find_agent(self._kb, session.agent_type, run_id="", max_steps=None, model=model)
        run = await self.journal.start_run(session_id, self._clean(storable(task)), config=config)
        agent = find_agent(
            self._kb, session.agent_type, run_id=run.id,
            max_steps=steps if isinstance(steps, int) else None,
            model=model,
        )  # fmt: skip
        running = asyncio.create_task(self._execute(run, agent, task))
        self._running[run.id] = running
        running.add_done_callback(lambda _: self._running.pop(run.id, None))
        return run

    async def cancel(self, run_id: str) -> Run:
        """Stop a run of this process; it fails."""
        running = self._running.get(run_id)
        if running is None:
            run = await self.journal.get_run(run_id)
            if run.status != "running":
                raise RunConflictError(f"run {run_id} has ended ({run.status})")
            raise RunConflictError(f"run {run_id} is executed by another process; cancel it there")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return await self.journal.get_run(run_id)

    async def archive(self, session_id: str, *, wrapup: bool = False) -> Archived:
        """Archive a session; `wrapup` also creates a journal entry."""
        before = await self.journal.get_session(session_id)
        session = await self.journal.archive_session(session_id)
        if not wrapup or before.status == "archived":
            return Archived(session)
        entry = await wrap_up_session(self._kb, self.journal, session)
        return Archived(session, entry)

    async def wait(self, run_id: str) -> None:
        """Wait for a run of this process to end; at once where it has."""
        if running := self._running.get(run_id):
            await asyncio.wait([running])

    async def close(self) -> None:
        """Cancel all runs of this process and wait for them."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _execute(self, run: Run, agent: Agent, task: str) -> None:
        sink = JournalSink(
            self.journal, run.id, clean=self._clean, interval=self._beat, limits=self._limits
        )
        await sink.begin()
        ending = False
        try:
            steps = (run.config or {}).get("maxSteps")
            await sink.run_started(task, max_steps=steps, agent_type=run.agent_type)
            context = await self._context(run)
            # A command has its own time limit; this is for agents without one.
            async with asyncio.timeout(seconds_for(self._kb, run.agent_type) + _GRACE_SECONDS):
                outcome = await agent.run(task, context, sink)
            ending = True
            await _complete(self._end(run, sink, outcome))
        except asyncio.CancelledError:
            if not ending:  # else its end was being written, and is written by now
                await _complete(self._fail(run, sink, CANCELLED))
            raise
        except TimeoutError:
            await _complete(self._fail(run, sink, "it exceeded its time limit and was stopped"))
        except (CalmError, StepLimitError, OutputLimitError) as error:
            await _complete(self._fail(run, sink, str(error)))
        except Exception as error:
            await _complete(self._fail(run, sink, f"{_BUG}{type(error).__name__}: {error}"))
        finally:
            await sink.end()

    async def _context(self, run: Run) -> RunContext:
        """Return the context from the completed runs before it; its summary is stored."""
        runs = await self.journal.list_runs(run.session_id, status="completed")
        older, recent = runs[:-FULL], runs[-FULL:]
        summary = summarise(older)
        if summary:
            await self.journal.set_context_summary(run.id, summary)
        past = [PastRun(one, await self.journal.entries(one.id)) for one in recent]
        return context_of(past, summary=summary)

    async def _end(self, run: Run, sink: JournalSink, outcome: Outcome) -> None:
        await sink.run_complete(outcome.message, success=outcome.success, steps=outcome.steps)
        message = self._clean(storable(outcome.message))
        result = {"success": outcome.success, "message": message, "steps": outcome.steps}
        status: RunStatus = "completed" if outcome.success else "failed"
        failures = [*sink.failures, *([] if outcome.success else [message])]
        # Before the run ends: whoever waits for its end may then end this process.
        await asyncio.to_thread(keep_failures, self._kb, run, failures)
        await self.journal.finish_run(run.id, status, result=result)

    async def _fail(self, run: Run, sink: JournalSink, error: str) -> None:
        # That it could not start, or was stopped at a limit, teaches nothing of the project.
        await asyncio.to_thread(keep_failures, self._kb, run, sink.failures)
        with contextlib.suppress(RunConflictError):
            await sink.run_error(error, step=0)
            message = self._clean(storable(error))
            await self.journal.finish_run(run.id, "failed", result={"error": message})


async def _complete(end: Coroutine[Any, Any, None]) -> None:
    """Complete the end of a run, even where the run is cancelled meanwhile."""
    task = asyncio.ensure_future(end)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
