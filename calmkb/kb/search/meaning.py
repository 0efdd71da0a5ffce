"""What a search found by its words, ordered by its meaning too."""

from dataclasses import replace

from calmkb.kb.base.cache_paths import vectors_path
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.caches.vectors import MODEL, Embed, build, cached
from calmkb.store.index.queries import Found
from calmkb.store.index.records import texts_of
from calmkb.store.index.search import Match

CHARACTERS = 1_000
"""Characters of a record that are embedded."""
WEIGHT = 0.6
"""What the nearest meaning adds, where the best words count 1: more is worse than words alone."""
AT_ONCE = 16
"""Vectors that one search makes: a second. An answer by words never waits for more."""


def fused(
    kb: KnowledgeBase, query: str, found: list[tuple[Found, Match]], embed: Embed
) -> tuple[list[tuple[Found, Match]], int]:
    """Return the pool ordered by words and by meaning: both scaled to 0 to 1, weighted and summed.

    Where vectors are missing, some are made; from the first record on that still has none, the
    order is that of the words, and the number of those records is returned.
    """
    if len(found) < 2:
        return found, 0
    cache = vectors_path(kb.journal)
    texts = ["\n".join(texts_of(item.record)[:2])[:CHARACTERS] for item, _ in found]
    if cache is None:
        return found, len(texts)
    ready = build(cache, texts, embed, model=MODEL, most=AT_ONCE)
    if ready < 2:
        return found, len(found) - ready
    vectors = cached(cache, texts[:ready], embed, model=MODEL)
    return _by_both(found[:ready], vectors, embed([query])[0]) + found[ready:], len(found) - ready


def _by_both(
    found: list[tuple[Found, Match]], vectors: list[list[float]], asked: list[float]
) -> list[tuple[Found, Match]]:
    near = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors]
    least, most = min(near), max(near)
    best = max(match.score for _, match in found) or 1.0
    sums = [
        match.score / best + WEIGHT * (level - least) / ((most - least) or 1.0)
        for (_, match), level in zip(found, near, strict=True)
    ]
    order = sorted(range(len(found)), key=lambda place: (-sums[place], place))
    return [(found[i][0], replace(found[i][1], score=sums[i])) for i in order]
