"""Whether a prompt corrects, reports a failure or was not typed: three linear models.

The numbers are fitted by `benchmarks/capture/train_prompt_model.py`;
benchmarks/README.md says on what, and how well they do on teams not seen.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from calmkb.capture.mining.linear import read_models
from calmkb.capture.mining.prompt_features import Prompt, features
from calmkb.capture.mining.prompts import own_words
from calmkb.language.detect import ENGLISH, language

QUESTIONS = ("lesson", "friction", "machine")
"""A correction or a rule; a failure that the person met; text that nobody typed."""
TABLE = Path(__file__).with_name("prompt_model.json")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The probability of each answer, 0 to 1, and which of them are sure enough to be used."""

    lesson: float = 0.0
    friction: float = 0.0
    machine: float = 0.0
    is_lesson: bool = False
    is_friction: bool = False
    is_machine: bool = False


@lru_cache(maxsize=64)  # a draft asks of each prompt twice
def judge(prompt: Prompt) -> Judgement:
    """Return what a prompt most probably is.

    The table knows English: of a prompt in another language, which it would take for a formal text
    that nobody typed, it says nothing.
    """
    if language(own_words(prompt.text)) != ENGLISH:
        return Judgement()
    found = features(prompt)
    models = [read_models(TABLE)[name] for name in QUESTIONS]
    lesson, friction, machine = (one.probability(found) for one in models)
    return Judgement(
        lesson,
        friction,
        machine,
        is_lesson=lesson >= models[0].threshold,
        is_friction=friction >= models[1].threshold,
        is_machine=machine >= models[2].threshold,
    )
