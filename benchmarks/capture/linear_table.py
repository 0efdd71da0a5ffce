"""A scikit-learn pipeline over what calmkb weighs, and its numbers as calmkb reads them."""

import json
from base64 import b64encode
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from calmkb.capture.mining.linear import SIZE, Features


def pipeline(grams: float) -> Pipeline:
    """Return a model of features; words and letters weigh `grams` times what a flag does."""
    return Pipeline(
        [
            ("scale", FunctionTransformer(partial(_scaled, grams=grams))),
            ("table", DictVectorizer(sort=False)),
            ("model", LogisticRegression(max_iter=1_000)),
        ]
    )


def _scaled(rows: list[Features], grams: float) -> list[Features]:
    return [{k: v * grams if isinstance(k, int) else v for k, v in row.items()} for row in rows]


def numbers(fitted: Pipeline, grams: float, threshold: float) -> dict[str, Any]:
    """Return a fitted model for the table: flags as they are, the rest in steps of a byte."""
    coefficients = fitted["model"].coef_[0]
    weights = {key: coefficients[place] for key, place in fitted["table"].vocabulary_.items()}
    hashed = np.zeros(SIZE)
    for key, weight in weights.items():
        if isinstance(key, int):
            hashed[key] = weight * grams
    step = float(np.abs(hashed).max()) / 127
    return {
        "bias": round(float(fitted["model"].intercept_[0]), 4),
        "threshold": round(float(threshold), 3),
        "flags": {k: round(float(v), 3) for k, v in weights.items() if isinstance(k, str)},
        "step": round(step, 7),
        "hashed": b64encode(np.round(hashed / step).astype(np.int8).tobytes()).decode(),
    }


def write(path: Path, models: dict[str, Any]) -> None:
    """Write a table of models."""
    text = json.dumps({"version": 2, "models": models}, indent=0, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size:,} bytes")
