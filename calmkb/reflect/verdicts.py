"""Three verdicts on a text against what is known: new, duplicate, conflict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.model import Verdict
from calmkb.reflect.clusters import similarities
from calmkb.reflect.opposites import opposed

CONFLICT_SHARE = 0.6
"""A conflict is looked for down to this share of the duplicate threshold."""


@dataclass(frozen=True, slots=True)
class Known:
    """Something that stands: a memory or an earlier proposal, by id."""

    id: str
    text: str


def judge(
    texts: Sequence[str], known: Sequence[Known], vectors: Any, *, duplicate: float
) -> list[Verdict]:
    """Return a verdict for each text.

    `vectors` holds the rows of `texts`, then those of `known`. The nearest that says the same makes
    a duplicate; the nearest that says the opposite a conflict, and a duplicate wins. A new
    one names what it resembles, where something comes near.
    """
    if not texts or not known:
        return [Verdict() for _ in texts]
    rows = list(range(len(texts)))
    table = similarities(vectors, rows, list(range(len(texts), len(texts) + len(known))))
    return [_judge_one(text, known, table[row], duplicate) for row, text in enumerate(texts)]


def _judge_one(text: str, known: Sequence[Known], alike: Any, duplicate: float) -> Verdict:
    conflict: Verdict | None = None
    nearest: Verdict | None = None
    order = sorted(range(len(known)), key=lambda i: (-alike[i], known[i].id))
    for index in order:
        level = float(alike[index])
        if level < duplicate * CONFLICT_SHARE:
            break
        other = known[index]
        against = opposed(text, other.text)
        if level >= duplicate and not against:
            return _verdict("duplicate", other, level)
        if against and conflict is None:
            conflict = _verdict("conflict", other, level)
        nearest = nearest or _verdict("new", other, level)
    return conflict or nearest or Verdict()


def _verdict(kind: Any, other: Known, level: float) -> Verdict:
    return Verdict(kind=kind, other=other.id, text=other.text, similarity=round(level, 2))
