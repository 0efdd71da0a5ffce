"""Proposals of agents merged among themselves and compared with what is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calmkb.model import Verdict
from calmkb.reflect.proposals.merging import agreeing
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.methods import TFIDF, Method


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that an agent proposes; `quote` are words of the `session` that shows it."""

    content: str
    category: str
    importance: float = 0.5
    reasoning: str = ""
    session: str = ""
    quote: str = ""

    def cleaned(self, clean: Callable[[str], str]) -> "Candidate":
        """Return it with its texts passed through `clean`."""
        return replace(self, content=clean(self.content), reasoning=clean(self.reasoning))


@dataclass(frozen=True, slots=True)
class Merged:
    """One proposal of several similar ones: the most important one's words, the highest importance.

    `positions` are those of the candidates, from 0; `similarity` is the least between the words
    kept and the others, 1 where there are none.
    """

    kept: Candidate
    positions: tuple[int, ...]
    similarity: float


def merge(
    candidates: Sequence[Candidate],
    known: Sequence[KnownText],
    refused: Sequence[KnownText],
    *,
    duplicate: float,
    method: Method = TFIDF,
) -> tuple[list[Merged], list[Verdict], list[Verdict]]:
    """Return the merged proposals, and a verdict of each on what is known and what was refused."""
    if not candidates:
        return [], [], []
    texts = [candidate.content for candidate in candidates]
    vectors = method.vectors([*texts, *(k.text for k in known), *(k.text for k in refused)])
    merged = [
        _merged(candidates, rows, vectors)
        for group in cluster(vectors[: len(texts)], duplicate)
        for rows in agreeing(texts, sorted(group, key=lambda at: -candidates[at].importance))
    ]
    kept = [item.kept.content for item in merged]
    verdicts, refusals = (
        judge(kept, others, method, duplicate=duplicate) for others in (known, refused)
    )
    return merged, verdicts, refusals


def _merged(candidates: Sequence[Candidate], rows: list[int], vectors: Any) -> Merged:
    level = min(1.0, float((vectors[rows] @ vectors[rows[:1]].T).toarray().min()))
    return Merged(candidates[rows[0]], tuple(sorted(rows)), round(level, 2))
