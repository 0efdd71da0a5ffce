"""Drafts beside a careful reader's journal: friction and next steps found, endings told.

    python benchmarks/run.py capture DATA [SESSIONS]

DATA holds sessions_read.jsonl (file, summary, friction[{text}], next[]); SESSIONS, else
DATA/sessions, the transcripts by those names. A reader's point counts as found where one sentence
of the draft shares 18 % of its words, weighed by how rare they are: that agreed with a reader on 18
of 22 points. "Chance" is the share found in the drafts of the other sessions.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import read_transcript
from calmkb.errors import TranscriptError
from calmkb.model import Draft

_WORD = re.compile(r"[A-Za-z_][\w./:-]{2,}")
_SHARED = 0.18
_ENDING = re.compile(r"\b(?:Ended |Stopped by |Interrupted by |Broke off )")


def main() -> None:
    """Print a row for each half of the sessions, split by a hash of the file's name."""
    words = [Path(one) for one in sys.argv[1:]]
    for folder in (one for one in words if (one / "sessions_read.jsonl").is_file()):
        lines = (folder / "sessions_read.jsonl").read_text(encoding="utf-8").split("\n")
        rows = [json.loads(line) for line in lines if line]
        sessions = [one for one in (*words, folder / "sessions") if one.is_dir()]
        print("| half | sessions | friction found | chance | next steps found | ending told |")
        print("|---|---|---|---|---|---|")
        for half in (0, 1):
            _show(half, [row for row in rows if _half(row["file"]) == half], sessions, rows)


def _half(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2


def _show(
    half: int,
    rows: Sequence[dict[str, Any]],
    sessions: Sequence[Path],
    every: Sequence[dict[str, Any]],
) -> None:
    rare = _rarity(every)
    read = [(row, made) for row in rows if (made := _drafted(row["file"], sessions))]
    friction, steps, chance = [], [], []
    for place, (row, made) in enumerate(read):
        points, told = [one["text"] for one in row["friction"]], _sentences(made)
        friction.append([_is_found(one, told, rare) for one in points])
        steps.append([_is_found(one, told, rare) for one in row["next"]])
        others = [_sentences(one) for n, (_, one) in enumerate(read) if n != place]
        chance.append([_is_found(one, other, rare) for one in points for other in others])
    endings = [[_ENDING.search(made.summary) is not None] for _, made in read]
    columns = " | ".join(_share(one) for one in (friction, chance, steps, endings))
    print(f"| {half} | {len(read)} | {columns} |")


def _sentences(made: Draft) -> list[str]:
    return [*made.friction_points, *made.summary.split(". "), *made.next_steps]


def _drafted(name: str, sessions: Sequence[Path]) -> Draft | None:
    path = next((folder / name for folder in sessions if (folder / name).is_file()), None)
    try:
        return draft(read_transcript(path)) if path else None
    except TranscriptError:
        return None


def _rarity(rows: Iterable[dict[str, Any]]) -> dict[str, float]:
    texts = [[row["summary"], *(one["text"] for one in row["friction"]), *row["next"]]
             for row in rows]  # fmt: skip
    flat = [_words(one) for group in texts for one in group]
    counts = Counter(word for words in flat for word in words)
    return {word: log(1 + len(flat) / count) for word, count in counts.items()}


def _words(text: str) -> set[str]:
    return {word.rstrip(".:/-").casefold() for word in _WORD.findall(text)}


def _is_found(point: str, told: Sequence[str], rare: dict[str, float]) -> bool:
    wanted = _words(point)
    whole = sum(rare[word] for word in wanted) or 1
    shares = (sum(rare[word] for word in wanted & _words(one)) / whole for one in told)
    return max(shares, default=0) >= _SHARED


def _share(groups: Sequence[Sequence[bool]]) -> str:
    """Return a share with its 95 % interval, resampled by session."""
    flat = [one for group in groups for one in group]
    if not flat:
        return "-"
    dice = np.random.default_rng(7)
    shares = []
    for _ in range(1000):
        drawn = [groups[n] for n in dice.integers(len(groups), size=len(groups))]
        some = [one for group in drawn for one in group]
        shares += [sum(some) / len(some)] if some else []
    low, high = np.quantile(shares, [0.025, 0.975])
    return f"{sum(flat)}/{len(flat)} = {sum(flat) / len(flat):.2f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()
