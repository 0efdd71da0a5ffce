"""Three verdicts on a text against what is known: new, duplicate, conflict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calmkb.model import Verdict
from calmkb.reflect.similarity.methods import Method

CONFLICT_SHARE = 0.6  # A conflict is looked for down to this share of the duplicate threshold


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
    from calmkb.reflect.opposites.defaults import defaults_differ, defaults_of

    near: list[list[tuple[float, KnownText]]] = [[] for _ in texts]
    others = [one.text for one in known]
    for row, other, level in method.near(texts, others, duplicate * CONFLICT_SHARE):
        near[row].append((level, known[other]))
    for row, text in enumerate(texts):
        if defaults_of(text):  # who denies a value need not use the words of who sets it
            near[row] += [(0.0, one) for one in known if defaults_differ(text, one.text)]
    return [_verdict_on(*one, duplicate) for one in zip(texts, near, strict=True)]


def _verdict_on(text: str, near: list[tuple[float, KnownText]], duplicate: float) -> Verdict:
    conflict: Verdict | None = None
    nearest: Verdict | None = None
    if near:
        from calmkb.reflect.opposites.compare import opposed
    for level, other in sorted(near, key=lambda one: (-one[0], one[1].id)):
        against = opposed(text, other.text)
        if level >= duplicate and not against:
            return _verdict("duplicate", other, level)
        if against and conflict is None:
            conflict = _verdict("conflict", other, level)
        nearest = nearest or _verdict("new", other, level)
    return conflict or nearest or Verdict()


def _verdict(kind: Any, other: KnownText, level: float) -> Verdict:
    return Verdict(kind=kind, other=other.id, text=other.text, similarity=round(level, 2))
