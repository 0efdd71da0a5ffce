"""`reflect`: proposals from what is not yet reflected on, and what a review makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from calmkb.documents import record_path, render
from calmkb.errors import CalmError, RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import list_sessions, read_contents
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.files import Filed, locate
from calmkb.kb.reflect.in_review import in_review
from calmkb.kb.search.methods import method_of
from calmkb.kb.search.term_counts import recalling
from calmkb.model import (
    Decision,
    Memory,
    Problem,
    Proposal,
    Record,
    Reflection,
    SessionView,
    Verdict,
    check_uuid,
)
from calmkb.reflect.analysts.answers import proposals_from
from calmkb.reflect.proposals.decisions import decide, find_standing
from calmkb.reflect.proposals.from_agents import proposal_of
from calmkb.reflect.proposals.propose import Proposals, propose
from calmkb.reflect.proposals.statements import Statement, statements_of
from calmkb.store.local.agent_proposals import drop_proposed, load_proposed
from calmkb.store.local.analyst_answers import load_insights, save_insights
from calmkb.store.local.open_reviews import save_review
from calmkb.store.local.session_logs import delete_logs


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits for a person: the sessions not reflected on, and what they propose.

    `memories` stand, those of `in_review` wait in pull requests.
    """

    entries: tuple[str, ...]
    statements: tuple[Statement, ...]
    proposals: Proposals
    memories: tuple[Memory, ...]
    in_review: tuple[Memory, ...]
    problems: tuple[Problem, ...]

    def check(self, decision: Decision) -> None:
        """Raise CalmError where a decision names a memory that is not there."""
        if decision.action == "merge":
            find_standing(self.memories, decision)


@dataclass(frozen=True, slots=True)
class Reflected:
    """What a review left: new memories, those that took more evidence, the record of it all."""

    memories: tuple[Memory, ...]
    changed: tuple[Memory, ...]
    reflection: Reflection
    logs_deleted: int
    warning: str


@dataclass(frozen=True, slots=True)
class Marked:
    """How many entries were newly covered, and how many raw logs went."""

    marked_count: int
    logs_deleted: int


def pending(
    kb: KnowledgeBase,
    *,
    everything: bool = False,
    also: Sequence[Reflection] = (),
    settled: str = "",
) -> Pending:
    """Return the proposals of the sessions that no reflection has covered; changes nothing.

    With `everything`, what would be held back is proposed too; `also` are reflections that are
    about to be recorded, `settled` names a branch whose review is over. What waits in a pull
    request is not proposed again, and keeps its sessions open.
    """
    kb.catch_up()
    watch = partial(kb.environment.report, "Comparing statements")
    contents = read_contents(kb)
    statements = statements_of(contents.sessions)
    method = method_of(kb)
    waiting = in_review(kb, without=settled)
    made = propose(
        statements,
        [*contents.memories, *waiting],
        [*contents.reflections, *also],
        theme=method.theme,
        duplicate=method.duplicate,
        method=method,
        recall=recalling(kb, method, watch),
        watch=watch,
        everything=everything,
        more=[*_insights(kb, contents.sessions), *_proposed(kb)],
    )
    held = {source for memory in waiting for source in memory.sources}
    fresh = (v.entry.id for v in contents.sessions if v.reflected_at is None)
    entries = tuple(entry for entry in fresh if entry not in held)
    made = _replacing_only(made, {memory.id for memory in contents.memories})
    made = _with_approvals(kb, made, contents.memories)
    return Pending(entries, tuple(statements), made, contents.memories, waiting, contents.problems)


def _replacing_only(made: Proposals, standing: set[str]) -> Proposals:
    """Return the proposals, none of them against a memory that is itself only proposed."""
    opened = tuple(
        replace(one, verdict=Verdict())
        if one.verdict.kind == "conflict" and one.verdict.other not in standing
        else one
        for one in made.open
    )
    return replace(made, open=opened)


def _with_approvals(kb: KnowledgeBase, made: Proposals, memories: Sequence[Memory]) -> Proposals:
    """Return the proposals, each telling of a forged approval of the memory that it is near to."""
    named = {one.verdict.other for one in made.open}
    found = approvals(kb, [memory for memory in memories if memory.id in named])
    forged = {identity: one.words for identity, one in found.items() if one.differs}
    opened = tuple(
        replace(one, verdict=replace(one.verdict, approval=forged[one.verdict.other]))
        if one.verdict.other in forged
        else one
        for one in made.open
    )
    return replace(made, open=opened)


def _insights(kb: KnowledgeBase, sessions: Sequence[SessionView]) -> list[Proposal]:
    """Return what analysts said of the sessions that still wait."""
    kept = load_insights(kb.environment.state, kb.root)
    waiting = {view.entry.id: view.entry for view in sessions if view.reflected_at is None}
    return proposals_from(kept, waiting) if kept else []


