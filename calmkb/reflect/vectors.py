"""Texts as TF-IDF vectors: character 3-5-grams for word forms, words for meaning, no stop list.

A stop list would make "do not mock" equal to "mock". Rows have length 1, so a dot product is the
cosine.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from calmkb.reflect.weights import Counting, count, unit_rows

_NOISE = re.compile(r"`+|\*\*|^[-*\d.)\s]+(?=\w)")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
Analyser = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Tfidf:
    """The method that needs no model; thresholds from `make bench-quality`.

    `counting` may be one that keeps the counts of texts.
    """

    name: str = "tfidf"
    duplicate: float = 0.70
    theme: float = 0.30
    agreement: float = 0.45
    counting: Counting = count

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return sparse rows of length 1, zeros for a text without words."""
        return vectorise(texts, self.counting)

    def views(self, texts: Sequence[str]) -> list[Any]:
        """Return stems, those that carry meaning, letters, and pairs of each."""
        stems, topical, letters = word_vectors(texts), _weighed(texts, _topics), _letters(texts)
        return [
            stems,
            topical,
            letters,
            joined((topical, 2), (letters, 1)),
            joined((stems, 2), (_weighed(texts, _pairs), 1)),
        ]


PLAIN = Tfidf()
"""What is used where nothing else was chosen."""


def vectorise(texts: Sequence[str], counting: Counting = count) -> Any:
    """Return a sparse matrix, one row of length 1 a text (an empty text has a row of zeros)."""
    return unit_rows(counting([_plain(text) for text in texts]))


def word_vectors(texts: Sequence[str]) -> Any:
    """Return TF-IDF of word stems alone, sparse rows of length 1."""
    return _weighed(texts, _stems)


def joined(*parts: tuple[Any, float]) -> Any:
    """Return matrices of unit rows side by side: cosines add up, each by its weight."""
    from scipy.sparse import csr_matrix, hstack

    total = sum(weight for _, weight in parts)
    return hstack([csr_matrix(rows) * (w / total) ** 0.5 for rows, w in parts], format="csr")


def _letters(texts: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    maker = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    return maker.fit_transform([f"{text} ." for text in texts])


def _weighed(texts: Sequence[str], analyser: Analyser) -> Any:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        return TfidfVectorizer(analyzer=analyser, sublinear_tf=True).fit_transform(texts)
    except ValueError:  # not one word in all texts
        return csr_matrix((len(texts), 1))


def _stems(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.casefold())]


def _topics(text: str) -> list[str]:
    """Return the stems of the words that carry meaning; for themes, where a "not" changes none."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return [
        _stem(word) for word in _WORD.findall(text.casefold())
        if word not in ENGLISH_STOP_WORDS and "'" not in word
    ]  # fmt: skip


def _pairs(text: str) -> list[str]:
    stems = _stems(text)
    return [f"{one} {other}" for one, other in pairwise(stems)]


@cache
def _stem(word: str) -> str:
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    from snowballstemmer import stemmer

    found: Callable[[str], str] = stemmer("english").stemWord
    return found


def _plain(text: str) -> str:
    """Return `text` in lower case without Markdown marks; the full stop that ends it goes too."""
    return _NOISE.sub("", text).casefold().strip().rstrip(".")
