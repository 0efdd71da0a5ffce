"""What a memory's checks stopped on this machine since it is enforced."""

from collections import defaultdict

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.memories.enforcement import Stopped
from calmkb.wings.proof.local.fired_checks import FiredCheck, read_fired


def stopped(kb: KnowledgeBase) -> dict[str, Stopped]:
    """Return by memory what its checks stopped here; memories without any are left out."""
    rows: dict[str, list[FiredCheck]] = defaultdict(list)
    for one in read_fired(kb.environment.own):
        if one.knowledge_base == str(kb.root):
            rows[one.memory].append(one)
    return {memory: _sum(some) for memory, some in rows.items()}


def _sum(rows: list[FiredCheck]) -> Stopped:
    count = [one.outcome for one in rows].count
    return Stopped(
        blocked=count("block"),
        warned=count("warn"),
        passed=count("passed"),
        sessions=len({one.session for one in rows}),
        last=max(one.at for one in rows)[:10],
    )
