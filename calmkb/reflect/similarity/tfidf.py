"""Texts as TF-IDF vectors: sparse rows of length 1, so that a dot product is the cosine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.similarity import terms
from calmkb.reflect.similarity.base import View
from calmkb.reflect.similarity.weights import Counting, count, unit_rows


@dataclass(frozen=True, slots=True)
class Tfidf:
    """The method that needs no model; thresholds from `make bench-quality`.

    `counting` may be one that keeps the counts of texts.
    """

    name: str = "tfidf"
    duplicate: float = 0.55
    theme: float = 0.40
    agreement: float = 0.45
    counting: Counting = count

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return sparse rows of length 1, zeros for a text without words."""
        return vectorise(texts, self.counting)

    def views(self, texts: Sequence[str]) -> list[View]:
        """Return stems, those that carry meaning, letters, and pairs of each."""
        stems, topics, letters, pairs = (
            weighed(texts, cut) for cut in (terms.stems, terms.topics, terms.letters, terms.pairs)
        )
        return [
            mixed((stems, 1)),
            mixed((topics, 1)),
            mixed((letters, 1)),
            mixed((topics, 2), (letters, 1)),
            mixed((stems, 2), (pairs, 1)),
        ]


PLAIN = Tfidf()
"""What is used where nothing else was chosen."""


def vectorise(texts: Sequence[str], counting: Counting = count) -> Any:
    """Return a sparse matrix, one row of length 1 a text (an empty text has a row of zeros)."""
    return unit_rows(counting(texts))


def weighed(texts: Sequence[str], cut: Callable[[str], Mapping[str, int]]) -> Any:
    """Return such rows of what `cut` cuts a text into."""
    return unit_rows(count(texts, cut))


def mixed(*parts: tuple[Any, float]) -> View:
    """Return a view whose cosines are the mean of those of the matrices, each by its weight."""
    total = sum(weight for _, weight in parts)
    return tuple((rows, weight / total) for rows, weight in parts)


def joined(*parts: tuple[Any, float]) -> Any:
    """Return matrices of unit rows side by side: cosines add up, each by its weight."""
    from scipy.sparse import csr_matrix, hstack

    total = sum(weight for _, weight in parts)
    return hstack([csr_matrix(rows) * (w / total) ** 0.5 for rows, w in parts], format="csr")
