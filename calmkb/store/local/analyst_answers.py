"""Analysts' answers on sessions that wait for a review, kept on this machine until it is done."""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from calmkb.model import CATEGORIES, Insight
from calmkb.store.local.open_reviews import place_of
from calmkb.system.files import read_json, write_atomically

_TEXTS = ("content", "category", "analyst", "reasoning", "session", "quote")


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
    path = place_of(state, root, ".insights")
    if not answers.insights and not answers.read:
        path.unlink(missing_ok=True)
        return
    rows = [asdict(item) for item in answers.insights]
    kept = {"read": sorted(answers.read), "insights": rows}
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    write_atomically(path, text.encode(errors="replace"), mode=0o600)


def load_answers(state: Path, root: Path) -> AnalystAnswers:
    """Return the answers kept; none where there are none or the file is not ours."""
    kept = read_json(place_of(state, root, ".insights"))
    rows, read = (kept.get("insights"), kept.get("read")) if isinstance(kept, dict) else ([], [])
    return AnalystAnswers(
        tuple(
            Insight(importance=row["importance"], **{key: row[key] for key in _TEXTS})
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, dict) and _sound(row)
        ),
        frozenset(one for one in read if isinstance(one, str))
        if isinstance(read, list)
        else frozenset(),
    )


def _sound(row: dict[str, Any]) -> bool:
    number = row.get("importance")
    return (
        all(isinstance(row.get(key), str) for key in _TEXTS)
        and row["category"] in CATEGORIES
        and isinstance(number, int | float)
        and 0 <= number <= 1
    )
