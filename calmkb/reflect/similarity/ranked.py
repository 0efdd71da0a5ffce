"""The cosines of one text with few others, without scikit-learn: it takes long to load.

A thousand short texts take 0.08 s, that import 0.7 to 1. The numbers are those of
`vectors.vectorise`; a test holds them against each other.
"""

from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from calmkb.reflect.similarity.terms import weighted_terms
from calmkb.reflect.similarity.vectors import ELSEWHERE


def cosines(query: str, texts: Sequence[str]) -> list[float]:
    """Return the cosine of each text with the query, 0 to 1; how rare a word is, all tell."""
    counts = [Counter(weighted_terms(text)) for text in (query, *texts)]
    had = Counter(term for one in counts for term in one)
    rows = [_weighed(one, had, len(counts) + ELSEWHERE) for one in counts]
    return [
        min(1.0, sum(worth * row.get(term, 0.0) for term, worth in rows[0].items()))
        for row in rows[1:]
    ]


def _weighed(counts: Counter[str], had: Counter[str], total: int) -> dict[str, float]:
    """Return the weights of the terms of one text, of length 1 together."""
    row = {
        term: (1 + log(count)) * (log((1 + total) / (1 + had[term])) + 1)
        for term, count in counts.items()
    }
    length = sqrt(sum(worth**2 for worth in row.values()))
    return {term: worth / length for term, worth in row.items()}
