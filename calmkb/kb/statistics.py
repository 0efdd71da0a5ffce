"""`stats`: what a knowledge base holds and what became of it, counted from its records."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from calmkb.kb.base import KnowledgeBase
from calmkb.kb.feedback import Counts, counted, feedback_given
from calmkb.kb.helping import helped
from calmkb.kb.sessions import read_contents
from calmkb.model import CATEGORIES, Reflection, SessionView


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over all of a knowledge base.

    `accepted` are proposals that became memories, `merged` those that went into one that stood;
    `review_hours` is the median from a session's end to its review, None where none was reviewed.
    `helped` counts the verdicts on whether each memory helped.
    """

    entries: int
    unreflected: int
    projects: int
    friction_points: int
    memories: dict[str, int]
    reflections: int
    accepted: int
    merged: int
    turned_down: int
    acceptance_rate: float | None
    review_hours: float | None
    feedback: Counts
    helped: dict[str, int]


def statistics(kb: KnowledgeBase) -> Statistics:
    """Return the counts; a knowledge base that does not exist has none of anything."""
    contents = read_contents(kb)
    sessions = contents.sessions
    of_category = Counter(memory.category for memory in contents.memories)
    verdicts = Counter(item.verdict for item in helped(kb, contents).values())
    accepted, merged, turned_down = _decided(contents.reflections)
    decided = accepted + merged + turned_down
    given = feedback_given(kb, contents.memories).values()
    return Statistics(
        entries=len(sessions),
        unreflected=sum(view.reflected_at is None for view in sessions),
        projects=len({view.entry.project_name for view in sessions}),
        friction_points=sum(len(view.entry.friction_points) for view in sessions),
        memories={category: of_category[category] for category in CATEGORIES},
        reflections=len(contents.reflections),
        accepted=accepted,
        merged=merged,
        turned_down=turned_down,
        acceptance_rate=(accepted + merged) / decided if decided else None,
        review_hours=_review_hours(sessions),
        feedback=counted([record for records in given for record in records]),
        helped={name: verdicts[name] for name in sorted(verdicts)},
    )


def _decided(reflections: Sequence[Reflection]) -> tuple[int, int, int]:
    """Return how many proposals were accepted, merged and turned down."""
    return (
        sum(max(r.memories_created, len(r.memories)) for r in reflections),
        sum(len(r.merged) for r in reflections),
        sum(len(r.rejected) for r in reflections),
    )


def _review_hours(sessions: Sequence[SessionView]) -> float | None:
    hours = [
        max(0.0, (view.reflected_at - view.entry.created_at).total_seconds() / 3600)
        for view in sessions
        if view.reflected_at is not None
    ]
    return median(hours) if hours else None
