"""What chafed, told as themes: to be looked at, not to be decided on."""

from collections.abc import Sequence

from calmkb.model import Memory, Theme
from calmkb.reflect.brittle import stable
from calmkb.reflect.groups import Group, by_theme
from calmkb.reflect.proposals import evidence_digest, evidence_of
from calmkb.reflect.similarity import Method
from calmkb.reflect.statements import Statement
from calmkb.reflect.vectors import PLAIN
from calmkb.reflect.wording import shorten


def themes(
    statements: Sequence[Statement], memories: Sequence[Memory], method: Method = PLAIN
) -> tuple[Theme, ...]:
    """Return what chafed, most sessions first, each with the memory that cites its evidence."""
    answered: dict[tuple[str, str], str] = {}
    for memory in sorted(memories, key=lambda memory: memory.created_at):
        answered |= {(item.source, item.quote): memory.id for item in memory.evidence}
    friction = [statement for statement in statements if statement.friction]
    found = [_theme(one, answered) for one in by_theme(friction, method)]
    return tuple(sorted(found, key=_theme_rank))


def _theme_rank(theme: Theme) -> tuple[int, str, str]:
    latest = max(item.date for item in theme.evidence)
    return (-theme.sessions, "".join(chr(255 - ord(c)) for c in latest), theme.id)


def _theme(one: Group, answered: dict[tuple[str, str], str]) -> Theme:
    evidence = evidence_of(one)
    memory = next((m for e in evidence if (m := answered.get((e.source, e.quote)))), "")
    return Theme(
        id=evidence_digest(evidence)[:8],
        statement=shorten(stable(one.best.text)),
        evidence=evidence,
        sessions=one.sessions,
        memory_id=memory,
    )
