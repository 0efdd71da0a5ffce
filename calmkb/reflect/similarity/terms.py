"""What a text is cut into, and how much each part says, in tenths.

Words are cut to their stems (Porter's English stemmer). Function words say little and are never
left out: without them "do not mock" would equal "mock". A name with odd letters (a path, a flag, an
identifier) is one term, so that two files of one folder are two things, and its parts count half.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain, pairwise

from calmkb.reflect.similarity.function_words import FUNCTION_WORDS

UNIT = 10
"""What a word counts that stands once."""
_HALF, _LITTLE = 5, 2

_TOKEN = re.compile(r"[^\s`'\"(),;!?\[\]{}<>*|=]+(?:'[a-z]+)?")
_PART = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+(?:\.\d+)*")
_EDGES = ".:-_/#"
_SIZES = (3, 4, 5)
_KEPT = 50_000  # words whose parts are kept in memory: few stand once
# "**Fix:**", "*05:06 AM:**", "Rule:": what stands in front of many texts is not what they say.
_LABEL = re.compile(
    r"\A[^\w`]*(?:[^\W_](?:[\w -]{0,30}?\w)?|\d\d?:\d\d [ap]m)(?::\*\*|\*\*:)\s*"
    r"|\A[\W_]*(?:consistent fix|current|fix|lesson|note|pattern|result|rule|total):\s+",
    re.IGNORECASE,
)


def terms(text: str) -> Counter[str]:
    """Return the terms of a text, each with what it counts in tenths of a word."""
    bare = _LABEL.sub("", text)
    found: Counter[str] = Counter()
    for token in _TOKEN.findall((bare if " " in bare.strip() else text).casefold()):
        for term, worth in _parted(token):
            found[term] += worth
    return found


def stems(text: str) -> Counter[str]:
    """Return the stems of the words in a text, names cut to parts; all count the same."""
    return Counter({stem: UNIT * times for stem, times in Counter(_stems(text)).items()})


def topics(text: str) -> Counter[str]:
    """Return the stems of the words that say what a text is about."""
    said = (word for word in _words(text) if word not in FUNCTION_WORDS)
    return Counter({one: UNIT * times for one, times in Counter(map(stem, said)).items()})


def pairs(text: str) -> Counter[str]:
    """Return each two stems that stand together."""
    found = _stems(text)
    both = Counter(f"{one} {other}" for one, other in pairwise(found))
    return Counter({pair: UNIT * times for pair, times in both.items()})


def letters(text: str) -> Counter[str]:
    """Return the 3- to 5-grams of the words with a blank on both sides, a short word once."""
    grams = Counter(chain.from_iterable(map(_grams, text.casefold().split())))
    return Counter({gram: UNIT * times for gram, times in grams.items()})


def stem(word: str) -> str:
    """Return a word without its ending: "tests" and "testing" are one."""
    return _stemmed(word) if word.isascii() else word


@lru_cache(maxsize=_KEPT)
def _parted(token: str) -> tuple[tuple[str, int], ...]:
    """Return the terms of one token with what each counts."""
    word = token.strip(_EDGES)
    parts = _PART.findall(word)
    if not word or parts == [word]:
        return _worth(word, UNIT)
    return ((f"={word}", UNIT), *(one for part in parts for one in _worth(part, _HALF)))


def _worth(word: str, worth: int) -> tuple[tuple[str, int], ...]:
    if word in FUNCTION_WORDS:
        return ((word, max(1, _LITTLE * worth // UNIT)),)
    return ((stem(word), worth),) if word else ()


@lru_cache(maxsize=_KEPT)
def _grams(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    found = [
        padded[start : start + size]
        for size in _SIZES
        if size < len(padded)
        for start in range(len(padded) - size + 1)
    ]
    return tuple(found if len(padded) > _SIZES[-1] else [*found, padded])


def _words(text: str) -> list[str]:
    return [str(word) for word in _PART.findall(text.casefold())]


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _words(text)]


@cache
def _stemmed(word: str) -> str:
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    from snowballstemmer import stemmer

    found: Callable[[str], str] = stemmer("english").stemWord
    return found
