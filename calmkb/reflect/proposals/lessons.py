"""One lesson that sessions reported in their own words: groups joined by the same trouble.

Words alone find few of them: of 33 lessons that two sessions or more told, a cosine found 21 and
joining finds 30; of the pairs of statements that come together .69 are one lesson, by a cosine .57
(`benchmarks/run.py hindsight DATA`; the judge's four numbers were fitted on the same pairs).
"""

from collections.abc import Sequence
from typing import Any

from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.similarity.clusters import average_linkage
from calmkb.reflect.similarity.same_trouble import same_trouble

LIKELY = 0.3
"""The mean chance of the same trouble from which groups are one lesson."""
NEWEST = 2_000
"""Statements that are judged at once, the newest: 32 MB, two seconds. Older ones join by words."""


def join_lessons(
    texts: Sequence[str], projects: Sequence[str], groups: list[list[int]], chosen: Sequence[int]
) -> list[list[int]]:
    """Return `groups` of rows of `texts`, those that tell one lesson of one project joined.

    Only the rows `chosen`, in ascending order, are judged: what nobody wrote down is worded by us
    and would be alike for that. A row of none of the groups comes in where it joins one. Two
    projects' commands differ though their lessons read alike.
    """
    import numpy

    rows = list(chosen)[-NEWEST:]
    if len(rows) < 2:
        return groups
    home = {row: number for number, group in enumerate(groups) for row in group}
    table = _distances([texts[row] for row in rows], [projects[row] for row in rows])
    places = numpy.array([home.get(row, -1 - row) for row in rows])
    table[places[:, None] == places[None, :]] = 0  # what is one group stays one
    labels = average_linkage(table, LIKELY)
    lessons: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        lessons.setdefault(label, []).append(row)
    joined: dict[int, set[int]] = {}
    first = list(range(len(groups)))
    for lesson in lessons.values():
        homes = sorted({first[home[row]] for row in lesson if row in home})
        if homes:
            joined.setdefault(homes[0], set()).update(lesson)
            first = [homes[0] if one in homes else one for one in first]
    for number, group in enumerate(groups):
        joined.setdefault(first[number], set()).update(group)
    return sorted(sorted(group) for group in joined.values())


def _distances(texts: Sequence[str], projects: Sequence[str]) -> Any:
    """Return a table of 1 less the chance, 1 for those of two projects.

    Of two that differ in a name or a number alone, each is a lesson of its own.
    """
    import numpy

    table = numpy.ones((len(texts), len(texts)))
    for one, other, chance in same_trouble(texts, texts):
        together = one < other and projects[one] == projects[other]
        if together and (chance < LIKELY or not opposed(texts[one], texts[other])):
            table[one, other] = table[other, one] = 1 - chance
    return table
