"""Fit the table of `calmkb/capture/mining/language_model.json`, and print its evaluation.

    python benchmarks/capture/train_language_model.py

It reads the tuned halves of tests/data/languages; scores are those of meanings left out in all
languages at once. The kept halves are for `benchmarks/run.py languages`.
"""

from typing import Any

import numpy as np
from language_sentences import read_sentences
from linear_table import numbers, pipeline, write
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from calmkb.capture.mining.language_features import is_known, language_features
from calmkb.capture.mining.lessons import TABLE

GRAMS = 8.0
"""How much letters count beside cues; of 3, 4, 6 and 8 the best with meanings left out."""
THRESHOLD = 0.62


def main() -> None:
    """Fit, print the scores, write the table."""
    rows = [row for row in read_sentences("tuned") if is_known(row["language"])]
    y = np.array([row["kind"] != "other" for row in rows])
    lessons = [row for row in rows if row["kind"] != "other"]
    lasting = np.array([row["kind"] == "rule" for row in lessons])
    models = {"lesson": _fit(rows, y, THRESHOLD), "rule": _fit(lessons, lasting, 0.5)}
    write(TABLE, models)


def _fit(rows: list[dict[str, Any]], y: Any, threshold: float) -> dict[str, Any]:
    """Print how each language does with its meanings left out; return a model of all rows."""
    found = [language_features(row["text"], row["language"]) for row in rows]
    languages = np.array([row["language"] for row in rows])
    meanings = [int(row["meaning"]) for row in rows]
    scores = cross_val_predict(
        pipeline(GRAMS), found, y, groups=meanings, cv=GroupKFold(5), method="predict_proba"
    )[:, 1]
    for code in sorted(set(languages)):
        here, chosen = languages == code, scores >= threshold
        ranked = average_precision_score(y[here], scores[here])
        right, told = y[here & chosen].mean(), chosen[here & y].mean()
        print(f"{code}: average precision {ranked:.2f}, precision {right:.2f}, recall {told:.2f}")
    return numbers(pipeline(GRAMS).fit(found, y), GRAMS, threshold)


if __name__ == "__main__":
    main()
