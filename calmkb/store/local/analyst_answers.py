"""Analysts' answers on sessions that wait for a review, kept on this machine until it is done."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from calmkb.model import CATEGORIES, Insight
from calmkb.store.local.open_reviews import place_of
from calmkb.system.files import write_atomically

_TEXTS = ("content", "category", "analyst", "reasoning", "session")


def save_insights(state: Path, root: Path, insights: Sequence[Insight]) -> None:
    """Keep the insights into the knowledge base at `root`; none removes the file."""
    path = place_of(state, root, ".insights")
    if not insights:
        path.unlink(missing_ok=True)
        return
    text = json.dumps([asdict(item) for item in insights], ensure_ascii=False, indent=1)
    write_atomically(path, text.encode(errors="replace"), mode=0o600)


def load_insights(state: Path, root: Path) -> list[Insight]:
    """Return the insights kept; none where there are none or the file is not ours."""
    try:
        rows = json.loads(place_of(state, root, ".insights").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [
        Insight(importance=row["importance"], **{key: row[key] for key in _TEXTS})
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and _sound(row)
    ]


def _sound(row: dict[str, Any]) -> bool:
    number = row.get("importance")
    return (
        all(isinstance(row.get(key), str) for key in _TEXTS)
        and row["category"] in CATEGORIES
        and isinstance(number, int | float)
        and 0 <= number <= 1
    )
