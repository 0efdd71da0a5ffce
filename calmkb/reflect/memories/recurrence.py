"""Where sessions speak of what a memory is about."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from calmkb.model import Evidence, Memory
from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.similarity.methods import POSSIBLE, TFIDF, Method
from calmkb.reflect.statements.statements import Statement

_Probe = tuple[str, str, str]
"""The id of a memory, the session that a quote of it is from, and the text that is looked for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A statement similar to a memory, and how similar it is, 0 to 1.

    Of `troubles_met` it is the chance that both tell of one trouble.
    """

    statement: Statement
    similarity: float


def mentions(
    memories: Sequence[Memory],
    statements: Sequence[Statement],
    *,
    level: float,
    method: Method = TFIDF,
    kept: Store | None = None,
) -> dict[str, tuple[Mention, ...]]:
    """Return by memory id the statements similar to its text or its evidence, in their order.

    A quote does not count for the session that it was taken from: that session would find itself,
    a later one only what is worded like it, and the counts before and since would be unequal.
    """

    def pairs(probes: list[_Probe], texts: list[str]) -> Iterator[tuple[int, int, float]]:
        for row, probe, share in method.near(texts, [text for _, _, text in probes], level):
            yield probe, row, share

    name = f"mentions {level}"
    return _found(memories, statements, pairs, inputs=(name, method.key), kept=kept)


class Lesson(Protocol):
    """What can be looked for: a memory, or a proposal."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def evidence(self) -> Sequence[Evidence]: ...  # noqa: D102


def troubles_met(
    lessons: Sequence[Lesson],
    statements: Sequence[Statement],
    method: Method = TFIDF,
    *,
    kept: Store | None = None,
) -> dict[str, tuple[Mention, ...]]:
    """Return by id the friction and learnings that may tell of a lesson's trouble, in their order.

    Each with the chance that they do, `POSSIBLE` at least. A quote does not find its own session.
    """

    def pairs(probes: list[_Probe], said: list[str]) -> Iterator[tuple[int, int, float]]:
        texts = list(dict.fromkeys(said))
        rows: dict[str, list[int]] = {text: [] for text in texts}
        for row, text in enumerate(said):
            rows[text].append(row)
        asked = [" ".join(text.split()) for _, _, text in probes]
        for probe, place, cosine in method.near(asked, texts, method.cosine(POSSIBLE)):
            yield from ((probe, row, method.chance(cosine)) for row in rows[texts[place]])

    friction = [one for one in statements if one.friction]
    return _found(lessons, friction, pairs, inputs=("troubles", method.key), kept=kept)


def _found(
    lessons: Sequence[Lesson],
    statements: Sequence[Statement],
    pairs: Callable[[list[_Probe], list[str]], Iterator[tuple[int, int, float]]],
    *,
    inputs: tuple[object, ...],
    kept: Store | None,
) -> dict[str, tuple[Mention, ...]]:
    """Return by lesson id the statements that `pairs` (probe, row, level) finds for it."""
    probes = [probe for lesson in lessons for probe in _probes(lesson)]
    texts = [one.text for one in statements]

    def make() -> dict[str, list[tuple[int, float]]]:
        best: dict[str, dict[int, float]] = {lesson.id: {} for lesson in lessons}
        for probe, row, level in pairs(probes, texts) if probes and texts else ():
            identity, source, _ = probes[probe]
            if source != statements[row].entry_id:
                best[identity][row] = max(level, best[identity].get(row, 0.0))
        return {identity: sorted(rows.items()) for identity, rows in best.items()}

    sources = ((one.entry_id, one.text) for one in statements)
    asked = [*inputs, [lesson.id for lesson in lessons], probes, *sources]
    found = memoized(kept, "mentions", asked, make)
    return {
        lesson.id: tuple(Mention(statements[row], level) for row, level in found[lesson.id])
        for lesson in lessons
    }


def _probes(memory: Lesson) -> list[_Probe]:
    """Return (memory id, source, text): its own words belong to no session."""
    quotes = [(memory.id, item.source, item.quote) for item in memory.evidence]
    own = " ".join(memory.text.split())
    # Words that were taken over unchanged are that session's quote and nothing more.
    taken = any(" ".join(quote.split()) == own for _, _, quote in quotes)
    return quotes if taken else [(memory.id, "", memory.text), *quotes]
