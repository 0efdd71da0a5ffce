"""Texts as TF-IDF vectors: sparse rows of length 1, so that a dot product is the cosine."""

from collections.abc import Sequence
from typing import Any

from calmkb.reflect.similarity.terms import weighted_terms

ELSEWHERE = 20
"""Documents assumed beside those given, without their words: otherwise a word that two texts share
would count as common, and one that they do not share as distinctive. With many, in turn, what a
dozen sentences of one pattern share would count as rare."""
WORDS = 0.7
"""What words weigh beside a model: whether two texts say the same hangs on their names."""


def vectorise(texts: Sequence[str]) -> Any:
    """Return a sparse matrix of TF-IDF weights; a row has length 1, or 0 for an empty text."""
    import numpy
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(weighted_terms(text) for text in texts):  # a vocabulary of nothing is refused
        return csr_matrix((len(texts), 1))
    maker = TfidfVectorizer(analyzer=weighted_terms, sublinear_tf=True)
    # Sorted, so that sums are rounded alike whatever the order.
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rows = maker.fit_transform([*(texts[row] for row in order), *[""] * ELSEWHERE])
    return rows[numpy.argsort(order)]


def beside(rows: Any, embedded: Sequence[Sequence[float]]) -> Any:
    """Return rows whose cosine is the mean of that of `rows` and of a model's, by their weights."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.preprocessing import normalize

    model = csr_matrix(normalize(embedded))
    return hstack([rows * WORDS**0.5, model * (1 - WORDS) ** 0.5], format="csr")
