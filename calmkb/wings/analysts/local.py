"""What analysts answered, kept on this machine until a review has covered their sessions."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from calmkb.store.local.reviews import place_of, save_or_drop
from calmkb.store.local.state_files import load, records_of
from calmkb.wings.analysts.questions import Insight


@dataclass(frozen=True, slots=True)
class AnalystAnswers:
    """What analysts found, and the ids of the sessions that they have read."""

    insights: tuple[Insight, ...] = ()
    read: frozenset[str] = frozenset()

    def without(self, entries: Collection[str]) -> "AnalystAnswers":
        """Return what is left once these sessions are reflected on."""
        left = tuple(one for one in self.insights if one.session not in entries)
        return AnalystAnswers(left, self.read.difference(entries))


def save_answers(state: Path, root: Path, answers: AnalystAnswers) -> None:
    """Keep the answers into the knowledge base at `root`; none removes the file."""
    kept = {"read": sorted(answers.read), "insights": answers.insights}
    save_or_drop(place_of(state, root, ".insights"), kept if any(kept.values()) else None)


def load_answers(state: Path, root: Path) -> AnalystAnswers:
    """Return the answers kept; none where there are none or the file is not ours."""
    kept = load(place_of(state, root, ".insights"))
    kept = kept if isinstance(kept, dict) else {}
    insights = records_of(Insight, kept.get("insights"))
    read = kept.get("read")
    return AnalystAnswers(
        tuple(one for one in insights if 0 <= one.importance <= 1),
        frozenset(one for one in (read if isinstance(read, list) else []) if isinstance(one, str)),
    )
