"""From texts to term counts, which may be kept, and from counts to TF-IDF rows of length 1.

A term is a digest of 64 bits: no list of words is kept, columns have one order whatever texts are
there, and counts of different days fit together. The weights depend on all texts, so they are never
kept. A term that counts a word or less weighs what it counts, one that counts more 1 + ln of it
(sublinear, as scikit-learn's TfidfVectorizer), each times its idf.
"""

import hashlib
import itertools
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.similarity.terms import UNIT, terms

_ROWS = 10_000  # weighed at a time: what is made on the way stays small
_MOST = 65_535
_ELSEWHERE = 100
"""Texts that are taken to stand beside those given, without their words: or else of two texts that
share a word it would be held common, and that they do not share the rest, telling."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What each term counts in each text, in tenths of a word.

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


def count(texts: Sequence[str], analyse: Callable[[str], Mapping[str, int]] = terms) -> Counts:
    """Return what each term counts in each text."""
    import numpy
    from scipy.sparse import csr_matrix

    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    starts, columns, found = [0], array("i"), array("I")  # arrays, not lists: they take a tenth
    for text in texts:
        cut = analyse(text)
        columns.extend(map(numbers.__getitem__, cut))
        found.extend(cut.values())
        starts.append(len(columns))
    digests = numpy.array([_digest(term) for term in numbers], dtype=numpy.uint64)
    names, places = numpy.unique(digests, return_inverse=True)
    indices = places.astype(numpy.int32)[numpy.array(columns, dtype=numpy.int32)]
    worths = numpy.minimum(numpy.array(found, dtype=numpy.uint32), _MOST).astype(numpy.uint16)
    made = (worths, indices, numpy.array(starts))
    table = csr_matrix(made, shape=(len(texts), len(names)))
    table.sum_duplicates()
    return Counts(names, table)


def unit_rows(counts: Counts) -> Any:
    """Return a sparse matrix of TF-IDF weights; a row is as long as 1, or all zeros."""
    import numpy
    from scipy.sparse import csr_matrix

    table = counts.table
    if not table.nnz:
        return csr_matrix(table.shape)
    total = table.shape[0]
    frequencies = numpy.bincount(table.indices, minlength=table.shape[1])
    idf = numpy.log((1 + total + _ELSEWHERE) / (1 + frequencies)) + 1
    weights = numpy.empty(table.nnz)
    for start in range(0, total, _ROWS):
        end = min(start + _ROWS, total)
        part = slice(table.indptr[start], table.indptr[end])
        worth = table.data[part] / UNIT
        made = numpy.where(worth > 1, 1 + numpy.log(worth), worth) * idf[table.indices[part]]
        rows = numpy.repeat(numpy.arange(end - start), numpy.diff(table.indptr[start : end + 1]))
        squares = numpy.bincount(rows, weights=made**2, minlength=end - start)
        weights[part] = made / numpy.sqrt(squares)[rows]
    return csr_matrix((weights, table.indices, table.indptr), shape=table.shape)


def _digest(term: str) -> int:
    digest = hashlib.blake2b(term.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big")
