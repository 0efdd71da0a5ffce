"""Sentences in ten languages that teach, and look-alikes that do not: a tuned and a kept half."""

import csv
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "languages"


def read_sentences(half: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Return the rows of one half, tuned or kept: language, meaning, kind and text."""
    rows: list[dict[str, Any]] = []
    for path in sorted(folder.glob(f"*.{half}.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            rows += [{**row, "language": path.name[:2]} for row in table]
    return rows
