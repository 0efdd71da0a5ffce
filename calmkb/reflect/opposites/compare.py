"""Similar but opposite: what similarity cannot see and must never merge.

"Use pnpm, not npm" and "use npm, not pnpm" are one text to TF-IDF and nearly one to embeddings.
Signs are read instead: what is preferred to what, negation, opposite words, what comes first, and a
name, number or word that alone has changed.
"""

from difflib import SequenceMatcher
from functools import lru_cache

from calmkb.reflect.opposites.antonyms import DENYING_VERBS, are_opposite
from calmkb.reflect.opposites.defaults import defaults_differ
from calmkb.reflect.opposites.order import orders_reversed
from calmkb.reflect.opposites.parse import ParsedText, content
from calmkb.reflect.similarity.terms import stem

_ALIKE = 0.6
_SPELT_ALIKE = 0.75
_ENOUGH = 3  # words of meaning of which one alone differs
_NAMING = frozenset(
    """use uses using prefer run choose with via install call from to in into on at by of""".split()
)


def opposed(one: str, other: str) -> bool:
    """Return whether two similar texts say opposite or different things."""
    a, b = _parsed(one), _parsed(other)
    return contradicts(one, other) or _reordered(a.raw, b.raw) or _changed(a, b)


def contradicts(one: str, other: str) -> bool:
    """Return whether two similar texts say opposite things.

    Less than `opposed`: two reports that differ in a number or a name are of one theme still.
    """
    return (
        _contradicts(_parsed(one), _parsed(other))
        or orders_reversed(one, other)
        or defaults_differ(one, other)
    )


@lru_cache(maxsize=64)  # one text is held against many, one after another
def _parsed(text: str) -> ParsedText:
    return ParsedText(text)


def _contradicts(one: ParsedText, other: ParsedText) -> bool:
    if _preferences_crossed(one, other):
        return True
    said, replied = set(one.content), set(other.content)
    if len(said & replied) / max(1, min(len(said), len(replied))) < _ALIKE:
        return False
    return _negated(one, other) or any(
        are_opposite(x, y) for x in one.stems - other.stems for y in other.stems - one.stems
    )


def _preferences_crossed(one: ParsedText, other: ParsedText) -> bool:
    """Return whether one text prefers what the other one rejects."""
    if any((y, x) in other.preferences for x, y in one.preferences):
        return True
    if any(_chosen_apart(x, y, one, other) for x in one.asked_for for y in other.asked_for):
        return True
    return bool(
        one.rejected & (other.asked_for - other.rejected)
        or other.rejected & (one.asked_for - one.rejected)
    )


def _chosen_apart(x: str, y: str, one: ParsedText, other: ParsedText) -> bool:
    """Return whether x is asked for here and y there, opposites or both spoken of in both texts."""
    if x in other.asked_for or y in one.asked_for:
        return False
    threes = zip(one.raw, one.raw[1:], one.raw[2:], strict=False)
    if any({a, b} == {x, y} and middle in {"and", "or"} for a, middle, b in threes):
        return False
    return are_opposite(stem(x), stem(y)) or {x, y} <= set(one.raw) & set(other.raw)


def _negated(one: ParsedText, other: ParsedText) -> bool:
    """Return whether one text denies what the other says plainly.

    Where both deny as often, each must deny what the other says: "never without" is "always with".
    """
    denied_a, times_a = one.denials
    denied_b, times_b = other.denials
    stated_a, stated_b = ({*it.content, *(it.stems & DENYING_VERBS)} for it in (one, other))
    hits = [bool(denied_a & stated_b - denied_b), bool(denied_b & stated_a - denied_a)]
    if times_a % 2 == times_b % 2:
        return all(hits)
    return any(hits)


def _changed(one: ParsedText, other: ParsedText) -> bool:
    """Return whether the texts are the same but for a number, one word, or their order."""
    numbers_a, numbers_b = ({w for w in it.words if w[0].isdigit()} for it in (one, other))
    if numbers_a - numbers_b and numbers_b - numbers_a:
        plain = ([w for w in it.words if not w[0].isdigit()] for it in (one, other))
        a, b = (set(content(words)) for words in plain)
        return len(a & b) >= _ALIKE * len(a | b)
    if len(one.content) != len(other.content) or len(one.content) < 2:
        return False
    apart = [(x, y) for x, y in zip(one.content, other.content, strict=True) if x != y]
    return len(apart) == 1 and _another(*apart[0], one, other)


def _reordered(a: list[str], b: list[str]) -> bool:
    """Return whether the same words come in another order.

    Around an "and" the order says nothing, nor where a clause only moved to the front.
    """
    if a == b or sorted(a) != sorted(b) or content(a) == content(b):
        return False
    moved = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    listed = len(moved) == 2 and all(w in {"and", "or"} for w in a[moved[0] + 1 : moved[1]])
    return not listed and not any(a[i:] + a[:i] == b for i in range(len(a)))


def _another(x: str, y: str, one: ParsedText, other: ParsedText) -> bool:
    """Return whether two stems in the same place are two things and not one in other words."""
    if not (x.isalpha() and y.isalpha()):
        return True
    if SequenceMatcher(None, x, y).ratio() >= _SPELT_ALIKE and min(len(x), len(y)) > 4:
        return False
    enough = len(one.content) >= _ENOUGH
    return enough or (_is_named(x, one.words) and _is_named(y, other.words))


def _is_named(found: str, words: list[str]) -> bool:
    """Return whether a stem is where names are: after a verb of choice or a preposition."""
    pairs = zip(["", *words], words, strict=False)
    return any(before in _NAMING and content([word]) == [found] for before, word in pairs)
