"""Where sessions speak of what a memory is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calmkb.model import Memory
from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.join import at_least
from calmkb.reflect.similarity.tfidf import PLAIN

_CELLS = 2_000_000
"""Similarities held at once: 24 MB, however many memories and statements there are."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A statement alike to a memory, and how alike it is, 0 to 1."""

    statement: Statement
    similarity: float


def mentions(
    memories: Sequence[Memory],
    statements: Sequence[Statement],
    *,
    level: float,
    method: Method = PLAIN,
) -> dict[str, tuple[Mention, ...]]:
    """Return by memory id the statements alike to its text or its evidence, in their order.

    A quote does not count for the session that it was taken from: that session would find itself,
    a later one only what is worded like it, and before and since would not be counted alike.
    """
    probes = [probe for memory in memories for probe in _probes(memory)]
    best: dict[str, dict[int, float]] = {memory.id: {} for memory in memories}
    for probe, row, share in _alike([text for _, _, text in probes], statements, level, method):
        identity, source, _ = probes[probe]
        if source != statements[row].entry_id:
            best[identity][row] = max(share, best[identity].get(row, 0.0))
    return {
        identity: tuple(Mention(statements[row], share) for row, share in sorted(rows.items()))
        for identity, rows in best.items()
    }


def _probes(memory: Memory) -> list[tuple[str, str, str]]:
    """Return (memory id, source, text): its own words belong to no session."""
    quotes = [(memory.id, item.source, item.quote) for item in memory.evidence]
    own = " ".join(memory.text.split())
    # Words that were taken over as they stand are that session's quote and nothing more.
    taken = any(" ".join(quote.split()) == own for _, _, quote in quotes)
    return quotes if taken else [(memory.id, "", memory.text), *quotes]


def _alike(
    texts: Sequence[str], statements: Sequence[Statement], level: float, method: Method
) -> Iterator[tuple[int, int, float]]:
    """Yield (text, statement, similarity) where it is at least `level`."""
    if not texts or not statements:
        return
    vectors = method.vectors([*texts, *(statement.text for statement in statements)])
    turned = vectors[: len(texts)].T.tocsr()
    step = max(1, _CELLS // len(texts))
    for start in range(len(texts), vectors.shape[0], step):
        table = vectors[start : start + step] @ turned
        rows, columns, shares = at_least(table, level)
        for row, column, share in zip(
            rows.tolist(), columns.tolist(), shares.tolist(), strict=True
        ):
            yield column, start - len(texts) + row, min(share, 1.0)
