"""Texts by what they mean: a model's vectors beside TF-IDF, which keeps names and flags apart.

The two cosines are added: an embedding knows that "hung" and "got stuck" are one, TF-IDF that
`pnpm` and `npm` are two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.similarity import terms
from calmkb.reflect.similarity.base import Embed, Method, View
from calmkb.reflect.similarity.tfidf import joined, mixed, vectorise

_WORDS = 0.5
"""What TF-IDF weighs beside the model in the views, where the model's width is wanted."""
_NAMES = 2.0
"""What it weighs in the vectors: whether two texts say the same hangs on their names."""


def _no_model(texts: Sequence[str]) -> list[list[float]]:
    raise RuntimeError(f"no model was chosen to embed {len(texts)} texts")


@dataclass(frozen=True, slots=True)
class Embedded(Method):
    """A method on a model's vectors; `embed` is the model, or a cache before it."""

    embed: Embed = _no_model

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return sparse rows of length 1 whose cosine is a mean of the model's and TF-IDF's."""
        return joined((self._embedded(texts), 1), (vectorise(texts), _NAMES))

    def views(self, texts: Sequence[str]) -> list[View]:
        """Return the model's vectors plain, centred, and with words and all of TF-IDF beside."""
        from scipy.sparse import csr_matrix

        given, words = self._embedded(texts), vectorise(texts, terms.stems)
        model = csr_matrix(given)
        centred = csr_matrix(_unit(given - given.mean(axis=0, keepdims=True)))
        return [
            mixed((model, 1)),
            mixed((centred, 1)),
            mixed((model, 1), (words, _WORDS)),
            mixed((model, 1), (vectorise(texts), _WORDS)),
            mixed((centred, 1), (words, _WORDS)),
        ]

    def _embedded(self, texts: Sequence[str]) -> Any:
        import numpy

        return _unit(numpy.array(self.embed(texts), dtype=numpy.float64).reshape(len(texts), -1))


def _unit(rows: Any) -> Any:
    import numpy

    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
