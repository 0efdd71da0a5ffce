"""One run carried out: an agent given its context, its entries and its end written."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from calmkb.errors import CalmError, RunConflictError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.runs.agents.base import Agent, Outcome
from calmkb.wings.runs.context import FULL, context_of, summarise
from calmkb.wings.runs.model import Run, RunContext, RunStatus
from calmkb.wings.runs.sinks import JournalSink
from calmkb.wings.runs.store.store import RunJournal
from calmkb.wings.runs.usage import budget_of
from calmkb.wings.runs.verbs.agents import seconds_for
from calmkb.wings.runs.verbs.wrapup import keep_failures

CONTINUED = "continueFrom"
"""The configuration's key for an ended run of the session that a run goes on from."""
_GRACE_SECONDS = 10
_BUG = "unexpected error in calmkb or in the agent: "


class Execution:
    """Carries out runs of `journal`, each with a sink of its own."""

    def __init__(
        self, kb: KnowledgeBase, journal: RunJournal, sink: Callable[..., JournalSink]
    ) -> None:
        self._kb, self._journal, self._sink = kb, journal, sink

    async def carry_out(self, run: Run, agent: Agent, task: str) -> None:
        """Run `agent` to its end; whatever it is, it is written."""
        sink = self._sink(run.id, budget=budget_of(run.config or {}))
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
                await _complete(self._fail(run, sink, "cancelled", "cancelled"))
            raise
        except TimeoutError:
            await _complete(self._fail(run, sink, "it exceeded its time limit and was stopped"))
        except CalmError as error:
            await _complete(self._fail(run, sink, str(error)))
        except Exception as error:
            await _complete(self._fail(run, sink, f"{_BUG}{type(error).__name__}: {error}"))
        finally:
            await sink.end()

    async def _context(self, run: Run) -> RunContext:
        """Return the context from the completed runs before it; its summary is stored.

        A run that it goes on from counts too, however it ended.
        """
        every = await self._journal.list_runs(run.session_id)
        before = (run.config or {}).get(CONTINUED)
        runs = [one for one in every if one.status == "completed" or one.id == before]
        if summary := summarise(runs[:-FULL]):
            await self._journal.set_context_summary(run.id, summary)
        past = [(one, await self._journal.entries(one.id)) for one in runs[-FULL:]]
        return context_of(past, summary=summary)

    async def _end(self, run: Run, sink: JournalSink, outcome: Outcome) -> None:
        if outcome.exit_code:
            await sink.run_error(outcome.message, step=outcome.steps)
        else:
            await sink.run_complete(outcome.message, success=outcome.success, steps=outcome.steps)
        message = sink.clean(outcome.message)
        result = {"success": outcome.success, "message": message, "steps": outcome.steps}
        status: RunStatus = "completed" if outcome.success else "failed"
        why = "" if outcome.success else message
        # Before the run ends: a caller that waits for its end may then end this process.
        await asyncio.to_thread(keep_failures, self._kb, run, sink.failures, why)
        await self._journal.finish_run(run.id, status, result=result)

    async def _fail(
        self, run: Run, sink: JournalSink, error: str, status: RunStatus = "failed"
    ) -> None:
        # That it could not start, or was stopped at a limit, teaches nothing of the project.
        await asyncio.to_thread(keep_failures, self._kb, run, sink.failures)
        with contextlib.suppress(RunConflictError):
            await sink.run_error(error, step=0)
            await self._journal.finish_run(run.id, status, result={"error": sink.clean(error)})


async def _complete(end: Coroutine[Any, Any, None]) -> None:
    """Complete the end of a run, even where the run is cancelled meanwhile."""
    task = asyncio.ensure_future(end)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