def _proposed(kb: KnowledgeBase) -> list[Proposal]:
    """Return what agents proposed."""
    return [proposal_of(memory) for memory in load_proposed(kb.environment.state, kb.root)]


def apply(
    kb: KnowledgeBase, waiting: Pending, decisions: Sequence[Decision], *, reviewed_by: str
) -> Reflected:
    """Commit the accepted memories and the reflection record in one act, then drop the raw logs.

    `reviewed_by` is the person who decided; empty where there was nothing to decide.
    Raises CalmError on a decision that fits no open proposal, and where nothing was decided.
    """
    redactor = kb.redactor().knowing(f"{one.text}\n{one.reason}" for one in decisions)
    cleaned = [
        replace(
            decision,
            text=redactor.text(decision.text).strip(),
            reason=redactor.line(decision.reason),
        )
        for decision in decisions
    ]
    outcome = decide(
        waiting.proposals,
        cleaned,
        waiting.statements,
        entries=waiting.entries,
        standing=waiting.memories,
        now=kb.environment.now(),
        reviewer=reviewed_by,
        new_id=kb.environment.new_id,
    )
    record = outcome.reflection
    if not (record.entries or record.memories or record.merged or record.rejected):
        raise CalmError("nothing was decided, so nothing was written; accept or reject something")
    records: list[Record] = [*outcome.memories, record]
    files = {record_path(item): render(item).encode() for item in records}
    filed = _filed(kb, outcome.changed, waiting.memories)
    files |= {at.path: render(m).encode() for at, m in zip(filed, outcome.changed, strict=True)}
    expected = {path: blob for item in filed for path, blob in item.expected.items()}
    done = kb.save(files, _message(record), record.created_at, expected=expected)
    deleted = delete_logs(kb.environment.state, record.entries)
    save_review(kb.environment.state, kb.root, ())
    insights = load_insights(kb.environment.state, kb.root)
    save_insights(
        kb.environment.state,
        kb.root,
        [one for one in insights if one.session not in record.entries],
    )
    drop_proposed(kb.environment.state, kb.root, _decided(waiting.proposals, decisions))
    return Reflected(outcome.memories, outcome.changed, record, deleted, done.warning)


def _decided(proposals: Proposals, decisions: Sequence[Decision]) -> list[str]:
    """Return the ids of agents' proposals that no longer wait: decided, known, rejected before."""
    taken = {one.proposal_id for one in decisions if one.action != "skip"}
    asked = [one for one in (*proposals.open, *proposals.held) if one.id in taken]
    gone = (*asked, *proposals.known, *proposals.rejected)
    return [identity for one in gone for identity in one.waiting]


def _filed(kb: KnowledgeBase, changed: Sequence[Memory], standing: Sequence[Memory]) -> list[Filed]:
    """Return where each memory that took evidence lies; CalmError where one has changed since."""
    known = {memory.id: memory for memory in standing}
    filed = [locate(kb, memory.id) for memory in changed]
    for item in filed:
        if item.memory != known[item.memory.id]:
            raise CalmError(
                f"memory {item.memory.id[:8]} has changed since it was shown; "
                "run `calmkb reflect` again"
            )
    return filed


def mark_reflected(
    kb: KnowledgeBase,
    entry_ids: Sequence[str],
    *,
    memories_created: int = 0,
    delete_logs_too: bool = True,
) -> Marked:
    """Record that an agent's reflection covered these entries; known and new ones alone count.

    It names no reviewer: nobody was asked.

    Raises RecordError on an id that is no UUID, a negative count, or no id at all.
    """
    if not entry_ids:
        raise RecordError("entry_ids is empty; give at least one id")
    for entry_id in entry_ids:
        check_uuid(entry_id, "entry id")
    if memories_created < 0:
        raise RecordError(f"memories_created is {memories_created}; it cannot be below 0")
    kb.catch_up()
    waiting = {view.entry.id for view in list_sessions(kb, unreflected=True)[0]}
    covered = tuple(dict.fromkeys(entry_id for entry_id in entry_ids if entry_id in waiting))
    if not covered:
        return Marked(0, 0)
    record = Reflection(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        entries=covered,
        memories_created=memories_created,
    )
    message = _message(record, memories_created)
    kb.save({record_path(record): render(record).encode()}, message, record.created_at)
    deleted = delete_logs(kb.environment.state, covered) if delete_logs_too else 0
    return Marked(len(covered), deleted)


def _message(record: Reflection, created: int | None = None) -> str:
    memories = _counted(len(record.memories) if created is None else created, "memory", "memories")
    sessions = _counted(len(record.entries), "session", "sessions")
    subject = f"reflect: {memories} from {sessions}"
    return f"{subject}\n\nCalm-Reflection: {record.id}\n"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
