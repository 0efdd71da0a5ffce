"""From texts to term counts, which may be kept, and from counts to TF-IDF rows of length 1.

A term is a digest of 64 bits whose first says which view it belongs to: no list of words is kept,
columns have one order whatever texts are there, and counts of different days fit together. The
weights depend on all texts, so they are never kept; they are those of scikit-learn's
TfidfVectorizer with `sublinear_tf` (a smoothed idf, rows of length 1), for each view by itself.
"""

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.terms import VIEWS

_ROWS = 10_000  # weighed at a time: what is made on the way stays small
_MOST = 65_535
_VIEW_BITS = 4


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each text holds each term.

    `terms` are the columns' digests, ascending; `table` is a sparse matrix of 16-bit counts, one
    row a text, columns ascending in each row.
    """

    terms: Any
    table: Any

    def of(self, rows: Sequence[int]) -> "Counts":
        """Return the counts of these rows, in this order."""
        if len(rows) == self.table.shape[0] and list(rows) == list(range(len(rows))):
            return self
        return Counts(self.terms, self.table[rows])

    def joined(self, other: "Counts") -> "Counts":
        """Return the rows of both, those of `other` last."""
        import numpy
        from scipy.sparse import csr_matrix

        terms = numpy.union1d(self.terms, other.terms)
        parts = []
        for counts in (self, other):
            places = numpy.searchsorted(terms, counts.terms).astype(numpy.int32)
            parts.append(places[counts.table.indices])
        starts = (self.table.indptr, other.table.indptr[1:] + self.table.indptr[-1])
        numbers = numpy.concatenate([self.table.data, other.table.data])
        made = (numbers, numpy.concatenate(parts), numpy.concatenate(starts))
        shape = (self.table.shape[0] + other.table.shape[0], len(terms))
        return Counts(terms, csr_matrix(made, shape=shape))


Counting = Callable[[Sequence[str]], Counts]
"""Returns the counts of texts, a row each; a cache stands in for `count`."""


def count(texts: Sequence[str]) -> Counts:
    """Return how often each text holds each term of each view."""
    import numpy
    from scipy.sparse import csr_matrix

    numbers: dict[tuple[int, str], int] = {}
    # Arrays, not lists: a text has hundreds of terms.
    starts, columns, found = [0], array("i"), array("H")
    for text in texts:
        for view, analyse in enumerate(VIEWS):
            for term, times in Counter(analyse(text)).items():
                columns.append(numbers.setdefault((view, term), len(numbers)))
                found.append(min(times, _MOST))
        starts.append(len(columns))
    digests = numpy.array([_digest(*key) for key in numbers], dtype=numpy.uint64)
    terms, places = numpy.unique(digests, return_inverse=True)
    indices = places.astype(numpy.int32)[numpy.array(columns, dtype=numpy.int32)]
    made = (numpy.array(found, dtype=numpy.uint16), indices, numpy.array(starts))
    table = csr_matrix(made, shape=(len(texts), len(terms)))
    table.sum_duplicates()
    return Counts(terms, table)


def unit_rows(counts: Counts) -> Any:
    """Return a sparse matrix of TF-IDF weights; a row is as long as 1, or all zeros.

    Each view that a row has terms in weighs the same: cosines of the views add up to at most 1.
    """
    import numpy
    from scipy.sparse import csr_matrix

    table = counts.table
    if not table.nnz:
        return csr_matrix(table.shape)
    total = table.shape[0]
    frequencies = numpy.bincount(table.indices, minlength=table.shape[1])
    idf = numpy.log((1 + total) / (1 + frequencies)) + 1
    views = (counts.terms >> numpy.uint64(64 - _VIEW_BITS)).astype(numpy.int64)
    weights = numpy.empty(table.nnz)
    for start in range(0, total, _ROWS):
        end = min(start + _ROWS, total)
        part = slice(table.indptr[start], table.indptr[end])
        columns = table.indices[part]
        made = (1 + numpy.log(table.data[part], dtype=float)) * idf[columns]
        rows = numpy.repeat(numpy.arange(end - start), numpy.diff(table.indptr[start : end + 1]))
        places = rows * len(VIEWS) + views[columns]
        squares = numpy.bincount(places, weights=made**2, minlength=(end - start) * len(VIEWS))
        weights[part] = made / numpy.sqrt(squares * len(VIEWS))[places]
    return csr_matrix((weights, table.indices, table.indptr), shape=table.shape)


def _digest(view: int, term: str) -> int:
    digest = hashlib.blake2b(term.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> _VIEW_BITS | view << (64 - _VIEW_BITS)
