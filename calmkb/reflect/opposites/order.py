"""What comes before what: "lint, then test", "test after linting", "first lint and second test"."""

import re
from dataclasses import dataclass
from functools import lru_cache

from calmkb.reflect.similarity.function_words import FUNCTION_WORDS
from calmkb.reflect.similarity.terms import stem

_WORD = re.compile(r"[\w`./-]*\w")
_BEFORE = r"(?:before|prior to|ahead of|until)"
_AFTER = r"(?:after|as soon as|once(?= (?:the|a|an|all|every|your|this|that) ))"
_TURN = r"(?:,|;| and)*\s+(?:then|second|afterwards)\b"
# Each with the groups a (earlier) and b (later).
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\A\W*{_BEFORE}\s+(?P<b>[^,;]+)[,;]\s*(?P<a>.+)",
        rf"\A\W*(?:once|{_AFTER})\s+(?P<a>[^,;]+)[,;]\s*(?P<b>.+)",
        rf"(?P<a>.+?)\s+{_BEFORE}\s+(?P<b>[^;:]+)",
        rf"(?P<b>.+?)\s+{_AFTER}\s+(?P<a>[^;:]+)",
        rf"(?P<a>.+?){_TURN}\s*(?P<b>.+)",
        r"(?P<a>.+?)\s+first\b(?:,|;| and)+\s*(?P<b>.+)",
    )
)

_LONGEST = 1_000
"""Characters of a text whose order is looked for: the patterns take the square of it."""
_TURNING = re.compile("before|prior|ahead|until|after|as soon|once|then|second|first", re.I)
"""Without one of these no pattern fits; to look for them costs a tenth of trying all."""
_MOMENT = re.compile(rf"\b(?:{_BEFORE}|{_AFTER})\b", re.IGNORECASE)
_CROSSED = 0.6  # the share of the words of each side that must have changed its place
_PRONOUN = re.compile(r"\b(?:it|its|they|their|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Order:
    earlier: frozenset[str]
    later: frozenset[str]


def orders_reversed(one: str, other: str) -> bool:
    """Return whether what is earlier in one text is later in the other, and the other way round.

    One side alone proves nothing: what has to be done before a push can be late in another text.
    """
    if (a := _order(one)) is None or (b := _order(other)) is None:
        return False
    straight = _shared(a.earlier, b.earlier) + _shared(a.later, b.later)
    crossed = (_shared(a.earlier, b.later), _shared(a.later, b.earlier))
    return sum(crossed) > straight and min(crossed) >= _CROSSED


@lru_cache(maxsize=64)  # one text is held against many, one after another
def _order(text: str) -> _Order | None:
    if not _TURNING.search(text):
        return None
    if len(text) > _LONGEST or len(_MOMENT.findall(text)) > 1:
        return None  # of three things in order, no one pattern tells which is which
    for pattern in _PATTERNS:
        found = pattern.search(text)
        if found and (_PRONOUN.search(found["a"]) or _PRONOUN.search(found["b"])):
            return None  # "before it starts": what starts is not told here
        words = [_WORD.findall(found[side].casefold()) for side in "ab"] if found else []
        both = [frozenset(map(stem, {*side} - FUNCTION_WORDS)) for side in words]
        if both and all(both):
            return _Order(*both)
    return None


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other))
