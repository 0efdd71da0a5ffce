"""What a memory's checks stopped on this machine since it is enforced."""

from collections import defaultdict
from dataclasses import dataclass

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.words import counted
from calmkb.store.local.enforcement.fired_checks import FiredCheck, read_fired


@dataclass(frozen=True, slots=True)
class Stopped:
    """How many calls a memory's checks blocked and warned of, and how many a person let pass.

    `sessions` counts the sessions of these calls; `last` is the day of the last one, YYYY-MM-DD.
    """

    blocked: int
    warned: int
    passed: int
    sessions: int
    last: str

    @property
    def words(self) -> str:
        """Such as "blocked 3 calls, let 1 pass, in 2 sessions; the last on 2026-11-20"."""
        parts = [
            f"{verb} {counted(number, 'call')}"
            for verb, number in (("blocked", self.blocked), ("warned of", self.warned))
            if number
        ]
        parts += [f"let {self.passed} pass"] if self.passed else []
        return (
            f"{', '.join(parts)}, in {counted(self.sessions, 'session')}; the last on {self.last}"
        )


def stopped(kb: KnowledgeBase) -> dict[str, Stopped]:
    """Return by memory what its checks stopped here; memories without any are left out."""
    rows: dict[str, list[FiredCheck]] = defaultdict(list)
    for one in read_fired(kb.environment.state):
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
