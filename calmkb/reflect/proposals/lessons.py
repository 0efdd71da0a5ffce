"""One lesson that sessions reported in their own words: groups joined by the same trouble.

Words alone find few of them: of 33 lessons that two sessions or more told, a cosine found 21 and
joining finds 30; of the pairs of statements that come together .69 are one lesson, by a cosine .57
(`benchmarks/run.py hindsight DATA`; the judge's four numbers were fitted on the same pairs).

A rule and the friction that names its remedy are one lesson too: "Use pnpm for every script." and
"`npm test` hung: the project uses pnpm." share one word, too few for a cosine.
"""

import re
from collections.abc import Sequence
from typing import Any

from calmkb.reflect.opposites.compare import contradicts, opposed
from calmkb.reflect.similarity.clusters import average_linkage
from calmkb.reflect.similarity.same_trouble import same_trouble
from calmkb.reflect.statements.statements import Statement

LIKELY = 0.3
"""The mean chance of the same trouble from which groups are one lesson."""
NEWEST = 2_000
"""Statements that are judged at once, the newest: 32 MB, two seconds. Older ones join by words."""
_RULE = re.compile(
    r"\A(?:always\s+|please\s+)*(?:use|prefer)\s+`?([\w@][\w@./+-]+)`?", re.IGNORECASE
)
_WORD = re.compile(r"[\w@][\w@./+-]+")
_NAMELESS = frozenset("the this that these those only one an our its their your it and".split())
_SAYS = (
    r"(?<!not )(?<!n't )(?<!never )"
    r"\b(?:us(?:e|es|ed|ing)|needs?|requires?|wants?|prefers?|switch(?:ed)? to) "
    r"(?:only )?`?{name}(?![\w/-])"
    r"|(?<![\w/-]){name}`? (?:project|repo|repository|workspace|monorepo)\b"
)


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


def named_by(text: str) -> str:
    """Return what a rule says to use, such as `pnpm`; nothing where the text is no such rule."""
    found = _RULE.match(text)
    name = found[1].rstrip(".") if found else ""
    return "" if name.casefold() in _NAMELESS else name


def join_rules(statements: Sequence[Statement], groups: list[list[int]]) -> list[list[int]]:
    """Return `groups` of row numbers, each rule joined by the friction that names its remedy.

    Only what somebody wrote counts, within one project, and each friction goes to one rule, the
    first: two rules about one tool stay two. A row of none of the groups comes in where it joins.
    """
    home = {row: number for number, group in enumerate(groups) for row in group}
    rules: dict[tuple[str, str], int] = {}
    for row, one in enumerate(statements):
        name = "" if one.mined or not one.friction else named_by(one.text).casefold()
        if name and row in home:
            rules.setdefault((one.project, name), row)
    names = {name for _, name in rules}
    made = [list(group) for group in groups]
    for row, one in enumerate(statements):
        if one.mined or one.learning or not one.friction or named_by(one.text):
            continue
        for name in sorted(names & _words(one.text)):
            rule = rules.get((one.project, name))
            if rule is not None and _needs(one.text, name, statements[rule].text):
                to, own = made[home[rule]], made[home[row]] if row in home else []
                if own is not to and not any(statements[other].learning for other in own):
                    own[:] = [other for other in own if other != row]
                    to.append(row)
                break
    return sorted(sorted(group) for group in made if group)


def _words(text: str) -> set[str]:
    return {word.rstrip(".") for word in _WORD.findall(text.casefold())}


def _needs(text: str, name: str, rule: str) -> bool:
    """Return whether a text says that what the rule names was needed."""
    said = re.search(_SAYS.format(name=re.escape(name)), text, re.IGNORECASE)
    return said is not None and not contradicts(rule, text)
