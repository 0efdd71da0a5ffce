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
from calmkb.reflect.similarity.tfidf import rarity, term_counts

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
_FEWEST = 0.05
"""The share of terms below which no labelled pair came to `POSSIBLE`."""
_CELLS = 2_000_000
"""Pairs of texts that are looked at at once for a rare word: 24 MB."""
_PAIRS = 50_000
"""Pairs that are measured at once: 60 MB."""


def same_trouble(texts: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Yield (text, other, chance from `POSSIBLE` to 1), by text and other.

    How rare a word is, all of the texts tell; so judge those of a knowledge base together, and
    give the same list twice to compare them with each other. Only pairs that share a rare word are
    measured, and those that are the same text.
    """
    import numpy

    first = 0 if texts is others else len(texts)
    judge = _Judge(texts if texts is others else [*texts, *others])
    for rows, columns in _candidates(judge, texts, others, first):
        near = judge.share_terms(rows, columns + first)
        rows, columns = rows[near], columns[near]
        values = judge.measures(rows, columns + first)
        chances = 1 / (1 + numpy.exp(-(values @ (LETTERS, TERMS, RAREST) + CONSTANT)))
        kept = chances >= POSSIBLE
        found = (rows[kept].tolist(), columns[kept].tolist(), chances[kept].tolist())
        yield from zip(*found, strict=True)


def _candidates(
    judge: "_Judge", texts: Sequence[str], others: Sequence[str], first: int
) -> Iterator[tuple[Any, Any]]:
    """Yield arrays of rows of the texts and of the others, by text and other."""
    import numpy

    rare = judge.rare_words()
    same = {text: number for number, text in enumerate(dict.fromkeys([*texts, *others]))}
    equal, likewise = (_whole([same[text] for text in part], len(same)) for part in (texts, others))
    shared, columns = rare[first:].T.tocsr(), likewise.T.tocsr()
    step = max(1, _CELLS // max(1, len(others)))
    for start in range(0, len(texts), step):
        block = slice(start, start + step)
        product = (rare[: len(texts)][block] @ shared + equal[block] @ columns).tocsr()
        product.sort_indices()
        rows = numpy.repeat(numpy.arange(product.shape[0]), numpy.diff(product.indptr)) + start
        for at in range(0, len(rows), _PAIRS):
            part = slice(at, at + _PAIRS)
            yield rows[part], product.indices[part].astype(int)


def _whole(numbers: Sequence[int], width: int) -> Any:
    """Return a row a text with a 1 in the column of its number."""
    import numpy
    from scipy.sparse import csr_matrix

    count = len(numbers)
    return csr_matrix((numpy.ones(count), numbers, numpy.arange(count + 1)), (count, width))


def measures(texts: Sequence[str], ones: Any, others: Any) -> Any:
    """Return the three measures of each pair of rows, a row a pair."""
    return _Judge(texts).measures(ones, others)


class _Judge:
    """The letters, the terms and the names of texts, ready to be compared."""

    def __init__(self, texts: Sequence[str]) -> None:
        cuts = (terms.letters, terms.terms, terms.topics)
        self._letters, self._terms, self._topics = (_Shared(term_counts(texts, c)) for c in cuts)

    def measures(self, ones: Any, others: Any) -> Any:
        """Return the three measures of each pair of rows, a row a pair."""
        import numpy

        return numpy.stack(
            [
                self._letters.jaccard(ones, others),
                self._terms.jaccard(ones, others),
                self._topics.rarest(ones, others),
            ],
            axis=1,
        )

    def share_terms(self, ones: Any, others: Any) -> Any:
        """Return which pairs share enough terms to be one trouble, whatever else they share."""
        return self._terms.jaccard(ones, others) >= _FEWEST

    def rare_words(self) -> Any:
        """Return a row a text, a column a word that is rare enough to be about something."""
        return self._topics.rare()


class _Shared:
    """What rows have in common, each term by its inverse document frequency."""

    def __init__(self, counts: Any) -> None:
        self._had = (counts > 0).astype(float).tocsr()
        self._rarity = rarity(counts)
        self._worth = self._had.multiply(self._rarity).tocsr()
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

    def rare(self) -> Any:
        """Return which terms each row has of those that are as rare as `_DISTINCT` asks."""
        return self._had[:, self._rarity >= _DISTINCT * _RARE].tocsr()

    def _common(self, ones: Any, others: Any) -> Any:
        return self._worth[ones].multiply(self._had[others]).tocsr()
