"""`reflect`: proposals from sessions not reflected on, and the decisions of a review."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from calmkb.documents import record_path, render
from calmkb.errors import CalmError, NotFoundError
from calmkb.kb.base import points
from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.filed import Filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents, session_authors
from calmkb.kb.memories.files import locate
from calmkb.kb.reflect.commit_words import commit_message, undo_command
from calmkb.kb.search.friction import find_trouble
from calmkb.kb.search.methods import method_of
from calmkb.model import (
    SUMMARY_LIMIT,
    Decision,
    Entry,
    Memory,
    Proposal,
    Record,
    Reflection,
    Rejection,
    Theme,
)
from calmkb.model.checks import check_text
from calmkb.model.review.reflections import ANY_EVIDENCE
from calmkb.redact import Redactor
from calmkb.reflect.proposals.decisions import Outcome, check_scope, decide, find_memory
from calmkb.reflect.proposals.from_agents import proposal_of
from calmkb.reflect.proposals.order import differing
from calmkb.reflect.proposals.propose import EXPIRED, Proposals, propose
from calmkb.reflect.statements.statements import Statement, statements_of
from calmkb.store.local.reviews import end_review, load_proposed
from calmkb.store.local.session_logs import delete_logs


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits for a person: the sessions not reflected on, and what they propose.

    `memories` are approved, those of `in_review` wait in pull requests.
    """

    entries: tuple[str, ...]
    statements: tuple[Statement, ...]
    proposals: Proposals
    memories: tuple[Memory, ...]
    in_review: tuple[Memory, ...]

    @property
    def shown(self) -> tuple[Proposal, ...]:
        """The best of what is open: what a person decides on at once, each subject once."""
        return differing(self.proposals.open)

    def outcome(
        self, environment: Environment, decisions: Sequence[Decision], *, reviewer: str = ""
    ) -> Outcome:
        """Return what these decisions would record; CalmError where one fits no open proposal."""
        return decide(
            self.proposals,
            decisions,
            self.statements,
            entries=self.entries,
            existing=self.memories,
            now=environment.now(),
            reviewer=reviewer,
            new_id=environment.new_id,
        )

    def check(self, decision: Decision) -> None:
        """Raise CalmError where a decision could not be applied: its memory, scope or words."""
        if decision.action in ("merge", "replace"):
            find_memory(self.memories, decision)
        offered = (*self.proposals.open, *self.proposals.held)
        for one in (one for one in offered if one.id == decision.proposal_id):
            check_scope(one, decision)
        if decision.text:
            check_text(decision.text, "Memory text", SUMMARY_LIMIT)


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What a review changed: new memories, those with more evidence, and its record.

    `left` counts the proposals that wait on; `undo` is the command that takes its `commit` back.
    """

    memories: tuple[Memory, ...]
    changed: tuple[Memory, ...]
    reflection: Reflection
    logs_deleted: int
    warning: str
    left: int
    commit: str = ""
    undo: str = ""


def pending(
    kb: KnowledgeBase,
    *,
    everything: bool = False,
    also: Sequence[Reflection] = (),
    closed_branch: str = "",
) -> Pending:
    """Return the proposals of the sessions that no reflection has covered; changes nothing.

    What the project's own files say already is held back too. With `everything`, what would be
    held back is proposed, and every session is read, whether a reflection covers it or not; `also`
    are reflections that are about to be recorded, `closed_branch` is one whose review is over. What
    waits in a pull request is not proposed again, and keeps its sessions open.
    """
    kb.catch_up()
    contents = read_contents(kb)
    statements = statements_of(contents.sessions)
    if everything:  # a review covers what it showed; what it held back is still to be had
        statements = [replace(one, fresh=True) for one in statements]
    method = method_of(kb)
    waiting = points.proposals_waiting(kb, without=closed_branch)
    unreflected = {v.entry.id: v.entry for v in contents.sessions if v.reflected_at is None}
    kb.environment.report("Comparing statements", 0, 0)
    with derived_cache(kb) as kept:
        made = propose(
            statements,
            [*contents.memories, *waiting],
            [*contents.reflections, *also],
            duplicate=method.duplicate,
            method=method,
            kept=kept,
            authors=cache(partial(session_authors, kb)),
            everything=everything,
            more=_from_elsewhere(kb, unreflected),
        )
    kb.environment.report("Comparing statements", 1, 1)
    held = {source for memory in waiting for source in memory.sources}
    entries = tuple(entry for entry in unreflected if entry not in held)
    made = points.proposals_judged(kb, made, contents, everything=everything)
    return Pending(entries, tuple(statements), made, contents.memories, waiting)


def _from_elsewhere(kb: KnowledgeBase, unreflected: Mapping[str, Entry]) -> list[Proposal]:
    """Return the proposals of analysts and agents."""
    proposed = load_proposed(kb.environment.state, kb.root)
    return [*points.proposals_added(kb, unreflected), *map(proposal_of, proposed)]


def apply(
    kb: KnowledgeBase, waiting: Pending, decisions: Sequence[Decision], *, reviewed_by: str
) -> ReviewResult:
    """Commit the accepted memories and the reflection record in one act, then drop the raw logs.

    `reviewed_by` is the person who decided.
    Raises CalmError on a decision that fits no open proposal, and where nothing was decided.
    """
    redactor = kb.redactor.knowing(f"{one.text}\n{one.reason}" for one in decisions)
    cleaned = [without_secrets(one, redactor) for one in decisions]
    if not decisions:
        raise CalmError("nothing was decided, so nothing was written; accept or reject something")
    outcome = waiting.outcome(kb.environment, cleaned, reviewer=reviewed_by)
    made = tuple(points.memory_made(kb, memory) for memory in outcome.memories)
    outcome = replace(outcome, memories=made)
    record = outcome.reflection
    records: list[Record] = [*outcome.memories, record]
    files = {record_path(item): render(item).encode() for item in records}
    filed = _filed(kb, outcome.changed, waiting.memories)
    files |= {at.path: render(m).encode() for at, m in zip(filed, outcome.changed, strict=True)}
    expected = {path: blob for item in filed for path, blob in item.expected.items()}
    done = kb.save(files, commit_message(record), record.created_at, expected=expected)
    deleted = delete_logs(kb.environment.state, record.entries)
    points.sessions_done(kb, record.entries)
    end_review(kb.environment.state, kb.root, _decided(waiting.proposals, decisions))
    left = {one.id for one in waiting.proposals.open} - {one.proposal_id for one in decisions}
    return ReviewResult(
        outcome.memories, outcome.changed, record, deleted, done.warning, len(left),
        commit=done.id, undo=undo_command(kb, done.id),
    )  # fmt: skip


def without_secrets(decision: Decision, redactor: Redactor) -> Decision:
    """Return a decision fit to be kept."""
    text, reason = redactor.text(decision.text).strip(), redactor.line(decision.reason)
    return replace(decision, text=text, reason=reason)


def dismiss_trouble(kb: KnowledgeBase, prefix: str, *, reviewed_by: str) -> tuple[Theme, str]:
    """Record that a trouble is none; return it, and the command that takes that back.

    Raises NotFoundError where no trouble, or more than one, has an id that begins so.
    """
    found = find_trouble(kb, prefix)
    if found is None:
        raise NotFoundError(f"{prefix!r} is no trouble; its page on the site names its id")
    away = Rejection(text=found.evidence[0].quote, evidence=ANY_EVIDENCE, reason="not a trouble")
    now, new_id = kb.environment.now(), kb.environment.new_id()
    record = Reflection(id=new_id, created_at=now, reviewed_by=reviewed_by, rejected=(away,))
    message = f"reflect: a trouble dismissed\n\nCalm-Reflection: {record.id}\n"
    done = kb.save({record_path(record): render(record).encode()}, message, now)
    return found, undo_command(kb, done.id)


def _decided(proposals: Proposals, decisions: Sequence[Decision]) -> list[str]:
    """Return the ids of agents' proposals to drop: decided on, late, known or rejected before."""
    taken = {one.proposal_id for one in decisions if one.action != "skip"}
    offered = (*proposals.open, *proposals.held)
    asked = [one for one in offered if one.id in taken or one.held == EXPIRED]
    gone = (*asked, *proposals.known, *proposals.rejected)
    return [identity for one in gone for identity in one.waiting]


def _filed(
    kb: KnowledgeBase, changed: Sequence[Memory], approved: Sequence[Memory]
) -> list[Filed[Memory]]:
    """Return where each memory that took evidence lies; CalmError where one has changed since."""
    known = {memory.id: memory for memory in approved}
    filed = [locate(kb, memory.id) for memory in changed]
    for item in filed:
        if item.record != known[item.record.id]:
            raise CalmError(
                f"memory {item.record.id[:8]} has changed since it was shown; "
                "run `calmkb reflect` again"
            )
    return filed
