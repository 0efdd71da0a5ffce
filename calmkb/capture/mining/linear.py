"""A linear model as a table: flags by name, and words and runs of letters by their hash.

Hooks ask it, so nothing is imported for it; `benchmarks/capture` fits it with scikit-learn. A table
holds numbers alone: no word of a prompt can be read from it.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

SIZE = 1 << 15
"""Numbers of a table that words and letters share."""
_WORD = re.compile(r"\w[\w']*|[?!]")

Features = dict[str | int, float]
"""A flag's name or a hash, and how much of it there is."""


class Linear(NamedTuple):
    """What is weighed, and the probability from which on the answer is yes."""

    bias: float
    threshold: float
    flags: Mapping[str, float]
    step: float
    hashed: Sequence[int]

    def probability(self, found: Features) -> float:
        """Return how probable a yes is, 0 to 1."""
        named = sum(self.flags.get(key, 0.0) * found[key] for key in found if isinstance(key, str))
        other = sum(self.hashed[key] * found[key] for key in found if isinstance(key, int))
        score = self.bias + named + self.step * other
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))

    def says(self, found: Features) -> bool:
        """Return whether the answer is yes, surely enough."""
        return self.probability(found) >= self.threshold


@cache
def read_models(path: Path) -> Mapping[str, Linear]:
    """Return the models of a table by name."""
    models = json.loads(path.read_text(encoding="utf-8"))["models"]
    return {
        name: Linear(**{**one, "hashed": memoryview(b64decode(one["hashed"])).cast("b")})
        for name, one in models.items()
    }


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, each two in a row, and how it begins."""
    single = _WORD.findall(text.lower())
    starts = [f"^ {' '.join(single[:count])}" for count in range(1, min(3, len(single)) + 1)]
    return [*single, *map(" ".join, pairwise(single)), *starts]


def letters(text: str, least: int, most: int) -> Iterator[str]:
    """Yield the runs of letters within the words of a text, as CountVectorizer's `char_wb` has."""
    for word in text.lower().split():
        padded = f" {word} "
        for size in range(least, min(most, len(padded)) + 1):
            yield from (padded[n : n + size] for n in range(len(padded) - size + 1))


def add_hashed(found: Features, kind: str, items: Iterable[str]) -> None:
    """Add each item once, weighed so that a long text counts no more than a short one."""
    distinct = {crc32(f"{kind}:{item}".encode(errors="replace")) % SIZE for item in items}
    for one in distinct:
        found[one] = found.get(one, 0.0) + 1 / sqrt(len(distinct))
