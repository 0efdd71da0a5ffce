"""Whether a prompt corrects, reports a failure or was not typed: a linear model as a table.

The numbers are trained by `scripts/train_prompt_model.py`; docs/explanation/prompt-model.md says on
what, and how well they do on sessions that they were not trained on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp
from pathlib import Path

from calmkb.capture.mining.prompt_features import Prompt, features
from calmkb.capture.mining.prompts import own_words
from calmkb.language.detect import ENGLISH, language

QUESTIONS = ("lesson", "friction", "machine")
"""A correction or a rule; a failure that the person met; text that nobody typed."""
TABLE = Path(__file__).with_name("prompt_model.json")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The probability of each answer, 0 to 1, and which of them are sure enough to be used."""

    lesson: float
    friction: float
    machine: float
    is_lesson: bool
    is_friction: bool
    is_machine: bool


@dataclass(frozen=True, slots=True)
class _Model:
    bias: float
    threshold: float
    weights: Mapping[str, float]

    def probability(self, found: Mapping[str, float]) -> float:
        known = self.weights
        score = self.bias + sum(
            known[name] * value for name, value in found.items() if name in known
        )
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


@lru_cache(maxsize=64)  # a draft asks of each prompt twice
def judge(prompt: Prompt) -> Judgement:
    """Return what a prompt most probably is.

    The table knows English: of a prompt in another language, which it would take for a formal text
    that nobody typed, it says nothing.
    """
    if language(own_words(prompt.text)) != ENGLISH:
        return Judgement(0.0, 0.0, 0.0, is_lesson=False, is_friction=False, is_machine=False)
    found = features(prompt)
    models = _models()
    values = [models[name].probability(found) for name in QUESTIONS]
    lesson, friction, machine = values
    return Judgement(
        lesson,
        friction,
        machine,
        is_lesson=lesson >= models["lesson"].threshold,
        is_friction=friction >= models["friction"].threshold,
        is_machine=machine >= models["machine"].threshold,
    )


@cache
def _models() -> dict[str, _Model]:
    tables = json.loads(TABLE.read_text(encoding="utf-8"))["models"]
    return {
        name: _Model(one["bias"], one["threshold"], one["weights"]) for name, one in tables.items()
    }
