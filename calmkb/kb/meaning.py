"""What a search found by its words, ordered by its meaning too."""

from dataclasses import replace
from pathlib import Path

from calmkb.kb.base import KnowledgeBase
from calmkb.store.index_queries import Found
from calmkb.store.index_records import texts_of
from calmkb.store.index_schema import index_path
from calmkb.store.search import Match
from calmkb.store.vectors import Embed, cached

CHARACTERS = 1_000
"""Characters of a record that are embedded."""


def fused(
    kb: KnowledgeBase, query: str, found: list[tuple[Found, Match]], embed: Embed
) -> list[tuple[Found, Match]]:
    """Return the pool ordered by words and by meaning: both scaled to 0 to 1 and summed."""
    if len(found) < 2:
        return found
    place = index_path(kb.journal)
    texts = ["\n".join(texts_of(item.record)[:2])[:CHARACTERS] for item, _ in found]
    cache = str(Path(place).with_name("vectors.sqlite")) if place else None
    vectors = cached(cache, texts, embed, model="minilm")
    asked = embed([query])[0]
    near = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors]
    least, most = min(near), max(near)
    best = max(match.score for _, match in found) or 1.0
    sums = [
        match.score / best + (level - least) / ((most - least) or 1.0)
        for (_, match), level in zip(found, near, strict=True)
    ]
    order = sorted(range(len(found)), key=lambda place: (-sums[place], place))
    return [(found[i][0], replace(found[i][1], score=sums[i])) for i in order]
