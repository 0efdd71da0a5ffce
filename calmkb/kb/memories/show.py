"""`memory show` and `memory list`: memories with their confidence and feedback."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.approval import approval_of, approvals
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.model import Approval, Feedback, FeedbackCounts, Memory, Standing
from calmkb.reflect.memories.confidence import current_confidence

if TYPE_CHECKING:
    from calmkb.kb.memories.recalled import Recalled
    from calmkb.model.memories.backtest import Backtest
    from calmkb.model.memories.enforcement import NamedState, Stopped


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """A memory, its confidence today, its feedback, who approved it, and what replaced it.

    `in_conflict` where it was edited in two places: this is one version of several.
    """

    memory: Memory
    standing: Standing
    counts: FeedbackCounts
    approval: Approval
    replaced_by: str = ""
    in_conflict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDetails:
    """All that is known of a memory; `used` is when feedback last given that it helped.

    `stopped` is what its checks did on this machine, `recalled` how often it was given there.
    """

    status: MemoryStatus
    path: str
    superseded_by: tuple[str, ...]
    used: datetime | None
    backtest: "Backtest"
    recalled: "Recalled"
    anchors: "tuple[NamedState, ...]" = ()
    stopped: "Stopped | None" = None


def list_statuses(
    kb: KnowledgeBase, *, category: str | None = None, limit: int = 50
) -> tuple[MemoryStatus, ...]:
    """Return memories, newest first, with their status."""
    contents = read_contents(kb, "memory")
    undecided = {memory.id for memory in contents.undecided}
    memories = sorted(
        [*contents.memories, *contents.undecided], key=lambda m: (m.created_at, m.id), reverse=True
    )
    given = feedback_given(kb, memories)
    chosen = [m for m in memories if category in (None, m.category)][:limit]
    approved = approvals(kb, chosen)
    newer = {m.supersedes: m.id for m in memories if m.supersedes}
    found = (status(kb, m, given.get(m.id, ()), approved[m.id]) for m in chosen)
    return tuple(
        replace(
            one, replaced_by=newer.get(one.memory.id, ""), in_conflict=one.memory.id in undecided
        )
        for one in found
    )


def memory_details(kb: KnowledgeBase, prefix: str) -> MemoryDetails:
    """Return the memory whose id begins so; NotFoundError where none or many do."""
    from calmkb.kb.memories.backtest import backtests
    from calmkb.kb.memories.files import locate
    from calmkb.kb.memories.recalled import recalled_in

    filed = locate(kb, prefix)
    contents = read_contents(kb)
    # As every list has it: the evidence cites the newest words on each session.
    memory = next((one for one in contents.memories if one.id == filed.record.id), filed.record)
    given = feedback_given(kb, contents.memories).get(memory.id, ())
    newer = tuple(m.id for m in contents.memories if m.supersedes == memory.id)
    known = status(kb, memory, given, approval_of(kb, memory))
    (test,) = backtests(kb, [memory], contents)
    return MemoryDetails(
        status=replace(known, replaced_by=next(iter(newer), "")),
        path=filed.path,
        superseded_by=newer,
        used=max((f.created_at for f in given if f.verdict == "helpful"), default=None),
        backtest=test,
        anchors=tuple(points.names_of(kb, [memory]).get(memory.id, ())),
        stopped=points.calls_stopped(kb).get(memory.id),
        recalled=recalled_in(kb, [memory], [test])[0],
    )


def status(
    kb: KnowledgeBase, memory: Memory, given: Sequence[Feedback], approval: Approval
) -> MemoryStatus:
    """Return the status of a memory with this feedback."""
    return MemoryStatus(memory, confidence_of(kb, memory, given), counted(given), approval)


def confidence_of(kb: KnowledgeBase, memory: Memory, given: Sequence[Feedback]) -> Standing:
    """Return the confidence in a memory today."""
    days = kb.config.reflect.half_life_days
    return current_confidence(memory, given, now=kb.environment.now(), half_life_days=days)
