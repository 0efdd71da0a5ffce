"""Prompts labelled by hand, as calmkb would see them, and intervals over whole sessions."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from calmkb.capture.mining.prompt_features import Prompt

_TRAIL = re.compile(r'", "is_error": (?:true|false).*\Z', re.DOTALL)


def read_rows(data: Path) -> list[dict[str, Any]]:
    """Return the labelled prompts, without those that a reader could not decide."""
    lines = (data / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if "ambiguous" not in row["labels"]]


def prompt_of(row: dict[str, Any]) -> Prompt:
    """Return a row as the prompt that calmkb would see."""
    return Prompt(
        text=_TRAIL.sub("", row["text"]),
        rejection=row["kind"] == "rejection",
        first=bool(row.get("first")),
    )


def interval(y: Any, scores: Any, files: Any, measure: Callable[[Any, Any], float]) -> str:
    """Return the middle 95 % of 500 samples of sessions."""
    random = np.random.default_rng(7)
    names = np.unique(files)
    places = {name: np.flatnonzero(files == name) for name in names}
    values = []
    for _ in range(500):
        rows = np.concatenate([places[n] for n in random.choice(names, len(names))])
        values.append(measure(y[rows], scores[rows]))
    low, high = np.nanpercentile(values, (2.5, 97.5))
    return f"{low:.2f} to {high:.2f}"
