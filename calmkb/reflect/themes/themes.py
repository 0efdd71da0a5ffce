"""Themes of friction: what sessions said about one thing, to look at and not to decide on.

They are the groups that proposals are made of, of all sessions.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from calmkb.model import Memory, Theme
from calmkb.model.sessions.said import CORRECTED, RULE
from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.opposites.ephemeral import stable
from calmkb.reflect.proposals.groups import Group, best_first, group_of, lessons
from calmkb.reflect.proposals.propose import evidence_of
from calmkb.reflect.similarity.methods import TFIDF, Method
from calmkb.reflect.statements.mined import fault_of, is_failure, is_talk
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.statements.wording import shorten

_DIGITS = 10
_FEW_WORDS = 3
_OPEN_END = re.compile(r"(?:[\s,:\u2026]+(?:and|at|but|by|for|from|in|of|on|or|to|with))+[\s.]*\Z")
_GAP = re.compile("\u2026[,:;)]*(?: \u2026([,:;)]*))+")


def themes(
    statements: Sequence[Statement],
    memories: Sequence[Memory],
    method: Method = TFIDF,
    *,
    kept: Store | None = None,
) -> tuple[Theme, ...]:
    """Return friction in groups, most sessions first, each with its memory if any.

    That is the memory which cites its evidence.

    `statements` are oldest first. A theme's id stays while it gains sessions. With `kept` or
    without, the themes are the same; where no statement changed since, nothing is compared.
    """
    friction = [statement for statement in statements if statement.friction]
    answered: dict[tuple[str, str], str] = {}
    for memory in sorted(memories, key=lambda memory: memory.created_at):
        answered |= {(item.source, item.quote): memory.id for item in memory.evidence}
    taken: set[str] = set()
    found = []
    inputs = [
        method.key,
        *((s.text, s.date, s.project, s.mined, s.learning, s.thread) for s in friction),
    ]
    groups = memoized(kept, "themes", inputs, lambda: _grouped(friction, method, kept))
    for rows in groups:
        group = group_of(friction, rows)
        best = group.best
        if best.mined and best.kind in (CORRECTED, RULE) and is_talk(best.text):
            continue  # nobody in it says what the trouble was; a report says it in any form
        identity = _identity(group.members[0], taken)
        taken.add(identity)
        found.append(_theme(identity, group, answered))
    return tuple(sorted(found, key=_rank))


def _grouped(friction: Sequence[Statement], method: Method, kept: Store | None) -> list[list[int]]:
    """Return row numbers in groups, the one that speaks for each first.

    Failures are compared by what went wrong alone: one fault is one trouble, whatever was run.
    """
    if not friction:
        return []
    faults = [replace(one, text=fault_of(one.text)) if one.mined else one for one in friction]
    return best_first(faults, *lessons(faults, method), kept=kept)


def _identity(oldest: Statement, taken: set[str]) -> str:
    """Return an id made from the oldest statement, longer where a shorter one is taken."""
    digest = hashlib.sha256(f"{oldest.entry_id}\0{oldest.text}".encode(errors="replace"))
    name = digest.hexdigest()
    length = next(n for n in range(_DIGITS, len(name) + 1) if name[:n] not in taken)
    return name[:length]


def _rank(theme: Theme) -> tuple[int, str, str]:
    """Order the most sessions first, of equals the one met last."""
    latest = max(item.date for item in theme.evidence)
    return -theme.sessions, "".join(chr(255 - ord(c)) for c in latest), theme.id


def _title(group: Group) -> str:
    """Return the sentence that heads a trouble; of a failure only what its sessions share."""
    text = group.best.text
    if not group.best.mined:
        return text
    if is_failure(text):
        told = [one.text for one in group.members if one.mined and is_failure(one.text)]
        text = headed(shared([fault_of(one, named=True) for one in (text, *told)]))
    return text[:1].upper() + text[1:] if text.split(" ", 1)[0].isalpha() else text


def shared(texts: Sequence[str]) -> str:
    """Return the first text with an ellipsis for the words that most of the others do not have."""
    every = [set(one.casefold().split()) for one in dict.fromkeys(texts)]
    said = []
    for word in texts[0].split():
        is_common = sum(word.casefold() in one for one in every) * 2 > len(every)
        said.append(word if is_common else f"\u2026{word[len(word.rstrip(',:;)')) :]}")
    if sum("\u2026" not in word for word in said) < _FEW_WORDS:
        return texts[0]
    return _GAP.sub("\u2026\\1", " ".join(said))


def headed(text: str) -> str:
    """Return a failure as a heading: nothing is left of a path or a place that was taken out."""
    text = _OPEN_END.sub("", stable(text))
    return text.replace("\u2026)", "\u2026") if text.count(")") > text.count("(") else text


def _theme(identity: str, group: Group, answered: Mapping[tuple[str, str], str]) -> Theme:
    evidence = evidence_of(group)
    memory = next((m for e in evidence if (m := answered.get((e.source, e.quote)))), "")
    return Theme(
        id=identity,
        statement=shorten(stable(_title(group))),
        evidence=evidence,
        sessions=group.sessions,
        memory_id=memory,
    )
