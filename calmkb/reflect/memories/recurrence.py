"""Where sessions speak of what a memory is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from calmkb.model import Evidence, Memory
from calmkb.reflect.similarity.methods import POSSIBLE, TFIDF, Method
from calmkb.reflect.similarity.near import similar_pairs
from calmkb.reflect.statements.statements import Statement


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
) -> dict[str, tuple[Mention, ...]]:
    """Return by memory id the statements similar to its text or its evidence, in their order.

    A quote does not count for the session that it was taken from: that session would find itself,
    a later one only what is worded like it, and the counts before and since would be unequal.
    """
    probes = [probe for memory in memories for probe in _probes(memory)]
    best: dict[str, dict[int, float]] = {memory.id: {} for memory in memories}
    texts = [statement.text for statement in statements]
    if not probes or not texts:
        return dict.fromkeys(best, ())
    vectors = method.vectors([*texts, *(text for _, _, text in probes)])
    found = similar_pairs(vectors[: len(texts)], vectors[len(texts) :], level)
    for row, probe, share in found:
        identity, source, _ = probes[probe]
        if source != statements[row].entry_id:
            best[identity][row] = max(share, best[identity].get(row, 0.0))
    return {
        identity: tuple(Mention(statements[row], share) for row, share in sorted(rows.items()))
        for identity, rows in best.items()
    }


class Lesson(Protocol):
    """What can be looked for: a memory, or a proposal."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def evidence(self) -> Sequence[Evidence]: ...  # noqa: D102


def troubles_met(
    lessons: Sequence[Lesson], statements: Sequence[Statement], method: Method = TFIDF
) -> dict[str, tuple[Mention, ...]]:
    """Return by id the friction and learnings that may tell of a lesson's trouble, in their order.

    Each with the chance that they do, `POSSIBLE` at least. A quote does not find its own session.
    """
    friction = [one for one in statements if one.friction]
    texts = list(dict.fromkeys(one.text for one in friction))
    rows: dict[str, list[int]] = {text: [] for text in texts}
    for row, one in enumerate(friction):
        rows[one.text].append(row)
    probes = [probe for lesson in lessons for probe in _probes(lesson)]
    best: dict[str, dict[int, float]] = {lesson.id: {} for lesson in lessons}
    if not probes or not texts:
        return dict.fromkeys(best, ())
    vectors = method.vectors([*(" ".join(probe[2].split()) for probe in probes), *texts])
    asked, known = vectors[: len(probes)], vectors[len(probes) :]
    for probe, text, cosine in similar_pairs(asked, known, method.cosine(POSSIBLE)):
        identity, source, _ = probes[probe]
        chance = method.chance(cosine)
        for row in rows[texts[text]]:
            if source != friction[row].entry_id:
                best[identity][row] = max(chance, best[identity].get(row, 0.0))
    return {
        identity: tuple(Mention(friction[row], chance) for row, chance in sorted(found.items()))
        for identity, found in best.items()
    }


def _probes(memory: Lesson) -> list[tuple[str, str, str]]:
    """Return (memory id, source, text): its own words belong to no session."""
    quotes = [(memory.id, item.source, item.quote) for item in memory.evidence]
    own = " ".join(memory.text.split())
    # Words that were taken over unchanged are that session's quote and nothing more.
    taken = any(" ".join(quote.split()) == own for _, _, quote in quotes)
    return quotes if taken else [(memory.id, "", memory.text), *quotes]
