"""What quality is measured on: written pairs, labelled pairs of real sentences, labelled themes."""

import csv
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAIRS = Path(__file__).parents[1] / "pairs"
LOG_LINES = ("Tags:", "\u25cb")
"""How lists and tool calls of generated journals begin: nothing is learnt from them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and what they are to each other: duplicate, near-miss or opposite."""

    one: str
    other: str
    kind: str
    held: bool
    log_line: bool = False


def written_pairs() -> list[Pair]:
    """Return the pairs that were written for this project."""
    rows = _json_lines(PAIRS / "written.jsonl")
    return [Pair(r["one"], r["other"], r["kind"], r["split"] == "held") for r in rows]


def lesson_pairs(folder: Path) -> list[Pair]:
    """Return the labelled pairs of the sentences in `folder`; labels name them by a digest."""
    texts = {_digest(row["text"]): row["text"] for row in _json_lines(folder / "lessons.jsonl")}
    return [
        Pair(
            texts[row["one"]],
            texts[row["other"]],
            "duplicate" if row["same"] else "near-miss",
            row["split"] == "held",
            texts[row["one"]].startswith(LOG_LINES),
        )
        for row in _json_lines(PAIRS / "lessons_labels.jsonl")
        if row["one"] in texts and row["other"] in texts
    ]


def lessons(folder: Path) -> list[str]:
    """Return the distinct sentences of `folder`, in their order."""
    return list(dict.fromkeys(row["text"] for row in _json_lines(folder / "lessons.jsonl")))


def themes(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield name, texts and labels of each table in `folder` or its `quality` folder."""
    for path in sorted([*folder.glob("*.csv"), *folder.glob("quality/*.csv")]):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        label = next((name for name in ("category", "label", "intent") if name in rows[0]), "")
        if label and "text" in rows[0]:
            yield path.stem, [row["text"] for row in rows], [row[label] for row in rows]


def _json_lines(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
