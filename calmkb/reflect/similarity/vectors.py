"""Texts as TF-IDF vectors: rows of a matrix by scikit-learn, or few of them without it.

Loading scikit-learn takes 0.7 to 1 s; `near` compares a thousand sentences with one another in half
a second without. Its numbers are those of `vectorise`: a test compares both.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import Any

from calmkb.reflect.similarity.near import SLACK
from calmkb.reflect.similarity.terms import weighted_terms

ELSEWHERE = 20
"""Documents assumed beside those given, without their words: otherwise a word that two texts share
would count as common, and one that they do not share as distinctive. With many, in turn, what a
dozen sentences of one pattern share would count as rare."""
WORDS = 0.7  # what words weigh beside a model: whether two texts say the same hangs on their names


def near(
    texts: Sequence[str], others: Sequence[str] | None, threshold: float
) -> Iterator[tuple[int, int, float]]:
    """Yield (text, other, cosine) where the cosine is at least `threshold`, by text and other.

    Where `others` is None, the texts are compared with one another; those that share no term never.
    """
    counts = [Counter(weighted_terms(text)) for text in (*texts, *(others or ()))]
    had = Counter(term for one in counts for term in one)
    rows = [_weighed(one, had, len(counts) + ELSEWHERE) for one in counts]
    known = rows if others is None else rows[len(texts) :]
    holders = defaultdict[str, list[tuple[int, float]]](list)
    for other, row in enumerate(known):
        for term, worth in row.items():
            holders[term].append((other, worth))
    for number, row in enumerate(rows[: len(texts)]):
        levels = defaultdict[int, float](float)
        for term, worth in row.items():
            for other, its_worth in holders.get(term, ()):
                levels[other] += worth * its_worth
        for other, cosine in sorted(levels.items()):
            if cosine >= threshold - SLACK:
                yield number, other, min(1.0, cosine)


def _weighed(counts: Counter[str], had: Counter[str], total: int) -> dict[str, float]:
    """Return the weights of the terms of one text, of length 1 together."""
    row = {
        term: (1 + log(count)) * (log((1 + total) / (1 + had[term])) + 1)
        for term, count in counts.items()
    }
    length = sqrt(sum(worth**2 for worth in row.values()))
    return {term: worth / length for term, worth in row.items()}


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
