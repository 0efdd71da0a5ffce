"""Statements brought together that say one thing, and the one that says it best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.proposals.wording import choose_statement
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import closeness, cluster_around
from calmkb.reflect.similarity.join import Watch
from calmkb.reflect.similarity.tfidf import PLAIN


@dataclass(frozen=True, slots=True)
class Group:
    """Statements that say one thing, and the one that says it best."""

    best: Statement
    members: tuple[Statement, ...]

    @property
    def sessions(self) -> int:
        """How many sessions said it."""
        return len({member.entry_id for member in self.members})


def group(
    statements: Sequence[Statement],
    threshold: float,
    method: Method = PLAIN,
    *,
    watch: Watch | None = None,
) -> list[Group]:
    """Return the groups with a fresh statement, whose mean similarity reaches `threshold`.

    They are those of a clustering of all statements, of which only what the fresh ones need is
    done. `watch` is told how far it is.
    """
    texts = [statement.text for statement in statements]
    fresh = [row for row, statement in enumerate(statements) if statement.fresh]
    if not fresh:
        return []
    vectors = method.vectors(texts)
    found = cluster_around(vectors, threshold, fresh, keys=texts, watch=watch)
    groups = _spoken_for(statements, found, vectors)
    return [one for one in groups if any(member.fresh for member in one.members)]


def _spoken_for(
    statements: Sequence[Statement], found: list[list[int]], vectors: Any
) -> list[Group]:
    groups = []
    for rows in found:
        members = [statements[row] for row in rows]
        best = choose_statement(members, closeness(vectors, rows))
        groups += _without_opposites(best, members)
    return groups


def _without_opposites(best: Statement, members: list[Statement]) -> list[Group]:
    """Set apart the members that say the opposite of the one that would speak for them."""
    opposite = [contradicts(best.text, member.text) for member in members]
    pairs = list(zip(members, opposite, strict=True))
    agreed = tuple(member for member, against in pairs if not against)
    return [Group(best, agreed), *(Group(m, (m,)) for m, against in pairs if against)]
