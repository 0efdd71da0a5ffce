"""What a text is cut into: one function a view; the views are weighed each by itself.

Character 3-5-grams for word forms, words and pairs of them for meaning, no stop list: one would
make "do not mock" equal to "mock". The cuts are those of scikit-learn's `char_wb` and `word`.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

SETTINGS = "characters 3-5, words 1-2; 1"
"""Names what the views cut; change it with any of them, so that counts kept before are not used."""

_TOKEN = re.compile(r"[^\s`'\"(),;:!?\[\]{}<>]+")  # words, flags and paths
_SIZES = (3, 4, 5)


def characters(text: str) -> Iterator[str]:
    """Yield the 3- to 5-grams of each word with a blank on both sides; a short word once."""
    for word in text.split():
        padded = f" {word} "
        for size in _SIZES:
            if len(padded) <= size:
                yield padded
                break
            for start in range(len(padded) - size + 1):
                yield padded[start : start + size]


def words(text: str) -> Iterator[str]:
    """Yield the words, then each two that stand together."""
    found = _TOKEN.findall(text)
    yield from found
    for one, other in pairwise(found):
        yield f"{one} {other}"


VIEWS: tuple[Callable[[str], Iterator[str]], ...] = (characters, words)
