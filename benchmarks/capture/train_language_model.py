"""Train the table of `calmkb/capture/mining/language_model.json`, and print its evaluation.

    python benchmarks/capture/train_language_model.py

It reads the tuned halves of tests/data/languages; scores are those of meanings left out in all
languages at once. The kept halves are for `benchmarks/run.py languages`.
"""

import json
from typing import Any

import numpy as np
from language_sentences import read_sentences
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from calmkb.capture.mining.language_features import is_known, language_features
from calmkb.capture.mining.language_model import TABLE

GRAMS = 8.0
"""How much letters count beside cues; of 3, 4, 6 and 8 the best with meanings left out."""
KEPT = 600
"""Weights of each language's letters that are kept, the largest."""
THRESHOLD = 0.62


def main() -> None:
    """Train, print the scores, write the table."""
    rows = [row for row in read_sentences("tuned") if is_known(row["language"])]
    y = np.array([row["kind"] != "other" for row in rows])
    language = np.array([row["language"] for row in rows])
    meaning = np.array([int(row["meaning"]) for row in rows])
    found = [_scaled(language_features(row["text"], row["language"])) for row in rows]
    teaches = _scores(found, y, meaning)
    taught = np.flatnonzero(y)
    lasting = np.array([rows[n]["kind"] == "rule" for n in taught])
    lessons = [found[n] for n in taught]
    lasts = _scores(lessons, lasting, meaning[taught])
    for code in sorted(set(language)):
        here, chosen = language == code, teaches >= THRESHOLD
        right, found_of = y[here & chosen].mean(), chosen[here & y].mean()
        told = ((lasts >= 0.5) == lasting)[language[taught] == code].mean()
        print(
            f"{code}: precision {right:.2f}, recall {found_of:.2f}, rule or correction {told:.2f}"
        )
    models = {"lesson": _table(found, y, THRESHOLD), "rule": _table(lessons, lasting, 0.5)}
    text = json.dumps({"version": 1, "models": models}, ensure_ascii=False, indent=0)
    TABLE.write_text(text + "\n", encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size:,} bytes")


def _scores(found: list[dict[str, float]], y: Any, meaning: Any) -> Any:
    """Return the probability of each row by a model that saw none of its meaning."""
    scores = np.zeros(len(y))
    for train, test in GroupKFold(5).split(found, y, meaning):
        vectorizer, model = _fit([found[n] for n in train], y[train])
        table = vectorizer.transform([found[n] for n in test])
        scores[test] = model.predict_proba(table)[:, 1]
    return scores


def _scaled(found: Any) -> dict[str, float]:
    return {name: value * (GRAMS if name[2:3] == ":" else 1) for name, value in found.items()}


def _fit(found: list[dict[str, float]], y: Any) -> tuple[DictVectorizer, LogisticRegression]:
    vectorizer = DictVectorizer()
    table = vectorizer.fit_transform(found)
    return vectorizer, LogisticRegression(C=1.0, max_iter=5_000).fit(table, y)


def _table(found: list[dict[str, float]], y: Any, threshold: float) -> dict[str, Any]:
    """Return the weights of a model trained on all rows, for features as calmkb computes them."""
    vectorizer, model = _fit(found, y)
    weights = dict(zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True))
    kept = {name: weight for name, weight in weights.items() if name[2:3] != ":"}
    for code in sorted({name[:2] for name in weights if name[2:3] == ":"}):
        letters = [name for name in weights if name.startswith(f"{code}:")]
        letters.sort(key=lambda name: -abs(weights[name]))
        kept |= {name: weights[name] * GRAMS for name in letters[:KEPT]}
    return {
        "bias": round(float(model.intercept_[0]), 4),
        "threshold": threshold,
        "weights": {name: round(float(weight), 3) for name, weight in sorted(kept.items())},
    }


if __name__ == "__main__":
    main()
