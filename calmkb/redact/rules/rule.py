"""What a rule is, and how one is applied: only the value is removed, its surroundings are kept."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from calmkb.redact.rules.names import HINTS, NAME

Match = re.Match[str]
MARK = "[redacted"
LONGEST = 2_000
"""Characters of a bare value that a pattern reads: unbounded, an allowed one costs its square."""
_NAMES = re.compile(f"(?={NAME})", re.IGNORECASE)
_NAME_HINTS, _LEAD, _ROOM = re.compile("|".join(HINTS.split())), 24, 60
"""What each name holds, how far behind its start at most, and its room from there."""
_TAIL = re.compile(r"[^\s\"'`]*")


class Hits(Counter[str]):
    """How often each rule hit, and the rule that found each value first."""

    def __init__(self) -> None:
        super().__init__()
        self.values_found: dict[str, str] = {}

    def note(self, rule_id: str, value: str) -> str:
        """Count a hit of a rule and return the mark that replaces the value."""
        self[rule_id] += 1
        self.values_found.setdefault(value, rule_id)
        return f"{MARK}:{rule_id}]"

    def add(self, other: "Hits") -> None:
        """Add what another count holds."""
        self.update(other)
        for value, rule_id in other.values_found.items():
            self.values_found.setdefault(value, rule_id)


class IsAllowed(Protocol):
    """Return whether a value is known to be no secret; `shaped` if it has a provider's shape."""

    def __call__(self, value: str, *, shaped: bool = False) -> bool:
        """Return True to leave the value where it is."""


def allow_nothing(value: str, *, shaped: bool = False) -> bool:
    """Leave no value where it is."""
    return False


def always(found: Match) -> bool:
    """Check a shape that nothing but a secret has."""
    return MARK not in found["value"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with a group `value`; `hints` are lower-case words, one of which must be near.

    A pattern must take linear time: anchored at its start, every repeat bounded or unambiguous.
    It sees the lines around its hint alone, unless it `spans` many lines. `shape` marks the form
    of a provider's tokens, which no pattern of a repository allows as a class.
    """

    id: str
    text: str
    flags: int
    hints: tuple[str, ...]
    when: Callable[[Match], bool] = always
    spans: bool = False
    shape: bool = False

    @property
    def begins_with_name(self) -> bool:
        """Whether each match begins where a secret's name does; these are found but once a text."""
        return self.flags == re.IGNORECASE and self.text.startswith((NAME, f"(?P<name>{NAME})"))

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled on first use: most texts need few, and all take 50 ms."""
        return _compiled(self.text, self.flags)


_compiled = cache(re.compile)


def rule(
    name: str,
    pattern: str,
    hints: str,
    *,
    when: Callable[[Match], bool] = always,
    flags: int = 0,
    spans: bool = False,
    shape: bool = False,
) -> Rule:
    """Return a rule; a pattern without a group `value` is one as a whole."""
    whole = pattern if "(?P<value>" in pattern else f"(?P<value>{pattern})"
    return Rule(name, whole, flags, tuple(hints.split()), when, spans, shape)


class Hints:
    """Finds in one pass which of many rules have a hint in a text: few have."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules, self._places = rules, dict[str, list[int]]()
        shortest = ""
        for hint, at in sorted((hint, at) for at, rule in enumerate(rules) for hint in rule.hints):
            # In this order, a hint that begins with another one follows it.
            shortest = shortest if shortest and hint.startswith(shortest) else hint
            self._places.setdefault(shortest, []).append(at)
        self._pattern = re.compile(f"(?=({_any(self._places)}))")

    def near(self, text: str) -> list[Rule]:
        """Return the rules, in order, that have a hint in `text`, and maybe others."""
        found = set(self._pattern.findall(text.lower()))
        return [self._rules[at] for at in sorted({at for one in found for at in self._places[one]})]


def _any(words: Iterable[str]) -> str:
    """Return a pattern of sorted words, none of which begins another, as a tree of letters."""
    groups = groupby((word for word in words if word), itemgetter(0))
    found = [re.escape(letter) + _any([word[1:] for word in below]) for letter, below in groups]
    return f"(?:{'|'.join(found)})" if len(found) > 1 else "".join(found)


def apply_rules(rules: Sequence[Rule], text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` with the values that the rules hit replaced by `[redacted:RULE]`."""
    lowered, names = text.lower(), None
    for item in rules:
        windows = line_windows(item.hints, text, lowered, spans=item.spans)
        if not windows:
            continue
        if names is None and item.begins_with_name:
            names = name_starts(text, lowered)
        found = Finder(item, text, names if item.begins_with_name else None)
        before, text = text, _apply(found, windows, is_allowed, hits)
        if text is not before:
            lowered, names = text.lower(), None
    return text


def name_starts(text: str, lowered: str) -> list[int]:
    """Return where names of secrets begin: the patterns for what follows are tried only there."""
    places = [one.start() for one in _NAME_HINTS.finditer(lowered)]
    windows = _merged([(max(0, at - _LEAD), at + _ROOM) for at in places])
    if len(lowered) != len(text):  # a few letters change their number in lower case
        windows = [(0, len(text))]
    return [one.start() for start, end in windows for one in _NAMES.finditer(text, start, end)]


@dataclass(frozen=True, slots=True)
class Finder:
    """Looks for what a rule matches in a text, only at `names` if these are given."""

    rule: Rule
    text: str
    names: Sequence[int] | None

    def search(self, pos: int, last: int) -> Match | None:
        """Return the first match that begins at `pos` or later and ends at `last` or before."""
        pattern = self.rule.pattern
        if self.names is None:
            return pattern.search(self.text, pos, last)
        for at in range(bisect_left(self.names, pos), bisect_left(self.names, last)):
            if found := pattern.match(self.text, self.names[at], last):
                return found
        return None


def line_windows(
    hints: Sequence[str], text: str, lowered: str, *, spans: bool
) -> list[tuple[int, int]]:
    """Return the spans of lines around the hints, from the line before to the line after."""
    found: list[tuple[int, int]] = []
    for hint in hints:
        at = lowered.find(hint)
        # A few letters change their number in lower case, and every place after them.
        if at >= 0 and (spans or len(lowered) != len(text)):
            return [(0, len(text))]
        while at >= 0:
            start = text.rfind("\n", 0, max(0, text.rfind("\n", 0, at))) + 1
            line_end = _next_line(text, at)
            end = _next_line(text, line_end + 1)
            found.append((start, end))
            at = lowered.find(hint, line_end)
    return _merged(found)


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _apply(
    finder: Finder, windows: list[tuple[int, int]], is_allowed: IsAllowed, hits: Hits
) -> str:
    item, text = finder.rule, finder.text
    parts: list[str] = []
    at = 0
    for pos, last in windows:
        while found := finder.search(pos, last):
            start, end = found.span("value")
            shaped = item.shape
            if end > start and item.when(found) and not is_allowed(found["value"], shaped=shaped):
                if end - start >= LONGEST and (tail := _TAIL.match(text, end)):
                    end = tail.end()
                parts += [text[at:start], hits.note(item.id, text[start:end])]
                at = pos = end
            else:
                # What was left may hold a secret further on: JSON in a string, for one. A shape
                # is read but once: it may be as long as the text.
                pos = end if item.shape and end > start else max(start, found.start() + 1)
    return "".join([*parts, text[at:]]) if parts else text
