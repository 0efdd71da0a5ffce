"""Where sessions speak of what a memory is about."""

from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.model import Memory, Proposal
from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.similarity.methods import POSSIBLE, TFIDF, Method
from calmkb.reflect.statements.statements import Statement

Lesson = Memory | Proposal
"""What can be looked for."""
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
    lessons: Sequence[Lesson],
    statements: Sequence[Statement],
    method: Method = TFIDF,
    *,
    level: float,
    kept: Store | None = None,
) -> dict[str, tuple[Mention, ...]]:
    """Return by id the statements similar to a lesson's text or its evidence, in their order.

    Each with its cosine, `level` at least. A quote does not count for the session that it was taken
    from: that session would find itself, a later one only what is worded like it, and the counts
    before and since would be unequal.
    """
    probes = [probe for lesson in lessons for probe in _probes(lesson)]

    def make() -> dict[str, list[tuple[int, float]]]:
        best: dict[str, dict[int, float]] = {lesson.id: {} for lesson in lessons}
        rows: dict[str, list[int]] = {}
        for row, one in enumerate(statements):
            rows.setdefault(one.text, []).append(row)
        texts = list(rows)
        near = method.near([text for _, _, text in probes], texts, level) if rows else ()
        for probe, place, cosine in near if probes else ():
            identity, source, _ = probes[probe]
            for row in rows[texts[place]]:
                if source != statements[row].entry_id:
                    best[identity][row] = max(cosine, best[identity].get(row, 0.0))
        return {identity: sorted(found.items()) for identity, found in best.items()}

    said = ((one.entry_id, one.text) for one in statements)
    asked = [level, method.key, [lesson.id for lesson in lessons], probes, *said]
    found = memoized(kept, "mentions", asked, make)
    return {
        lesson.id: tuple(Mention(statements[row], cosine) for row, cosine in found[lesson.id])
        for lesson in lessons
    }


def troubles_met(
    lessons: Sequence[Lesson],
    statements: Sequence[Statement],
    method: Method = TFIDF,
    *,
    kept: Store | None = None,
) -> dict[str, tuple[Mention, ...]]:
    """Return by id the friction and learnings that may tell of a lesson's trouble, in their order.

    Each with the chance that they do, `POSSIBLE` at least.
    """
    friction = [one for one in statements if one.friction]
    found = mentions(lessons, friction, method, level=method.cosine(POSSIBLE), kept=kept)
    return {
        identity: tuple(Mention(one.statement, method.chance(one.similarity)) for one in some)
        for identity, some in found.items()
    }


def _probes(memory: Lesson) -> list[_Probe]:
    """Return (memory id, source, text): its own words belong to no session."""
    quotes = [(memory.id, item.source, item.quote) for item in memory.evidence]
    own = " ".join(memory.text.split())
    # Words that were taken over unchanged are that session's quote and nothing more.
    taken = any(" ".join(quote.split()) == own for _, _, quote in quotes)
    return quotes if taken else [(memory.id, "", memory.text), *quotes]
