"""Texts as TF-IDF vectors: character 3-5-grams for word forms, words for meaning, no stop list.

A stop list would make "do not mock" equal to "mock". Rows have length 1, so a dot product is the
cosine.
"""

import re
from collections.abc import Sequence
from typing import Any

# The two views weigh the same; the square root makes their cosines add up to at most 1.
_HALF = 0.5**0.5
_TOKEN = r"[^\s`'\"(),;:!?\[\]{}<>]+"  # noqa: S105 - a pattern for words, flags and paths
_NOISE = re.compile(r"`+|\*\*|^[-*\d.)\s]+(?=\w)")


def vectorise(texts: Sequence[str]) -> Any:
    """Return a sparse matrix, one row of length 1 a text (an empty text has a row of zeros)."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    plain = [_plain(text) for text in texts]
    if not any(plain):
        return csr_matrix((len(texts), 1))
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    words = TfidfVectorizer(token_pattern=_TOKEN, ngram_range=(1, 2), sublinear_tf=True)
    both = [characters.fit_transform(plain) * _HALF, words.fit_transform(plain) * _HALF]
    return hstack(both, format="csr")


def _plain(text: str) -> str:
    """Return `text` in lower case without Markdown marks; the full stop that ends it goes too."""
    return _NOISE.sub("", text).casefold().strip().rstrip(".")
