"""The similarity methods by name, and the thresholds measured for each (`make bench-quality`)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

from calmkb.errors import ConfigError
from calmkb.reflect.similarity import vectors
from calmkb.reflect.similarity.near import similar_pairs
from calmkb.reflect.similarity.vectors import beside, vectorise

Embed = Callable[[Sequence[str]], list[list[float]]]
"""From texts to one vector of length 1 for each."""
FEW = 1_000_000  # pairs that are compared sooner than scikit-learn is loaded
SURE = 0.7  # A chance from which two statements count as one trouble (`run.py same_trouble`)
POSSIBLE = 0.2  # A chance below which they count as two


@dataclass(frozen=True, slots=True)
class Method:
    """A measure of similarity and the thresholds that belong to it: cosines, 0 to 1.

    Another method's thresholds mean nothing here: the same pair is nearer to one than to another.
    Texts at `duplicate` say the same, unless they are opposites; texts at `theme` on average are
    one lesson. `slope` and `middle` turn a cosine into the chance that two tell of one trouble.
    """

    name: str
    duplicate: float
    theme: float
    slope: float
    middle: float
    needs_model: bool = False
    embed: Embed | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others, for results that are kept."""
        return (self.name, self.duplicate, self.theme, self.slope, self.middle)

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a sparse matrix, one row of length 1 a text, zeros for a text without words."""
        rows = vectorise(texts)
        return beside(rows, self.embed(texts)) if self.embed and texts else rows

    def near(
        self, texts: Sequence[str], others: Sequence[str] | None, level: float
    ) -> Iterator[tuple[int, int, float]]:
        """Yield (text, other, cosine) where the cosine is at least `level`, by text and other.

        Where `others` is None, the texts are compared with one another.
        """
        pairs = len(texts) * len(texts if others is None else others)
        if self.embed is None and pairs <= FEW:
            return vectors.near(texts, others, level)
        rows = self.vectors([*texts, *(others or ())])
        known = rows if others is None else rows[len(texts) :]
        return similar_pairs(rows[: len(texts)], known, level)

    def chance(self, cosine: float) -> float:
        """Return how often a pair of such a cosine tells of one trouble, 0 to 1."""
        return 1 / (1 + exp(-self.slope * (cosine - self.middle)))

    def cosine(self, chance: float) -> float:
        """Return the cosine that has this chance."""
        return self.middle - log(1 / chance - 1) / self.slope


TFIDF = Method("tfidf", duplicate=0.50, theme=0.30, slope=13.9, middle=0.36)
"""The default: it needs no model."""
MINILM = Method("minilm", duplicate=0.60, theme=0.40, slope=16.4, middle=0.45, needs_model=True)
METHODS = {method.name: method for method in (TFIDF, MINILM)}


def choose(
    name: str, *, embed: Embed | None = None, duplicate: float = 0, theme: float = 0
) -> Method:
    """Return the method `name`; a threshold of 0 is the method's own.

    `embed` makes the vectors of a method that needs a model. Raises ConfigError where there is no
    such method, or its model is not installed.
    """
    method = METHODS.get(name)
    if method is None:
        raise ConfigError(f"reflect.method {name!r} is unknown; choose from: {', '.join(METHODS)}")
    if method.needs_model:
        if embed is None:
            from calmkb.system.install_source import install_extra

            raise ConfigError(
                f"reflect.method {name!r} needs its model: {install_extra('semantic')}"
            )
        method = replace(method, embed=embed)
    return replace(method, duplicate=duplicate or method.duplicate, theme=theme or method.theme)
