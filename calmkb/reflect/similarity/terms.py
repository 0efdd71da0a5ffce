"""What a text is cut into, and how much each part says.

Words are cut to their stems (Snowball's stemmer of the text's language); Chinese, Japanese and
Korean, which do not part words, to pairs of characters. Function words say little and are never
left out: without them "do not mock" would equal "mock". A name with odd letters (a path, a flag, an
identifier) is one term, so that two files of one folder are two things, and its parts count less.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache

from calmkb.language.detect import ENGLISH, SMALL_WORDS, language
from calmkb.reflect.similarity.function_words import FUNCTION_WORDS

_WHOLE, _LITTLE = 4, 1
"""How often a term counts, and a function word or a part of a name. A logarithm follows."""

_TOKEN = re.compile(r"[^\s`'\"(),;!?\[\]{}<>*|=]+(?:'[a-z]+)?")
_EAST = "\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7a3"
_PART = re.compile(rf"[{_EAST}]+|(?:(?![{_EAST}])[^\W\d_])+(?:'[a-z]+)?|\d+(?:\.\d+)*")
_IN_EAST = re.compile(rf"[{_EAST}]")
_KANA = re.compile(r"[\u3041-\u3096]{2}")
_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "pt": "portuguese",
    "it": "italian", "ru": "russian",
}  # fmt: skip
_EDGES = ".:-_/#"
_KEPT = 50_000  # words whose parts are kept in memory: few occur once
_TEXTS = (
    100_000  # texts whose terms are: one command compares them for several ends, 400 bytes each
)


@lru_cache(maxsize=_TEXTS)
def weighted_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a text, each as often as it counts; to say it again adds nothing."""
    spoken = language(text)
    found: dict[str, int] = {}
    for token in _TOKEN.findall(text.casefold()):
        for term, worth in _parted(token, spoken):
            if worth > found.get(term, 0):
                found[term] = worth
    return tuple(term for term, worth in found.items() for _ in range(worth))


def stems(text: str) -> Counter[str]:
    """Return the stems of the words in a text, names cut to parts; all count the same."""
    spoken = language(text)
    return Counter(one for word in _words(text) for one in _pieces(word, spoken))


def topics(text: str) -> Counter[str]:
    """Return the stems of the words that say what a text is about."""
    spoken = language(text)
    words = (word for word in _words(text) if not _is_function_word(word, spoken))
    return Counter(one for word in words for one in _pieces(word, spoken))


def stem(word: str, spoken: str = ENGLISH) -> str:
    """Return a word without its ending: "tests" and "testing" are one."""
    if spoken == ENGLISH and not word.isascii():
        return word
    return _stemmed(word, spoken)


@lru_cache(maxsize=_KEPT)
def _parted(token: str, spoken: str) -> tuple[tuple[str, int], ...]:
    """Return the terms of one token with what each counts."""
    word = token.strip(_EDGES)
    parts = _PART.findall(word)
    whole = not word or parts == [word]
    if whole or _IN_EAST.search(word):  # a whole clause, which nobody says twice
        return tuple(one for part in parts for one in _worth(part, spoken))
    return (
        (f"={word}", _WHOLE),
        *((one, _LITTLE) for part in parts for one, _ in _worth(part, spoken)),
    )


def _worth(word: str, spoken: str) -> tuple[tuple[str, int], ...]:
    if _is_function_word(word, spoken):
        return ((word, _LITTLE),)
    pieces = _pieces(word, spoken)
    return tuple((one, _LITTLE if _KANA.fullmatch(one) else _WHOLE) for one in pieces)


def _is_function_word(word: str, spoken: str) -> bool:
    if spoken == ENGLISH:
        return word in FUNCTION_WORDS
    return word in SMALL_WORDS.get(spoken, ())


def _pieces(word: str, spoken: str) -> list[str]:
    """Return the stem of a word, or the pairs of characters where no space parts words."""
    if not _IN_EAST.match(word):
        return [stem(word, spoken)] if word else []
    return [word[n : n + 2] for n in range(len(word) - 1)] or [word]


def _words(text: str) -> list[str]:
    return [str(word) for word in _PART.findall(text.casefold())]


@cache
def _stemmed(word: str, spoken: str) -> str:
    return _stemmer(spoken)(word)


@cache
def _stemmer(spoken: str) -> Callable[[str], str]:
    from snowballstemmer import stemmer

    found: Callable[[str], str] = stemmer(_STEMMERS.get(spoken, "english")).stemWord
    return found
