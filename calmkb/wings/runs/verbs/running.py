"""Runs in this process: in the background, journalled from the start."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from functools import partial

from calmkb.errors import CalmError, RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.runs.addresses import database_url
from calmkb.wings.runs.filtering import filtered
from calmkb.wings.runs.model import Event, Json, Run, RunSession, event_of
from calmkb.wings.runs.sinks import JournalSink, Limits
from calmkb.wings.runs.store.store import RunJournal, open_journal
from calmkb.wings.runs.store.values import storable
from calmkb.wings.runs.verbs.agents import agent_types, find_agent
from calmkb.wings.runs.verbs.execution import CONTINUED, Execution
from calmkb.wings.runs.verbs.wrapup import wrap_up_session

_LIMITS = Limits()
_LOOK_SECONDS = 0.5  # how often a process looks whether another one asked it to cancel a run
_ANSWER_SECONDS = 15.0


@contextlib.asynccontextmanager
async def open_runner(kb: KnowledgeBase, database: str | None = None) -> AsyncIterator["KbRunner"]:
    """Open the run journal at `database`, or the one of the state folder, and a runner on it.

    Both are closed at the end. The runs of dead processes are marked as failed first. ConfigError
    on an invalid address, StoreError where it cannot be opened.
    """
    journal = await open_journal(database_url(database or "", kb.environment.state))
    try:
        await journal.fail_interrupted()
        runner = KbRunner(kb, journal)
        try:
            yield runner
        finally:
            await runner.close()
    finally:
        await journal.close()


class KbRunner:
    """Executes runs for a knowledge base, writing into `journal`.

    `beat` is the heartbeat's interval in seconds.
    """

    def __init__(
        self, kb: KnowledgeBase, journal: RunJournal, *, beat: float = 2.0, limits: Limits = _LIMITS
    ) -> None:
        self._opened, self.journal = kb, journal
        self._clean: Callable[[str], str] = kb.redactor.text
        sink = partial(JournalSink, journal, clean=self._clean, interval=beat, limits=limits)
        self._execution = Execution(kb, journal, sink)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._archiving = asyncio.Lock()

    def agent_types(self) -> Sequence[str]:
        """Return the names of the configured agents."""
        return agent_types(self._kb)

    async def begin_session(self, agent_type: str, *, title: str = "") -> RunSession:
        """Begin a session; the title is filtered. ConfigError where its agent is not configured."""
        find_agent(self._kb, agent_type, run_id="")
        return await self.journal.create_session(agent_type, title=self._clean(storable(title)))

    async def start(self, session_id: str, task: str, config: Json | None = None) -> Run:
        """Begin a run in the background and return at once.

        NotFoundError on an unknown session, RunConflictError on an archived one, ConfigError where
        its type of agent is not configured.
        """
        session = await self.journal.get_session(session_id)
        await self._check_continued(session_id, (config or {}).get(CONTINUED))
        find = partial(find_agent, self._kb, session.agent_type, config=config)
        find(run_id="")  # before anything is written: an unknown agent makes no run
        kept = None if config is None else filtered(config, self._clean)
        run = await self.journal.start_run(session_id, self._clean(storable(task)), config=kept,
                                           project=self._project())  # fmt: skip
        carried_out = self._execution.carry_out(run, find(run_id=run.id), task)
        running = asyncio.create_task(carried_out)
        self._running[run.id] = running
        running.add_done_callback(lambda _: self._running.pop(run.id, None))
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_for_cancelled())
        return run

    async def cancel(self, run_id: str) -> Run:
        """Stop a run, of this or of another process; RunConflictError where it has ended.

        The process that executes it is asked, and given time to answer: without an answer the run
        is returned as still running.
        """
        if running := self._running.get(run_id):
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return await self.journal.get_run(run_id)
        await self.journal.fail_interrupted()
        await self.journal.ask_to_cancel(run_id)
        last = (await self.journal.head(run_id)).last
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_SECONDS):
                async for item in self.journal.follow(run_id, after=last):
                    if isinstance(item, Run):
                        return item
        return await self.journal.get_run(run_id)

    async def follow(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the events of a run, those that are stored and then each new one, to its end."""
        async for item in self.journal.follow(run_id):
            yield event_of(item)

    async def archive(self, session_id: str, *, wrapup: bool = False) -> RunSession:
        """Archive a session; `wrapup` also creates a journal entry, once.

        Both or neither: where the entry cannot be made, the session stays as it was. Archiving
        again makes the entry that is missing, of a session that was archived without one too.
        """
        async with self._archiving:
            before = await self.journal.get_session(session_id)
            session = await self.journal.archive_session(session_id)
            if not wrapup or session.entry_id:
                return session
            try:
                entry = await wrap_up_session(self._kb, self.journal, session)
            except BaseException:
                if before.status == "active":
                    await self.journal.reopen_session(session_id)
                raise
            return await self.journal.set_entry(session_id, entry) if entry else session

    async def close(self) -> None:
        """Cancel all runs of this process and wait for them."""
        running = list(self._running.values())
        running += [self._looking] if self._looking else []
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _project(self) -> str:
        kb = self._kb
        return kb.redactor.line(kb.project.name)[:200]

    @property
    def _kb(self) -> KnowledgeBase:
        """The knowledge base as it is now: a server lives on, and other commands are killed."""
        return replace(self._opened)

    async def _check_continued(self, session_id: str, run_id: object) -> None:
        """Raise RecordError where a run to go on from is not one of the session that ended."""
        if run_id is None:
            return
        runs = await self.journal.list_runs(session_id)
        if not any(one.id == run_id and one.status != "running" for one in runs):
            raise RecordError(
                f"{CONTINUED} {str(run_id)[:64]!r} is not an ended run of session {session_id}"
            )

    async def _look_for_cancelled(self) -> None:
        while self._running:
            await asyncio.sleep(_LOOK_SECONDS)
            with contextlib.suppress(CalmError):  # the database may come back
                for run_id in await self.journal.runs_to_cancel():
                    if running := self._running.get(run_id):
                        running.cancel()
