"""Friction, told as themes: to be looked at, not to be decided on."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from calmkb.model import Memory, Theme
from calmkb.reflect.opposites.ephemeral import stable
from calmkb.reflect.proposals.groups import Group
from calmkb.reflect.proposals.propose import evidence_of
from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.proposals.wording import shorten
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.tfidf import PLAIN
from calmkb.reflect.themes.groups import Themed, themed
from calmkb.reflect.themes.memo import Memo

_DIGITS = 10


def themes(
    statements: Sequence[Statement],
    memories: Sequence[Memory],
    method: Method = PLAIN,
    *,
    memo: Memo | None = None,
) -> tuple[Theme, ...]:
    """Return friction, most sessions first, each with the memory that cites its evidence.

    `statements` are oldest first. With `memo`, what was found for most of them is kept: that is
    faster, and the themes are the same. A theme's id stays while it gains sessions.
    """
    friction = [statement for statement in statements if statement.friction]
    answered: dict[tuple[str, str], str] = {}
    for memory in sorted(memories, key=lambda memory: memory.created_at):
        answered |= {(item.source, item.quote): memory.id for item in memory.evidence}
    found = themed(friction, method, memo)
    taken: set[str] = set()
    made = []
    for number, members in _members(friction, found).items():
        speaker = found.texts[found.groups[number][0]]
        best = next(member for member in members if member.text == speaker)
        name = _identity(members[0], taken)
        taken.add(name)
        made.append(_theme(name, Group(best, tuple(members)), answered))
    return tuple(sorted(made, key=_theme_rank))


def _members(friction: Iterable[Statement], found: Themed) -> dict[int, list[Statement]]:
    """Return the statements of each group, the oldest first in it, and its group before others'."""
    group_of = {found.texts[row]: n for n, rows in enumerate(found.groups) for row in rows}
    members: dict[int, list[Statement]] = {}
    for statement in friction:
        members.setdefault(group_of[statement.text], []).append(statement)
    return members


def _identity(oldest: Statement, taken: set[str]) -> str:
    """Return what the oldest statement of a theme fixes; a younger theme gives way with more."""
    digest = hashlib.sha256(f"{oldest.entry_id}\0{oldest.text}".encode(errors="replace"))
    name = digest.hexdigest()
    length = next(n for n in range(_DIGITS, len(name) + 1) if name[:n] not in taken)
    return name[:length]


def _theme_rank(theme: Theme) -> tuple[int, str, str]:
    latest = max(item.date for item in theme.evidence)
    return (-theme.sessions, "".join(chr(255 - ord(c)) for c in latest), theme.id)


def _theme(name: str, one: Group, answered: Mapping[tuple[str, str], str]) -> Theme:
    evidence = evidence_of(one)
    memory = next((m for e in evidence if (m := answered.get((e.source, e.quote)))), "")
    return Theme(
        id=name,
        statement=shorten(stable(one.best.text)),
        evidence=evidence,
        sessions=one.sessions,
        memory_id=memory,
    )
