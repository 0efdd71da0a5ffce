"""Decisions of a review that was left half-way: kept on this machine until they are applied.

Each is kept under the id of its proposal, which changes with the words and the evidence: what was
approved is what will be written, or the question comes again.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from calmkb.model import ACTIONS, CATEGORIES, Decision
from calmkb.system.files import read_json, write_atomically

_TEXTS = ("proposal_id", "action", "text", "reason", "into")


def save_review(
    state: Path, root: Path, acts: Sequence[Sequence[Decision]], name: str = ""
) -> None:
    """Keep the decisions taken so far on the knowledge base at `root`; none removes the file.

    They are kept in their order, those of one act together, so that each act can be undone.

    Raises StoreError where the disk refuses.
    """
    path = place_of(state, root, name)
    if not acts:
        path.unlink(missing_ok=True)
        return
    rows = [asdict(item) | {"act": n} for n, made in enumerate(acts) for item in made]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    write_atomically(path, text.encode(errors="replace"), mode=0o600, durable=False)


def load_review(state: Path, root: Path, name: str = "") -> list[list[Decision]]:
    """Return the acts kept; none where there are none or the file is not ours."""
    rows = read_json(place_of(state, root, name))
    acts: dict[str, list[Decision]] = {}
    for place, row in enumerate(rows if isinstance(rows, list) else []):
        if isinstance(row, dict) and _is_sound(row):
            acts.setdefault(str(row.get("act", -place - 1)), []).append(_decision(row))
    return list(acts.values())


def _decision(row: dict[str, Any]) -> Decision:
    return Decision(
        **{key: row[key] for key in _TEXTS},
        category=row.get("category"),
        importance=row.get("importance"),
    )


def _is_sound(row: dict[str, Any]) -> bool:
    number = row.get("importance")
    return (
        all(isinstance(row.get(key), str) for key in _TEXTS)
        and row["action"] in ACTIONS
        and row.get("category") in (None, *CATEGORIES)
        and (number is None or (isinstance(number, int | float) and 0 <= number <= 1))
    )


def place_of(state: Path, root: Path, kind: str = "") -> Path:
    """Return where this machine keeps what waits for a review of the knowledge base at `root`."""
    name = hashlib.sha256(str(root).encode(errors="replace")).hexdigest()[:16]
    return state / "reviews" / f"{name}{kind}.json"
