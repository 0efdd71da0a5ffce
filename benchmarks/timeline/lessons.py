"""Lessons that several sessions told in their own words: how many become one proposal."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from timeline.past import Listed

Pair = tuple[str, str, bool]
"""Two statements, and whether a reader would keep one memory for both."""


@dataclass(frozen=True, slots=True)
class Found:
    """Lessons of two statements or more, those found as one, and the pairs that came together."""

    lessons: int
    found: int
    together: int
    same: int


def lessons_found(pairs: Sequence[Pair], proposals: Iterable[Listed]) -> Found:
    """Count the lessons of which at least two statements are evidence of one proposal."""
    homes: dict[str, set[int]] = defaultdict(set)
    for number, proposal in enumerate(proposals):
        for item in proposal.evidence:
            homes[_line(item.quote)].add(number)
    known = [pair for pair in pairs if homes.get(_line(pair[0])) and homes.get(_line(pair[1]))]
    joined = [pair for pair in known if _together(pair[:2], homes)]
    lessons = _lessons(known)
    found = [
        one for one in lessons
        if any(_together(two, homes) for two in itertools.combinations(one, 2))
    ]  # fmt: skip
    return Found(len(lessons), len(found), len(joined), sum(same for _, _, same in joined))


def _lessons(pairs: Iterable[Pair]) -> list[list[str]]:
    """Return the statements that chains of equal pairs connect."""
    lessons: list[set[str]] = []
    for one, other, same in pairs:
        if same:
            touched = [lesson for lesson in lessons if lesson & {one, other}]
            lessons = [lesson for lesson in lessons if lesson not in touched]
            lessons.append({one, other}.union(*touched))
    return [sorted(lesson) for lesson in lessons]


def _together(two: Sequence[str], homes: dict[str, set[int]]) -> bool:
    return bool(homes[_line(two[0])] & homes[_line(two[1])])


def _line(text: str) -> str:
    return " ".join(text.split())
