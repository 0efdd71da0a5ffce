"""Themes of friction: what sessions said about one thing, to look at and not to decide on.

`communities` finds themes among the newest texts. An older text joins the theme of its nearest
neighbours among those, weighted by similarity (Dudani, "The distance-weighted k-nearest-neighbor
rule", 1976); what joins none is clustered by itself.

Beyond 300 statements that is done again only when there are a twentieth more, at checkpoints that
their number alone fixes; later statements join in the same way. So the costly part can be cached,
and the themes depend on the statements alone.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calmkb.model import Memory, Theme
from calmkb.reflect.opposites.ephemeral import stable
from calmkb.reflect.proposals.groups import Group, with_best_statements
from calmkb.reflect.proposals.lessons import join_lessons
from calmkb.reflect.proposals.propose import evidence_of
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.near import SLACK
from calmkb.reflect.similarity.nearest import nearest
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.statements.wording import shorten
from calmkb.reflect.themes.cached import Cache, Groups, cached_groups
from calmkb.reflect.themes.communities import MIN_SIMILARITY, communities
from calmkb.reflect.themes.naming import named

SAMPLE = 3_500
"""Texts that communities are looked for in, the newest: a journal may be of any length."""
NEIGHBOURS = 5
SHARE = 0.4
"""Of the similarities to all its neighbours, what a theme needs to take a text in."""
NEAR = 0.5
"""Of `method.theme`, how similar the nearest neighbour must be: communities are wide."""
_DIGITS = 10
_FEW, _TWENTIETH = 300, 20


def themes(
    statements: Sequence[Statement],
    memories: Sequence[Memory],
    method: Method = TFIDF,
    *,
    cache: Cache | None = None,
) -> tuple[Theme, ...]:
    """Return friction, what says one thing and most sessions first, each with its memory if any.

    That is the memory which cites its evidence. A lesson that sessions put in their own words is
    one theme.

    `statements` are oldest first. A theme's id stays while it gains sessions. With `cache` or
    without, the themes are the same.
    """
    friction = [statement for statement in statements if statement.friction]
    answered: dict[tuple[str, str], str] = {}
    for memory in sorted(memories, key=lambda memory: memory.created_at):
        answered |= {(item.source, item.quote): memory.id for item in memory.evidence}
    taken: set[str] = set()
    found = []
    for group, topic in _groups(friction, method, cache):
        identity = _identity(group.members[0], taken)
        taken.add(identity)
        found.append(_theme(identity, group, topic, answered))
    return tuple(sorted(found, key=_rank))


def checkpoint(count: int) -> int:
    """Return how many of `count` statements are grouped each time: all if few, else most."""
    if count <= _FEW:
        return count
    last = _FEW
    while (further := last + last // _TWENTIETH) <= count:
        last = further
    return last


def _groups(
    friction: Sequence[Statement], method: Method, cache: Cache | None
) -> list[tuple[Group, str]]:
    """Return the statements in groups, their members oldest first, each with its topic if any."""
    if not friction:
        return []
    at = checkpoint(len(friction))
    old = _distinct(friction[:at])
    known = set(old)
    texts = [*old, *(text for text in _distinct(friction[at:]) if text not in known)]
    groups = cached_groups(cache, old, method, lambda: _grouped(old, method))
    vectors = method.vectors(texts)
    groups = _joined(vectors, groups, range(len(old), len(texts)), method)
    number_of = {texts[row]: n for n, rows in enumerate(groups) for row in rows}
    members: dict[int, list[int]] = {}
    for place, statement in enumerate(friction):
        members.setdefault(number_of[statement.text], []).append(place)
    row_of = {text: row for row, text in enumerate(texts)}
    every = vectors[[row_of[statement.text] for statement in friction]]
    best = with_best_statements(friction, list(members.values()), every)
    lessons = _lessons(friction, old, method, cache)
    taken, rest = _taken_out(best, lessons, row_of, vectors)
    return [*((one, "") for one in taken), *named(rest, row_of, vectors, method)]


def _lessons(
    friction: Sequence[Statement], texts: list[str], method: Method, cache: Cache | None
) -> list[list[str]]:
    """Return the texts that tell one lesson in several words, for those of two texts or more."""
    project = {statement.text: statement.project for statement in friction}
    projects = [project[text] for text in texts]
    alone = [[row] for row in range(len(texts))]
    made = cached_groups(
        cache,
        texts,
        method,
        lambda: join_lessons(texts, projects, alone, range(len(texts))),
        of="\0".join(["lessons", *projects]),
    )
    return [[texts[row] for row in rows] for rows in made if rows[1:]]


def _taken_out(
    groups: Sequence[Group], lessons: list[list[str]], row_of: dict[str, int], vectors: Any
) -> tuple[list[Group], list[Group]]:
    """Return each lesson of several sessions as a group, and the groups without their members."""
    lesson_of = {text: number for number, texts in enumerate(lessons) for text in texts}
    members: dict[int, list[Statement]] = {}
    for member in (one for group in groups for one in group.members):
        if member.text in lesson_of:
            members.setdefault(lesson_of[member.text], []).append(member)
    several = {n: one for n, one in members.items() if len({m.entry_id for m in one}) > 1}
    rest = [[m for m in one.members if lesson_of.get(m.text) not in several] for one in groups]

    def grouped(parts: Iterable[list[Statement]]) -> list[Group]:
        return [
            group
            for part in parts
            for group in with_best_statements(
                part, [list(range(len(part)))], vectors[[row_of[one.text] for one in part]]
            )
        ]

    oldest_first = [sorted(one, key=lambda m: (m.date, m.entry_id)) for one in several.values()]
    return grouped(oldest_first), grouped(filter(None, rest))


def _distinct(statements: Sequence[Statement]) -> list[str]:
    """Return each text once, in the order in which they were said last."""
    return list(dict.fromkeys(statement.text for statement in reversed(statements)))[::-1]


def _grouped(texts: Sequence[str], method: Method) -> Groups:
    """Return row numbers in groups; `texts` are distinct, the newest last."""
    start = max(0, len(texts) - SAMPLE)
    vectors = method.vectors(texts)
    views = method.views(texts[start:])
    clusters = cluster(vectors[start:], method.theme)
    found = communities(views, method.agreement, clusters=clusters)
    groups = [[start + row for row in rows] for rows in found]
    return _joined(vectors, groups, range(start), method)


def _joined(vectors: Any, groups: Groups, rows: Sequence[int], method: Method) -> Groups:
    """Return `groups` with these other rows in them; rows that join none are clustered."""
    if not rows:
        return groups
    voters = [row for members in groups for row in members]
    numbers = [number for number, members in enumerate(groups) for _ in members]
    grown = [list(members) for members in groups]
    alone = []
    level = NEAR * method.theme
    elected = _elected(vectors[list(rows)], vectors[voters], numbers, level)
    for row, number in zip(rows, elected, strict=True):
        if number < 0:
            alone.append(row)
        else:
            grown[number].append(row)
    rest = cluster(vectors[alone], method.theme) if alone else []
    return grown + [[alone[place] for place in places] for places in rest]


def _elected(rows: Any, voters: Any, numbers: Sequence[int], level: float) -> list[int]:
    """Return for each row the group number that its nearest voters elect; -1 for none."""
    import numpy

    near, cosines = nearest(rows, voters, NEIGHBOURS)
    votes = numpy.where(cosines >= MIN_SIMILARITY, cosines, 0.0)
    groups_near = numpy.array(numbers)[near]
    # For each neighbour, the votes of all those of its group.
    totals = ((groups_near[:, :, None] == groups_near[:, None, :]) * votes[:, None, :]).sum(axis=2)
    # Rounded, so that the nearest one decides between equals on every machine.
    best = totals.round(9).argmax(axis=1)
    every = numpy.arange(len(best))
    elected = (cosines[:, 0] >= level - SLACK) & (
        totals[every, best] >= SHARE * votes.sum(axis=1) - SLACK
    )
    found: list[int] = numpy.where(elected, groups_near[every, best], -1).tolist()
    return found


def _identity(oldest: Statement, taken: set[str]) -> str:
    """Return an id made from the oldest statement, longer where a shorter one is taken."""
    digest = hashlib.sha256(f"{oldest.entry_id}\0{oldest.text}".encode(errors="replace"))
    name = digest.hexdigest()
    length = next(n for n in range(_DIGITS, len(name) + 1) if name[:n] not in taken)
    return name[:length]


def _rank(theme: Theme) -> tuple[bool, int, str, str]:
    """Order what says one thing before what is only about one, the most sessions first."""
    latest = max(item.date for item in theme.evidence)
    return (
        bool(theme.topic),
        -theme.sessions,
        "".join(chr(255 - ord(c)) for c in latest),
        theme.id,
    )


def _theme(
    identity: str, group: Group, topic: str, answered: Mapping[tuple[str, str], str]
) -> Theme:
    evidence = evidence_of(group)
    memory = next((m for e in evidence if (m := answered.get((e.source, e.quote)))), "")
    return Theme(
        id=identity,
        statement=shorten(stable(group.best.text)),
        evidence=evidence,
        sessions=group.sessions,
        memory_id=memory,
        topic=topic,
    )
