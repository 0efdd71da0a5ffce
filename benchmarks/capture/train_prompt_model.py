"""Train the table of `calmkb/capture/mining/prompt_model.json`, and print its evaluation card.

    python benchmarks/capture/train_prompt_model.py DATA --project-words WORD,WORD

DATA holds `prompts.jsonl`: one object a line with `file`, `text`, `kind` (prompt or rejection),
`first`, `before`, `tool` and `labels`. Scores are those of sessions left out: five folds by
session, and once more with each person left out whose prompts are told by the paths in them.

One team's prompts know one team's words. So the English sentences of tests/data/languages that may
be tuned on are learnt from too, and never scored.
"""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from language_sentences import read_sentences
from prompt_labels import interval, prompt_of, read_rows
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_curve
from sklearn.model_selection import GroupKFold

from calmkb.capture.mining.prompt_features import Prompt, features
from calmkb.capture.mining.prompt_model import TABLE

KEPT = 6_000
"""Weights of each question that are kept, the largest."""
PEOPLE = 3
"""People whose prompts must have a feature before it counts: no jargon of one of them."""
WRITTEN = 0.5
"""What a written sentence weighs beside a prompt: with 1 and more the prompts are told worse."""
BASE = 0.1
"""The share of lessons among the prompts of other repositories; here it is twice that."""
AGENT = "I changed the code and all tests pass."
"""What the agent said before a written sentence."""
_HOME = re.compile(r"/(?:Users|home)/(\w+)")


@dataclass(frozen=True)
class Question:
    """Which labels make an answer yes, the scale of n-grams, and the precision to be shown at.

    `base` is the share of yes that is expected elsewhere; 0 is that of the data.
    """

    name: str
    labels: frozenset[str]
    grams: float
    precision: float
    base: float = 0.0


QUESTIONS = (
    Question("lesson", frozenset({"correction", "rule"}), 1.0, 0.80, BASE),
    Question("friction", frozenset({"friction"}), 2.0, 0.80),
    Question("machine", frozenset({"machine"}), 3.0, 0.95),
)


def main() -> None:
    """Train, print the card, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--project-words", default="", help="names of the project, with commas")
    given = parser.parse_args()
    rows = read_rows(given.data)
    files = np.array([row["file"] for row in rows])
    people = np.array(_people(rows))
    names = {*given.project_words.split(","), *people} - {"", "not known"}
    found = [_without(names, features(prompt_of(row))) for row in rows]
    print(f"{len(rows)} prompts of {len(set(files))} sessions and {len(set(people))} people")
    models = {}
    for question in QUESTIONS:
        y = np.array([bool(question.labels & set(row["labels"])) for row in rows])
        scaled = [_scaled(one, question.grams) for one in found]
        more = _written() if question.name == "lesson" else []
        scores = _out_of_fold(scaled, y, people, files, more)
        threshold = _threshold(y, scores, question)
        _report(question.name, y, scores, threshold, files)
        by_person = _out_of_fold(scaled, y, people, people, more)
        print(f"  a person left out: average precision {average_precision_score(y, by_person):.3f}")
        models[question.name] = _table(scaled, y, people, question.grams, threshold, more)
    text = json.dumps(
        {"version": 1, "models": models}, ensure_ascii=False, sort_keys=True, indent=0
    )
    TABLE.write_text(text + "\n", encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size:,} bytes")


def _people(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return who typed each prompt, as far as a path in its session tells."""
    known: dict[str, str] = {}
    for row in rows:
        if named := _HOME.search(f"{row.get('tool')} {row.get('before')} {row['text']}"):
            known.setdefault(row["file"], named[1])
    return [known.get(row["file"], "not known") for row in rows]


def _without(names: set[str], found: Any) -> dict[str, float]:
    """Return the features that no name of the project or of its people is part of."""
    return {key: value for key, value in found.items() if not any(n in key for n in names)}


def _scaled(found: Any, grams: float) -> dict[str, float]:
    return {k: v * grams if k[:2] in ("w:", "c:") else v for k, v in found.items()}


def _written() -> list[tuple[dict[str, float], bool]]:
    """Return the features of each written English sentence, and whether it teaches."""
    rows = [row for row in read_sentences("tuned") if row["language"] == "en"]
    return [
        (dict(features(Prompt(row["text"], AGENT, "Edit"))), row["kind"] != "other") for row in rows
    ]


