"""Three verdicts on a text against what is known: new, duplicate, conflict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.model import Verdict
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.similarity.near import similarities

CONFLICT_SHARE = 0.6
"""A conflict is looked for down to this share of the duplicate threshold."""
_CELLS = 8_000_000  # similarities held at once: 64 MB


@dataclass(frozen=True, slots=True)
class KnownText:
    """A memory or an earlier proposal, by id."""

    id: str
    text: str


def judge(
    texts: Sequence[str], known: Sequence[KnownText], method: Method, *, duplicate: float
) -> list[Verdict]:
    """Return a verdict for each text, by the method's cosines.

    The nearest that says the same makes a duplicate; the nearest that says the opposite a conflict,
    and a duplicate wins. A new one names what it resembles, where something comes near.
    """
    if not texts or not known:
        return [Verdict() for _ in texts]
    vectors = method.vectors([*texts, *(one.text for one in known)])
    others = list(range(len(texts), len(texts) + len(known)))
    size = max(1, _CELLS // len(known))
    verdicts = []
    for start in range(0, len(texts), size):
        block = texts[start : start + size]
        table = similarities(vectors, list(range(start, start + len(block))), others)
        verdicts += [
            verdict_on(text, known, row, duplicate=duplicate)
            for text, row in zip(block, table.tolist(), strict=True)
        ]
    return verdicts


def verdict_on(
    text: str, known: Sequence[KnownText], levels: Sequence[float], *, duplicate: float
) -> Verdict:
    """Return the verdict on one text; `levels` are its cosines with those that are known."""
    conflict: Verdict | None = None
    nearest: Verdict | None = None
    near = [i for i, level in enumerate(levels) if level >= duplicate * CONFLICT_SHARE]
    order = sorted(near, key=lambda i: (-levels[i], known[i].id))
    if order:
        from calmkb.reflect.opposites.compare import opposed
    for index in order:
        level = levels[index]
        other = known[index]
        against = opposed(text, other.text)
        if level >= duplicate and not against:
            return _verdict("duplicate", other, level)
        if against and conflict is None:
            conflict = _verdict("conflict", other, level)
        nearest = nearest or _verdict("new", other, level)
    return conflict or nearest or Verdict()


def _verdict(kind: Any, other: KnownText, level: float) -> Verdict:
    return Verdict(kind=kind, other=other.id, text=other.text, similarity=round(level, 2))
