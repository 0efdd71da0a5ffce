"""What a theme may be headed with: a statement that all of it says, or a topic that all is about.

Communities are wide: fourteen sessions may share little but a command's name. A statement may head
them only where the others say it too; else the words that they share do, and what has none of those
words is no part of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from calmkb.reflect.proposals.groups import Group, with_best_statements
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import cluster, similarities
from calmkb.reflect.similarity.terms import names
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.themes.topics import topic_of

_SAME = 0.85
"""Of a group's sessions, how many must say what its best statement says."""

_SAMPLE = 2_000
"""Texts that tell how common a word is."""
_SEVERAL = 4
"""Sessions that may be about one topic: what two or three share is chance more often than not."""


def named(
    groups: Sequence[Group], row_of: Mapping[str, int], vectors: Any, method: Method
) -> list[tuple[Group, str]]:
    """Return the groups, each with its topic; none where its best statement says it all.

    `vectors` holds the rows of all texts, `row_of` tells which. What does not belong to a group
    comes as groups of its own.
    """
    several = [one for one in groups if one.sessions > 1]
    if not several:
        return [(one, "") for one in groups]
    sample = list(row_of)[:: max(1, len(row_of) // _SAMPLE)]
    seen = Counter(stem for text in sample for stem in names(text))
    found: list[tuple[Group, str]] = []
    for one in groups:
        topic, inside = _head(one, seen, len(sample), row_of, vectors, method.theme)
        within = [member for member in one.members if member.text in inside]
        rest = [member for member in one.members if member not in within]
        found += [(part, topic) for part in _regrouped(within, None, row_of, vectors)]
        found += [(part, "") for part in _regrouped(rest, method.theme, row_of, vectors)]
    return found


def _head(
    group: Group,
    seen: Mapping[str, int],
    total: int,
    row_of: Mapping[str, int],
    vectors: Any,
    threshold: float,
) -> tuple[str, frozenset[str]]:
    """Return a group's topic, if it needs one, and the texts that belong to it."""
    near = _near(group, row_of, vectors, threshold)
    sessions = {member.entry_id for member in group.members}
    agreed = {member.entry_id for member in group.members if member.text in near}
    if len(agreed) >= _SAME * len(sessions):
        return "", near
    texts = sorted({member.text for member in group.members})
    topic, inside = (
        topic_of(texts, seen, total) if group.sessions >= _SEVERAL else ("", frozenset())
    )
    within = {member.entry_id for member in group.members if member.text in inside}
    return (topic, inside) if len(within) > 1 else ("", frozenset())


def _near(
    group: Group, row_of: Mapping[str, int], vectors: Any, threshold: float
) -> frozenset[str]:
    """Return the texts of a group that say what its best statement says."""
    texts = list(dict.fromkeys(member.text for member in group.members))
    (levels,) = similarities(vectors, [row_of[group.best.text]], [row_of[text] for text in texts])
    return frozenset(
        text for text, level in zip(texts, levels, strict=True)
        if level >= threshold or text == group.best.text
    )  # fmt: skip


def _regrouped(
    members: Sequence[Statement],
    threshold: float | None,
    row_of: Mapping[str, int],
    vectors: Any,
) -> list[Group]:
    """Return the members as one group, or clustered where there is a threshold."""
    if not members:
        return []
    own = vectors[[row_of[member.text] for member in members]]
    texts = [member.text for member in members]
    rows = cluster(own, threshold, keys=texts) if threshold else [list(range(len(members)))]
    return with_best_statements(list(members), rows, own)
