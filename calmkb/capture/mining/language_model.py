"""Whether a prompt teaches by the cue words of its language, and whether for good: two tables.

They are trained by `benchmarks/capture/train_language_model.py` on sentences written for it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

from calmkb.capture.mining.language_features import language_features

TABLE = Path(__file__).with_name("language_model.json")


@dataclass(frozen=True, slots=True)
class _Model:
    bias: float
    threshold: float
    weights: Mapping[str, float]

    def probability(self, text: str, language: str) -> float:
        known = self.weights
        found = language_features(text, language)
        score = self.bias + sum(
            known[name] * value for name, value in found.items() if name in known
        )
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def lesson_probability(text: str, language: str) -> float:
    """Return the probability, 0 to 1, that a prompt corrects or lays down a rule."""
    return _models()["lesson"].probability(text, language)


def teaches(text: str, language: str) -> bool:
    """Return whether a prompt teaches, surely enough to be kept."""
    return lesson_probability(text, language) >= _models()["lesson"].threshold


def is_rule(text: str, language: str) -> bool:
    """Tell a lesson that lasts from one that sets a single step right."""
    model = _models()["rule"]
    return model.probability(text, language) >= model.threshold


@cache
def _models() -> dict[str, _Model]:
    tables = json.loads(TABLE.read_text(encoding="utf-8"))["models"]
    return {name: _Model(**one) for name, one in tables.items()}
