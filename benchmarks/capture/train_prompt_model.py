"""Fit the table of `calmkb/capture/mining/prompt_model.json`, and print its evaluation card.

    python benchmarks/capture/train_prompt_model.py DATA...

Each DATA holds `prompts.jsonl` (see `prompt_labels`); a team is a folder, or a row's `repo`. All
scores are those of a team that was left out: its prompts, and the threshold they are held
against, come from the other teams alone.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from language_sentences import read_sentences
from linear_table import numbers, pipeline, write
from prompt_labels import interval, prompt_of, read_rows
from sklearn.metrics import average_precision_score, precision_recall_curve

from calmkb.capture.mining.linear import Features
from calmkb.capture.mining.prompt_features import Prompt, features
from calmkb.capture.mining.prompt_model import TABLE

FEW = 10
"""A team of fewer prompts is left out together with the other small ones."""


class Question(NamedTuple):
    """Which labels make an answer yes, what words weigh, and the precision to be shown at."""

    name: str
    labels: frozenset[str]
    grams: float
    precision: float


QUESTIONS = (
    Question("lesson", frozenset({"correction", "rule"}), 1.0, 0.70),
    Question("friction", frozenset({"friction"}), 4.0, 0.80),
    Question("machine", frozenset({"machine"}), 6.0, 0.95),
)


class Data(NamedTuple):
    """The prompts of all teams: what is weighed in them, and which session and team they are of."""

    rows: list[dict[str, Any]]
    found: list[Features]
    sessions: Any
    teams: Any
    weights: Any


def main() -> None:
    """Print the scores of teams left out, fit on all, write the table."""
    data = _read([Path(word) for word in sys.argv[1:]])
    print(f"{len(data.rows)} prompts of {len(set(data.sessions))} sessions")
    models = {}
    for question in QUESTIONS:
        y = np.array([bool(question.labels & set(row["labels"])) for row in data.rows])
        scores = _left_out(data, y, question)
        _report(question, data, y, scores)
        fitted = _fit(data, y, question, np.ones(len(y), bool))
        threshold = _threshold(y, scores, data.weights, question.precision)
        models[question.name] = numbers(fitted, question.grams, threshold)
    write(TABLE, models)


def _read(folders: list[Path]) -> Data:
    rows = [{"team": row.get("repo", str(n)), **row}
            for n, folder in enumerate(folders) for row in read_rows(folder)]  # fmt: skip
    teams = np.array([row["team"] for row in rows])
    names, counts = np.unique(teams, return_counts=True)
    size = dict(zip(names, counts, strict=True))
    return Data(
        rows,
        [features(prompt_of(row)) for row in rows],
        np.array([f"{row['team']}/{row['file']}" for row in rows]),
        np.array([team if size[team] >= FEW else "small" for team in teams]),
        np.array([size[team] ** -0.5 for team in teams]),
    )


def _fit(data: Data, y: Any, question: Question, chosen: Any) -> Any:
    """Fit on the chosen rows; yes and no count the same, a team by the root of its size."""
    found = [data.found[n] for n in np.flatnonzero(chosen)]
    weights, truth = data.weights[chosen], y[chosen]
    if question.name == "lesson":  # written sentences are one more team, and never scored
        more = [row for row in read_sentences("tuned") if row["language"] == "en"]
        found += [features(Prompt(row["text"])) for row in more]
        truth = np.append(truth, [row["kind"] != "other" for row in more])
        weights = np.append(weights, np.full(len(more), len(more) ** -0.5))
    weights = weights / weights.mean()
    share = np.average(truth, weights=weights)
    balanced = weights * np.where(truth, 0.5 / share, 0.5 / (1 - share))
    return pipeline(question.grams).fit(found, truth, model__sample_weight=balanced)


def _left_out(data: Data, y: Any, question: Question) -> Any:
    scores = np.zeros(len(y))
    for team in np.unique(data.teams):
        here = data.teams == team
        fitted = _fit(data, y, question, ~here)
        scores[here] = fitted.predict_proba([data.found[n] for n in np.flatnonzero(here)])[:, 1]
    return scores


def _threshold(y: Any, scores: Any, weights: Any, wanted: float) -> float:
    """Return the lowest probability from which on precision is what is wanted."""
    precision, recall, levels = precision_recall_curve(y, scores, sample_weight=weights)
    fits = [n for n in range(len(levels)) if precision[n] >= wanted]
    return float(levels[max(fits, key=lambda n: recall[n])]) if fits else 1.0


def _report(question: Question, data: Data, y: Any, scores: Any) -> None:
    chosen = np.zeros(len(y))
    for team in np.unique(data.teams):
        rest = data.teams != team
        level = _threshold(y[rest], scores[rest], data.weights[rest], question.precision)
        chosen[~rest] = scores[~rest] >= level
    largest = max(set(data.teams), key=lambda team: (data.teams == team).sum())
    print(f"\n{question.name}: {y.sum()} of {len(y)}")
    for name, of in (("all", data.teams != ""), ("all but the largest", data.teams != largest)):
        told = [
            f"{what} {_with_interval(y[of], values[of], data.sessions[of], measure)}"
            for what, values, measure in (
                ("average precision", scores, average_precision_score),
                ("precision", chosen, lambda a, c: a[c > 0].mean() if c.any() else np.nan),
                ("recall", chosen, lambda a, c: c[a].mean() if a.any() else np.nan),
            )
        ]
        print(f"  {name}, {y[of].sum()} of {of.sum()}: {', '.join(told)}")


def _with_interval(y: Any, values: Any, sessions: Any, measure: Callable[[Any, Any], float]) -> str:
    return f"{measure(y, values):.3f} [{interval(y, values, sessions, measure)}]"


if __name__ == "__main__":
    main()
