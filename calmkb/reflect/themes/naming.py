"""What a theme may be headed with: a statement that all of it says, or a topic that all is about.

Communities are wide: fourteen sessions may share little but a command's name. A statement may head
them only where the others say it too; else the words that they share do, and what has none of those
words is no part of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from calmkb.reflect.proposals.groups import Group, with_best_statements
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import cluster, similarities
from calmkb.reflect.similarity.terms import names
from calmkb.reflect.statements.statements import Statement

_SAME = 0.85
"""Of a group's sessions, how many must say what its best statement says."""
_SAMPLE = 2_000
"""Texts that tell how common a word is."""
_SEVERAL = 4
"""Sessions that may be about one topic: what two or three share is chance more often than not."""
_PHRASE = 1.5
"""What two adjacent words are worth more: "review comments" says more than "review"."""
WORDS = 3
"""Words in a topic's name, at most."""
_SHARED = 0.3
"""Of the texts, how many must have a word that names the topic."""
_RARE = 0.12
"""Of all texts, how many may have it: what occurs everywhere names nothing."""
_TELLING = 0.05
"""Of all texts, how many may have a word that names a topic alone."""


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


def topic_of(
    texts: Sequence[str], seen: Mapping[str, int], total: int
) -> tuple[str, frozenset[str]]:
    """Return a topic's name and the texts that have a word of it.

    `seen` counts in how many of `total` texts each stem occurs. No name where no word
    tells enough: then no text belongs to it.
    """
    words = {text: names(text) for text in texts}
    shared = Counter(stem for found in words.values() for stem in found)
    least = max(2, _SHARED * len(texts))
    worth = {
        stem: (_PHRASE if " " in stem else 1) * log(1 + total / max(1, seen.get(stem, 0)))
        for stem, count in shared.items()
        if count >= least and seen.get(stem, 0) <= max(_RARE * total, len(texts))
    }
    chosen: list[str] = []
    left = set(texts)
    while left and len(chosen) < WORDS:
        gains = {
            stem: value * sum(stem in words[text] for text in left)
            for stem, value in worth.items()
            if not any(set(stem.split()) & set(one.split()) for one in chosen)
        }
        best = max(gains, key=lambda stem: (gains[stem], stem), default="")
        if not best or not gains[best]:
            break
        chosen.append(best)
        left = {text for text in left if best not in words[text]}
    if (
        len(chosen) == 1
        and " " not in chosen[0]
        and seen.get(chosen[0], 0) > max(_TELLING * total, len(texts))
    ):
        return "", frozenset()
    return _named(chosen, list(words.values())), frozenset(texts) - left


def _named(stems: Sequence[str], words: Sequence[Mapping[str, str]]) -> str:
    """Return the words as people wrote them most often, joined."""
    names = []
    for stem in stems:
        forms = Counter(found[stem] for found in words if stem in found)
        form = min(forms, key=lambda form: (-forms[form], form))
        small = form[:1].lower() + form[1:]  # "Lint" often begins a sentence, and is "lint" in one
        form = small if small in forms else form
        names.append(form.removesuffix("'s").removesuffix("\u2019s"))
    joined = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return joined[:1].upper() + joined[1:]
