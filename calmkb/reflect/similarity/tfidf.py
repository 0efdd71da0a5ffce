"""Texts as TF-IDF vectors: sparse rows of length 1, so that a dot product is the cosine.

A term that counts a word or less weighs what it counts, one that counts more 1 + ln of it
(sublinear, as scikit-learn's TfidfVectorizer), each times its inverse document frequency.
"""

import itertools
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.similarity import terms
from calmkb.reflect.similarity.base import Method, View

_ELSEWHERE = 100
"""Documents assumed beside those given, without their words: otherwise a word that two texts share
would count as common, and one that they do not share as distinctive."""


@dataclass(frozen=True, slots=True)
class Tfidf(Method):
    """The method that needs no model."""

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return sparse rows of length 1, zeros for a text without words."""
        return vectorise(texts)

    def views(self, texts: Sequence[str]) -> list[View]:
        """Return stems, those that carry meaning, letters, and pairs of each."""
        stems, topics, letters, pairs = (
            vectorise(texts, cut) for cut in (terms.stems, terms.topics, terms.letters, terms.pairs)
        )
        return [
            mixed((stems, 1)),
            mixed((topics, 1)),
            mixed((letters, 1)),
            mixed((topics, 2), (letters, 1)),
            mixed((stems, 2), (pairs, 1)),
        ]


def vectorise(
    texts: Sequence[str], analyse: Callable[[str], Mapping[str, int]] = terms.terms
) -> Any:
    """Return a sparse matrix of TF-IDF weights; a row has length 1, or 0 for an empty text.

    `analyse` returns what each term of a text counts, in tenths of a word.
    """
    return unit_rows(term_counts(texts, analyse))


def unit_rows(counts: Any) -> Any:
    """Return the TF-IDF weights of `term_counts`, rows of length 1 or 0."""
    import numpy
    from scipy.sparse import csr_matrix

    if not counts.nnz:
        return csr_matrix(counts.shape)
    idf = rarity(counts)
    worth = counts.data / terms.UNIT
    large = worth > 1
    worth[large] = 1 + numpy.log(worth[large])
    worth *= idf[counts.indices]
    rows = numpy.repeat(numpy.arange(counts.shape[0]), numpy.diff(counts.indptr))
    worth /= numpy.sqrt(numpy.bincount(rows, weights=worth**2))[rows]
    return csr_matrix((worth, counts.indices, counts.indptr), shape=counts.shape)


def rarity(counts: Any) -> Any:
    """Return the inverse document frequency of each column."""
    import numpy

    frequencies = numpy.bincount(counts.indices, minlength=counts.shape[1])
    return numpy.log((1 + counts.shape[0] + _ELSEWHERE) / (1 + frequencies)) + 1


def term_counts(texts: Sequence[str], analyse: Callable[[str], Mapping[str, int]]) -> Any:
    """Return the counts, a column a term in alphabetical order, so that sums round alike."""
    import numpy
    from scipy.sparse import csr_matrix

    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    starts, columns, counts = [0], array("i"), array("I")  # arrays take a tenth of what lists do
    for text in texts:
        found = analyse(text)
        columns.extend(map(numbers.__getitem__, found))
        counts.extend(found.values())
        starts.append(len(columns))
    places = numpy.empty(len(numbers), dtype=numpy.int32)
    places[[numbers[term] for term in sorted(numbers)]] = numpy.arange(len(numbers))
    made = (numpy.array(counts), places[numpy.array(columns, dtype=numpy.int32)], starts)
    table = csr_matrix(made, shape=(len(texts), len(numbers)))
    table.sort_indices()
    return table


def mixed(*parts: tuple[Any, float]) -> View:
    """Return a view whose cosines are the mean of those of the matrices, each by its weight."""
    total = sum(weight for _, weight in parts)
    return tuple((rows, weight / total) for rows, weight in parts)


def joined(*parts: tuple[Any, float]) -> Any:
    """Return matrices of unit rows side by side: cosines add up, each by its weight."""
    from scipy.sparse import csr_matrix, hstack

    total = sum(weight for _, weight in parts)
    return hstack([csr_matrix(rows) * (w / total) ** 0.5 for rows, w in parts], format="csr")
