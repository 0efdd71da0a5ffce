"""Whether a prompt teaches by the cue words of its language, and whether for good: two models.

They are fitted by `benchmarks/capture/train_language_model.py` on sentences written for it.
"""

from pathlib import Path

from calmkb.capture.mining.language_features import language_features
from calmkb.capture.mining.linear import Linear, read_models

TABLE = Path(__file__).with_name("language_model.json")


def lesson_probability(text: str, language: str) -> float:
    """Return the probability, 0 to 1, that a prompt corrects or lays down a rule."""
    return _model("lesson").probability(language_features(text, language))


def teaches(text: str, language: str) -> bool:
    """Return whether a prompt teaches, surely enough to be kept."""
    return lesson_probability(text, language) >= _model("lesson").threshold


def is_rule(text: str, language: str) -> bool:
    """Tell a lesson that lasts from one that sets a single step right."""
    model = _model("rule")
    return model.probability(language_features(text, language)) >= model.threshold


def _model(name: str) -> Linear:
    return read_models(TABLE)[name]
