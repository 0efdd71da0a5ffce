"""Whether two statements tell of the same trouble: a judge trained on labelled pairs.

Three measures, each found by `benchmarks/run.py same_trouble`, and a logistic regression over them:
the letters and the terms that two texts share (Jaccard's index, each by its inverse document
frequency), and how rare the rarest word is that both are about. On 579 pairs of one team, its
sessions left out in turn, the average precision is .75 (95 % interval .67 to .81); TF-IDF's cosine
has .65 there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.reflect.similarity import terms
from calmkb.reflect.similarity.pairs import similar_pairs
from calmkb.reflect.similarity.tfidf import rarity, term_counts, unit_rows

LETTERS, TERMS, RAREST, CONSTANT = 10.0, 7.6, 4.8, -7.8
SURE = 0.6
"""A chance from which two statements count as one trouble: right in .83 of such pairs, and .43 of
the pairs that are one have it."""
POSSIBLE = 0.2
"""A chance below which they count as two: .78 of the pairs that are one have it or more."""
_RARE = 6.7
"""The inverse document frequency of a word of two texts among the thousand that were labelled: in
a small knowledge base a word is never as rare, so that less is sure there."""
_DISTINCT = 0.6
"""How rare the rarest shared word must be: of 112 labelled pairs that are one trouble all share
one, of 253 that are only related 84 %, of short sentences of one pattern few."""
_CANDIDATE = 0.18
"""A cosine of letters below which no labelled pair came to `POSSIBLE`."""


def same_trouble(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Yield (text, other, chance from `POSSIBLE` to 1), by text and other.

    How rare a word is, all of the texts tell; so judge those of a knowledge base together.
    """
    import numpy

    both = [*texts, *others]
    counts = term_counts(both, terms.letters)
    letters = unit_rows(counts)
    found = [
        (one, other)
        for one, other, _ in similar_pairs(letters[: len(texts)], letters[len(texts) :], _CANDIDATE)
    ]
    if not found:
        return
    rows, columns = numpy.array(found).T
    values = measures(both, rows, columns + len(texts), counts)
    chances = 1 / (1 + numpy.exp(-(values @ (LETTERS, TERMS, RAREST) + CONSTANT)))
    chances[(values[:, 2] < _DISTINCT) & (values[:, 1] < 1)] = 0  # the same words are the same
    for (one, other), chance in zip(found, chances.tolist(), strict=True):
        if chance >= POSSIBLE:
            yield one, other, chance


def measures(texts: Sequence[str], ones: Any, others: Any, letter_counts: Any = None) -> Any:
    """Return the three measures of each pair of rows, a row a pair.

    `letter_counts` are those of the texts' letters, where they are known: counting takes longest.
    """
    import numpy

    if letter_counts is None:
        letter_counts = term_counts(texts, terms.letters)
    letters = _Shared(letter_counts)
    words, about = (_Shared(term_counts(texts, cut)) for cut in (terms.terms, terms.topics))
    return numpy.stack(
        [letters.jaccard(ones, others), words.jaccard(ones, others), about.rarest(ones, others)],
        axis=1,
    )


class _Shared:
    """What rows have in common, each term by its inverse document frequency."""

    def __init__(self, counts: Any) -> None:
        self._had = (counts > 0).astype(float).tocsr()
        self._worth = self._had.multiply(rarity(counts)).tocsr()
        self._whole = self._worth.sum(axis=1).A1

    def jaccard(self, ones: Any, others: Any) -> Any:
        """Return the share of the terms of both that each pair has in common, 0 to 1."""
        import numpy

        shared = self._common(ones, others).sum(axis=1).A1
        whole = self._whole[ones] + self._whole[others] - shared
        return numpy.divide(shared, whole, out=numpy.zeros_like(whole), where=whole > 0)

    def rarest(self, ones: Any, others: Any) -> Any:
        """Return how rare the rarest term is that both have: 0 for none, 1 from `_RARE` on."""
        import numpy

        if not self._had.shape[1]:  # function words alone are about nothing
            return numpy.zeros(len(ones))
        most = self._common(ones, others).max(axis=1).toarray().ravel()
        return (most / _RARE).clip(0, 1)

    def _common(self, ones: Any, others: Any) -> Any:
        return self._worth[ones].multiply(self._had[others]).tocsr()
