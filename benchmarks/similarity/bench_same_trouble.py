"""Same trouble or not: precision and recall of the judge on labelled pairs, by session.

    python benchmarks/run.py same_trouble DATA [--fit]

DATA holds pairs.jsonl: `a`, `b`, `label` (same, related, different, opposite) and `files`, the
sessions that the two are from. `--fit` trains on the pairs, a fifth of the sessions left out in
turn, and prints the table that `reflect.similarity.same_trouble` ships; without it the shipped
table is tried, which counts on pairs that it was not trained on alone.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_curve

from calmkb.reflect.similarity import same_trouble as judge
from calmkb.reflect.similarity.tfidf import vectorise

_FOLDS, _SEEDS, _DRAWS, _C = 5, 10, 1_000, 10.0
_RECALLS = (0.5, 0.6)


def main() -> None:
    """Print a row for TF-IDF's cosine and one for the judge."""
    folders = [Path(word) for word in sys.argv[1:] if (Path(word) / "pairs.jsonl").is_file()]
    if not folders:
        print("No labelled pairs: name a folder that holds pairs.jsonl.")
        return
    lines = (folders[0] / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    same = np.array([pair["label"] == "same" for pair in pairs])
    ones, others = ([pair[side] for pair in pairs] for side in "ab")
    texts = list(dict.fromkeys([*ones, *others]))
    place = {text: number for number, text in enumerate(texts)}
    rows, columns = np.array([place[t] for t in ones]), np.array([place[t] for t in others])
    vectors, values = vectorise(texts), judge.measures(texts, rows, columns)
    print(f"{len(pairs)} pairs, {same.sum()} of them the same\n")
    print("| | average precision (95 %) | P at R .5 | P at R .6 |\n|---|---|---|---|")
    print(_row("TF-IDF's cosine", same, vectors[rows].multiply(vectors[columns]).sum(axis=1).A1))
    if "--fit" not in sys.argv:
        table = (judge.LETTERS, judge.TERMS, judge.RAREST)
        print(_row("the shipped judge", same, _chance(values @ table + judge.CONSTANT), at=True))
        return
    print(_row("trained on other sessions", same, _left_out(values, same, pairs), at=True))
    whole = LogisticRegression(C=_C).fit(values, same)
    print("\nThe table of all pairs:", *np.round([*whole.coef_[0], *whole.intercept_], 1))


def _left_out(values: Any, same: Any, pairs: list[dict[str, Any]]) -> Any:
    """Return chances from models that saw neither session of a pair, the mean of ten splits."""
    files = sorted({file for pair in pairs for file in pair["files"]})
    chances = np.zeros((_SEEDS, len(pairs)))
    for seed in range(_SEEDS):
        drawn = np.random.default_rng(seed).integers(0, _FOLDS, len(files))
        fold = dict(zip(files, drawn, strict=True))
        one, other = (np.array([fold[pair["files"][i]] for pair in pairs]) for i in (0, 1))
        for number in range(_FOLDS):
            seen = (one != number) & (other != number)
            model = LogisticRegression(C=_C).fit(values[seen], same[seen])
            chances[seed, one == number] = model.predict_proba(values[one == number])[:, 1]
    return chances.mean(axis=0)


def _row(name: str, same: Any, scores: Any, *, at: bool = False) -> str:
    drawn = np.random.default_rng(0)
    draws = (drawn.integers(0, len(same), len(same)) for _ in range(_DRAWS))
    low, high = np.percentile(
        [average_precision_score(same[d], scores[d]) for d in draws], (2.5, 97.5)
    )
    precision, recall, _ = precision_recall_curve(same, scores)
    best = [f"{precision[recall >= least].max():.2f}" for least in _RECALLS]
    whole = average_precision_score(same, scores)
    row = f"| {name} | {whole:.3f} ({low:.2f} to {high:.2f}) | {' | '.join(best)} |"
    if at:
        for level in (judge.SURE, judge.POSSIBLE):
            told = scores >= level
            right = f"P {same[told].mean():.2f}, R {same[told].sum() / same.sum():.2f}"
            row += f"\n| {name}, from {level} | {right} | | |"
    return row


def _chance(score: Any) -> Any:
    return 1 / (1 + np.exp(-score))


if __name__ == "__main__":
    main()