def _fit(
    rows: Sequence[dict[str, float]], y: Any, people: Any, more: Any
) -> tuple[DictVectorizer, Any, LogisticRegression]:
    weight = np.concatenate([_balanced(y), np.full(len(more), WRITTEN)])
    rows = [*rows, *(found for found, _ in more)]
    y = np.concatenate([y, [teaches for _, teaches in more]]).astype(bool)
    # Written sentences stand for three people: a feature that three parts of them have may count.
    people = np.concatenate([people, [f"written {n % PEOPLE}" for n in range(len(more))]])
    vectorizer = DictVectorizer()
    table = vectorizer.fit_transform(rows)
    has = [np.asarray((table[people == one] > 0).sum(axis=0)).ravel() > 0 for one in set(people)]
    kept = np.flatnonzero(np.sum(has, axis=0) >= PEOPLE)
    model = LogisticRegression(C=1.0, max_iter=5_000)
    return vectorizer, kept, model.fit(table[:, kept], y, sample_weight=weight)


def _balanced(y: Any) -> Any:
    """Return weights with which yes and no count the same."""
    return np.where(y, 0.5 / y.mean(), 0.5 / (1 - y.mean()))


def _out_of_fold(
    rows: Sequence[dict[str, float]], y: Any, people: Any, groups: Any, more: Any
) -> Any:
    """Return the probability of each row by a model that saw no row of its group, in five parts."""
    scores = np.zeros(len(rows))
    parts = len(set(people)) if groups is people else 5
    for train, test in GroupKFold(parts).split(rows, y, groups):
        vectorizer, kept, model = _fit([rows[n] for n in train], y[train], people[train], more)
        table = vectorizer.transform([rows[n] for n in test])[:, kept]
        scores[test] = model.predict_proba(table)[:, 1]
    return scores


def _threshold(y: Any, scores: Any, question: Question) -> float:
    """Return the lowest probability from which on precision is what is wanted, at the base rate."""
    rate = question.base or y.mean()
    weights = np.where(y, 1.0, y.mean() / (1 - y.mean()) * (1 - rate) / rate)
    precision, recall, levels = precision_recall_curve(y, scores, sample_weight=weights)
    fits = [n for n in range(len(levels)) if precision[n] >= question.precision]
    return float(levels[max(fits, key=lambda n: recall[n])]) if fits else 1.0


def _report(name: str, y: Any, scores: Any, threshold: float, files: Any) -> None:
    chosen = scores >= threshold
    print(f"\n{name}: {y.sum()} of {len(y)}")
    print(f"  sessions left out: average precision {average_precision_score(y, scores):.3f}"
          f" [{interval(y, scores, files, average_precision_score)}]")  # fmt: skip
    precision = lambda a, s: a[s >= threshold].mean() if (s >= threshold).any() else np.nan  # noqa: E731
    recall = lambda a, s: (s >= threshold)[a].mean() if a.any() else np.nan  # noqa: E731
    print(f"  from {threshold:.3f} on: precision {y[chosen].mean():.3f}"
          f" [{interval(y, scores, files, precision)}],"
          f" recall {chosen[y].mean():.3f} [{interval(y, scores, files, recall)}]")  # fmt: skip


def _table(
    rows: Sequence[dict[str, float]],
    y: Any,
    people: Any,
    grams: float,
    threshold: float,
    more: Any,
) -> Any:
    """Return the weights of a model trained on all rows, for features as calmkb computes them."""
    vectorizer, kept, model = _fit(rows, y, people, more)
    names = np.array(vectorizer.get_feature_names_out())[kept]
    weights = model.coef_[0]
    largest = np.argsort(-np.abs(weights))[:KEPT]
    return {
        "bias": round(float(model.intercept_[0]), 4),
        "threshold": round(threshold, 3),
        "weights": {
            str(names[n]): round(
                float(weights[n]) * (grams if names[n][:2] in ("w:", "c:") else 1), 3
            )
            for n in sorted(largest, key=lambda n: str(names[n]))
        },
    }


if __name__ == "__main__":
    main()
