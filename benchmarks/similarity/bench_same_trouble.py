"""Same trouble or not: the cosine of labelled pairs, with what is fitted on the other teams.

    python benchmarks/run.py same_trouble DATA [DATA…]

Each DATA holds the pairs.jsonl of one team: `a`, `b` and `label` (same, related, different,
opposite); what else it holds of wrapups.jsonl and sessions_read.jsonl tells how rare words are, as
a knowledge base would. The last table is what `reflect.similarity.methods` ships: the logistic
curve from the cosine to the chance, on the pairs of all.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench_quality import kept
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_curve

from calmkb.reflect.similarity.methods import METHODS, POSSIBLE, SURE, Method, choose
from calmkb.wings.semantic import minilm

_DRAWS, _C = 1_000, 100.0
_RECALLS = (0.5, 0.6)
_SAID = ("friction", "friction_points", "next", "next_steps", "learnings")


@dataclass(frozen=True, slots=True)
class Team:
    """A team's pairs: which are the same, and their cosines."""

    name: str
    same: Any
    cosines: Any


def main() -> None:
    """Print a row for each method and team, and the curve of each method."""
    folders = [Path(word) for word in sys.argv[1:] if (Path(word) / "pairs.jsonl").is_file()]
    if not folders:
        print("No labelled pairs: name a folder that holds pairs.jsonl.")
        return
    print("| method, team | pairs, same | average precision (95 %) | P at R .5 | P at R .6 | "
          "from the F1 of the others: P, R | sure by the others: P, R | possible |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for method in (choose(n, embed=kept) for n in METHODS if n == "tfidf" or minilm.available()):
        teams = [team for folder in folders if len((team := read(folder, method)).same) > 1]
        for team in teams:
            print(row(method, team, [one for one in teams if one is not team] or [team]))
        slope, middle = curve(teams)
        print(f"| {method.name}, all: slope {slope:.1f}, middle {middle:.3f} | | | | | | | |")


def read(folder: Path, method: Method) -> Team:
    """Return the pairs of a folder."""
    pairs = list(lines(folder / "pairs.jsonl"))
    said = [text for name in ("wrapups", "sessions_read") for one in lines(folder / f"{name}.jsonl")
            for text in texts_of(one)]  # fmt: skip
    texts = list(dict.fromkeys([*(pair[side] for pair in pairs for side in "ab"), *said]))
    place, rows = {text: number for number, text in enumerate(texts)}, method.vectors(texts)
    ones, others = ([place[pair[side]] for pair in pairs] for side in "ab")
    cosines = rows[ones].multiply(rows[others]).sum(axis=1).A1
    return Team(folder.name, np.array([pair["label"] == "same" for pair in pairs]), cosines)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file; none where there is no file."""
    if path.is_file():
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def texts_of(record: dict[str, Any]) -> Iterator[str]:
    """Yield what a session says."""
    for key in _SAID:
        for one in record.get(key) or ():
            yield one["text"] if isinstance(one, dict) else one


def curve(teams: list[Team]) -> tuple[float, float]:
    """Return slope and middle of the chance, fitted on the teams."""
    cosines, same = (np.concatenate([getattr(t, n) for t in teams]) for n in ("cosines", "same"))
    model = LogisticRegression(C=_C).fit(cosines[:, None], same)
    return float(model.coef_[0, 0]), float(-model.intercept_[0] / model.coef_[0, 0])


def row(method: Method, team: Team, others: list[Team]) -> str:
    """Return a team's figures, thresholds fitted on the others."""
    drawn = np.random.default_rng(0)
    draws = (drawn.integers(0, len(team.same), len(team.same)) for _ in range(_DRAWS))
    aps = [average_precision_score(team.same[d], team.cosines[d]) for d in draws]
    low, high = np.percentile(aps, (2.5, 97.5))
    precision, recall, _ = precision_recall_curve(team.same, team.cosines)
    best = " | ".join(f"{precision[recall >= least].max():.2f}" for least in _RECALLS)
    slope, middle = curve(others)
    sure, possible = (middle - np.log(1 / chance - 1) / slope for chance in (SURE, POSSIBLE))
    told = " | ".join(at(team, level) for level in (best_level(others), sure, possible))
    whole = average_precision_score(team.same, team.cosines)
    return (f"| {method.name}, {team.name} | {len(team.same)}, {team.same.sum()} | "
            f"{whole:.3f} ({low:.2f} to {high:.2f}) | {best} | {told} |")  # fmt: skip


def best_level(teams: list[Team]) -> float:
    """Return the cosine of the best F1."""
    cosines, same = (np.concatenate([getattr(t, n) for t in teams]) for n in ("cosines", "same"))
    precision, recall, levels = precision_recall_curve(same, cosines)
    scores = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    return float(levels[scores[:-1].argmax()])


def at(team: Team, level: float) -> str:
    """Return precision and recall from a cosine on."""
    told = team.cosines >= level
    right = (team.same & told).sum()
    return f"{level:.2f}: {right / max(1, told.sum()):.2f}, {right / team.same.sum():.2f}"


if __name__ == "__main__":
    main()
