"""The run journal against a plain model of it, step by step, on both engines."""

import asyncio
import itertools
import os
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from calmkb.errors import NotFoundError, RunConflictError, StoreError
from calmkb.wings.runs.context import context_of
from calmkb.wings.runs.model import ENTRY_TYPES, Message, Run
from calmkb.wings.runs.store.entries import INTERRUPTED
from calmkb.wings.runs.store.store import open_journal
from calmkb.wings.runs.store.values import plain

SOAK = bool(os.environ.get("CALMKB_SOAK"))
NAMES = (f"model-{n}" for n in itertools.count())
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
DATA = st.dictionaries(
    st.text(max_size=4),
    st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=3), max_leaves=4),
    max_size=3,
)


@dataclass
class ModelRun:
    id: str
    number: int
    task: str
    owner: int
    status: str = "running"
    result: object = None
    summary: str | None = None
    entries: list[tuple[str, object, int | None]] = field(default_factory=list)

    def running(self) -> bool:
        return self.status == "running"


@dataclass
class ModelSession:
    id: str
    title: str
    status: str = "active"
    runs: list[ModelRun] = field(default_factory=list)
    deleted: bool = False


class Follower:
    """Reads a run into a list, as a client would, and remembers where it began."""

    def __init__(self, journal, session: ModelSession, run: ModelRun, after: int) -> None:
        self.session, self.run, self.after, self.seen = session, run, after, []
        self.came = asyncio.Event()
        self.task = asyncio.create_task(self._read(journal))

    async def _read(self, journal):
        async for item in journal.follow(self.run.id, after=self.after):
            self.seen.append(item)
            self.came.set()

    def expected(self) -> int:
        return max(len(self.run.entries) - self.after, 0) + (self.run.status != "running")

    async def caught_up(self):
        async with asyncio.timeout(30):
            while len(self.seen) < self.expected():
                await asyncio.wait(
                    [self.task, asyncio.ensure_future(self.came.wait())],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                assert not (self.task.done() and self.task.exception()), self.task.exception()
                self.came.clear()
        self.check()

    def check(self):
        *entries, end = self.seen if self.run.status != "running" else [*self.seen, None]
        numbers = [one.sequence_number for one in entries]
        assert numbers == list(range(self.after + 1, self.after + 1 + len(entries)))
        assert [told(one) for one in entries] == self.run.entries[self.after :]
        assert end is None or (isinstance(end, Run) and end.status == self.run.status)


def told(entry):
    return (entry.entry_type, entry.data, entry.step_number)


class JournalMachine(RuleBasedStateMachine):
    """Two processes' journals on one database; a crash lets go of all and leaves runs running."""

    url = ""
    sessions = Bundle("sessions")
    runs = Bundle("runs")
    followers = Bundle("followers")

    def __init__(self):
        super().__init__()
        self.loop = asyncio.Runner()
        self.known: list[ModelSession] = []
        self.following: list[Follower] = []

    def do(self, work):
        return self.loop.run(work)

    @initialize()
    def begin(self):
        self.name = next(NAMES)
        self.owners = itertools.count(2)
        self.journals = [self.do(open_journal(self.url)) for _ in range(2)]
        self.owner = [0, 1]

    @rule(target=sessions, which=st.integers(0, 1), title=st.text(max_size=9))
    def create_session(self, which, title):
        made = self.do(self.journals[which].create_session(self.name, title=title))
        self.known.append(ModelSession(made.id, plain(title, "")))
        return self.known[-1]

    @rule(target=runs, which=st.integers(0, 1), session=sessions, task=st.text(max_size=9))
    def start_run(self, which, session, task):
        work = self.journals[which].start_run(session.id, task, config={"maxSteps": 3})
        if self.refused(work, session, archived=session.status == "archived"):
            return multiple()
        made = self.made
        assert made.run_number == len(session.runs) + 1 and made.config == {"maxSteps": 3}
        run = ModelRun(made.id, made.run_number, plain(task, ""), self.owner[which])
        session.runs.append(run)
        return (session, run)

    @rule(
        which=st.integers(0, 1), at=runs, kind=st.sampled_from(ENTRY_TYPES), data=DATA,
        step=st.none() | st.integers(0, 9), count=st.integers(1, 4),
    )  # fmt: skip
    def append(self, which, at, kind, data, step, count):
        session, run = at

        async def many():
            append = self.journals[which].append
            return await asyncio.gather(
                *(append(run.id, kind, data, step_number=step) for _ in range(count))
            )

        if self.refused(many(), session, ended=run.status != "running"):
            return
        first = len(run.entries) + 1
        assert [one.sequence_number for one in self.made] == list(range(first, first + count))
        run.entries += [(kind, plain(data, ""), step)] * count

    @rule(which=st.integers(0, 1), at=runs, status=st.sampled_from(["completed", "failed"]))
    def finish(self, which, at, status):
        session, run = at
        work = self.journals[which].finish_run(run.id, status, result={"message": run.task})
        if not self.refused(work, session, ended=run.status != "running"):
            run.status, run.result = status, {"message": run.task}
            assert self.made.status == status

    @rule(which=st.integers(0, 1), at=runs, summary=st.text(max_size=9))
    def summarise(self, which, at, summary):
        session, run = at
        work = self.journals[which].set_context_summary(run.id, summary)
        if not self.refused(work, session):
            run.summary = plain(summary, "")

    @rule(which=st.integers(0, 1), session=sessions)
    def archive(self, which, session):
        running = any(run.status == "running" for run in session.runs)
        if not self.refused(
            self.journals[which].archive_session(session.id), session, busy=running
        ):
            session.status = "archived"

    @rule(which=st.integers(0, 1), session=sessions)
    def delete(self, which, session):
        running = any(run.status == "running" for run in session.runs)
        work = self.journals[which].delete_session(session.id)
        if not self.refused(work, session, busy=running):
            session.deleted = True
            for one in [one for one in self.following if one.session is session]:
                self.gone(one, NotFoundError)

    @rule(which=st.integers(0, 1), at=runs, after=st.integers(0, 5))
    def subscribe(self, which, at, after):
        session, run = at
        if not session.deleted:
            self.following.append(self.do(self.follower(which, session, run, after)))

    @rule(which=st.integers(0, 1))
    def unsubscribe(self, which):
        for one in self.following[which::2]:
            one.task.cancel()
        self.following = [one for n, one in enumerate(self.following) if n % 2 != which]

    @rule(which=st.integers(0, 1), again=st.integers(1, 2))
    def crash_and_resume(self, which, again):
        """Let a process go with its runs running; its clients come back where they were."""
        lost = [one for one in self.following if one.journal is self.journals[which]]
        self.do(self.journals[which].close())
        for one in lost:
            self.gone(one, StoreError)
        self.journals[which] = self.do(open_journal(self.url))
        dead, self.owner[which] = self.owner[which], next(self.owners)
        interrupted = [run for run in self.all_runs() if run.owner == dead and run.running()]
        told_dead = []
        for _ in range(100):  # a server needs a moment to see that a client is gone
            for n in range(again):
                found = self.do(self.journals[(which + n) % 2].fail_interrupted())
                told_dead += [one for one in found if one.agent_type == self.name]
            if len(told_dead) >= len(interrupted):
                break
        assert sorted(one.id for one in told_dead) == sorted(run.id for run in interrupted)
        for run in interrupted:
            step = max((step or 0 for _, _, step in run.entries), default=0)
            run.status, run.result = "failed", {"error": INTERRUPTED}
            run.entries.append(("run:error", {"error": INTERRUPTED, "stepNumber": step}, step))
        for one in lost:
            after = one.after + sum(not isinstance(item, Run) for item in one.seen)
            back = self.do(self.follower(which, one.session, one.run, after))
            self.following.append(back)

    @rule(session=sessions)
    def context(self, session):
        """Compare what the next run is told with what the model says it should be."""
        if not session.deleted:
            said = self.do(self.context_now(session.id)).recent_messages
            done = [run for run in session.runs if run.status == "completed"][-3:]
            assert list(said) == [message for run in done for message in messages(run)]

    @invariant()
    def followers_have_seen_all_there_is(self):
        for one in self.following:
            self.do(one.caught_up())

    def teardown(self):
        if hasattr(self, "journals"):
            for session in self.known:
                self.check(session)
            listed = self.do(self.journals[0].list_sessions(agent_type=self.name))
            kept = [one.id for one in self.known if not one.deleted]
            assert sorted(one.id for one in listed) == sorted(kept)
            for one in self.following:
                one.task.cancel()
            for journal in self.journals:
                self.do(journal.close())
        self.loop.close()

    def refused(self, work, session, *, archived=False, ended=False, busy=False) -> bool:
        """Do work and keep what it made; where the model forbids it, check that it is refused."""
        kind = NotFoundError if session.deleted else RunConflictError
        if session.deleted or archived or ended or busy:
            with pytest.raises(kind):
                self.do(work)
            return True
        self.made = self.do(work)
        return False

    def gone(self, follower, kind):
        self.following.remove(follower)
        if follower.run.status != "running":
            return  # it had seen the end

        async def wait():
            with pytest.raises(kind):
                await asyncio.wait_for(follower.task, 30)

        self.do(wait())

    def all_runs(self):
        return [run for session in self.known if not session.deleted for run in session.runs]

    async def follower(self, which, session, run, after):
        one = Follower(self.journals[which], session, run, min(after, len(run.entries)))
        one.journal = self.journals[which]
        return one

    async def context_now(self, session_id):
        journal = self.journals[0]
        every = await journal.list_runs(session_id)
        runs = [run for run in every if run.status == "completed"]
        return context_of([(run, await journal.entries(run.id)) for run in runs[-3:]])

    def check(self, session):
        journal = self.journals[1]
        if session.deleted:
            with pytest.raises(NotFoundError):
                self.do(journal.get_session(session.id))
            return
        kept = self.do(journal.get_session(session.id))
        assert (kept.title, kept.status) == (session.title, session.status)
        runs = self.do(journal.list_runs(session.id))
        for run, model in zip(runs, session.runs, strict=True):
            assert (run.id, run.run_number, run.task, run.status, run.result) == (
                model.id, model.number, model.task, model.status, model.result,
            )  # fmt: skip
            assert run.context_summary == model.summary
            assert [told(one) for one in self.do(journal.entries(run.id))] == model.entries


def messages(run):
    yield Message(role="user", content=run.task)
    for kind, data, _ in run.entries:
        said = {
            "text": str(data.get("text") or ""),
            "tool:complete": " ".join(
                ["[Tool: " + str(data.get("toolName", "")) + "]", str(data.get("summary", ""))]
            ).rstrip(),
            "run:complete": str(data.get("message") or ""),
        }.get(kind)
        if said:
            yield Message(role="assistant", content=said)


def test_the_journal_does_what_its_model_does(journal_url):
    machine = type("Machine", (JournalMachine,), {"url": journal_url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=150 if SOAK else 6,
            stateful_step_count=50 if SOAK else 25,
            derandomize=not SOAK,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
