"""What a reflection says beside its proposals: whom they contradict, what they would have saved."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.memories.approval import approvals
from calmkb.kb.memories.backtest import backtests
from calmkb.model import Approval, Memory, Verdict
from calmkb.reflect.proposals.propose import Proposals


def with_approvals(kb: KnowledgeBase, made: Proposals, memories: Sequence[Memory]) -> Proposals:
    """Return the proposals, each noting where git contradicts a memory like it."""
    made = _without_proposed_conflicts(made, {memory.id for memory in memories})
    named = {one.verdict.other for one in made.open}
    found = approvals(kb, [memory for memory in memories if memory.id in named])
    return _with_contradictions(made, found)


def _without_proposed_conflicts(made: Proposals, approved: set[str]) -> Proposals:
    """Return the proposals without conflicts with memories that are themselves only proposed."""
    opened = tuple(
        replace(one, verdict=Verdict())
        if one.verdict.kind == "conflict" and one.verdict.other not in approved
        else one
        for one in made.open
    )
    return replace(made, open=opened)


def _with_contradictions(made: Proposals, found: Mapping[str, Approval]) -> Proposals:
    """Return the proposals, each noting where git contradicts the approval of a similar memory."""
    forged = {memory_id: one.words for memory_id, one in found.items() if one.differs}
    opened = tuple(
        replace(one, verdict=replace(one.verdict, approval=forged[one.verdict.other]))
        if one.verdict.other in forged
        else one
        for one in made.open
    )
    return replace(made, open=opened)


def with_proof(kb: KnowledgeBase, made: Proposals, contents: Contents, *, shown: int) -> Proposals:
    """Return the proposals, the first `shown` with what they speak of and would have saved."""
    first = made.open[:shown]
    tests = {test.id: test for test in backtests(kb, first, contents)}
    tested = [replace(one, backtest=tests.get(one.id)) for one in first]
    tested = points.proposals_shown(kb, tested)
    return replace(made, open=(*tested, *made.open[len(tested) :]))
