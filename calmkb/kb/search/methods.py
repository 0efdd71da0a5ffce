"""How alike texts are measured in a knowledge base."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calmkb.kb.base.points import embedder
from calmkb.store.caches.vectors import MODEL

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.reflect.similarity.methods import Embed, Method


def method_of(kb: "KnowledgeBase") -> "Method":
    """Return the method that the settings name, with their thresholds where they give some.

    Vectors are kept beside the index. Raises ConfigError on a method that is unknown or whose model
    is not installed.
    """
    from calmkb.reflect.similarity.methods import choose

    chosen = kb.config.reflect
    embed = None if chosen.method == "tfidf" else _kept(kb)
    return choose(chosen.method, embed=embed, duplicate=chosen.duplicate, theme=chosen.theme)


def _kept(kb: "KnowledgeBase") -> "Embed | None":
    from calmkb.kb.base.cache_paths import vectors_path
    from calmkb.store.caches.vectors import cached

    embed = embedder()
    if embed is None:
        return None
    cache = vectors_path(kb.journal)

    def kept(texts: Sequence[str]) -> list[list[float]]:
        return cached(cache, texts, embed, model=MODEL)

    return kept
