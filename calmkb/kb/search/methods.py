"""Whether there is a model, and how alike texts are measured in a knowledge base."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from calmkb.semantic import MODEL, minilm

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase
    from calmkb.reflect.similarity.methods import Embed, Method


class Embedder(Protocol):
    """Turns texts into vectors of 384 numbers, each of length 1."""

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text."""


def find_embedder() -> Embedder | None:
    """Return the model's function, or None where the extra is missing; nothing heavy is loaded."""
    return minilm.embed if minilm.available() else None


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

    embed = find_embedder()
    if embed is None:
        return None
    cache = vectors_path(kb.journal)

    def kept(texts: Sequence[str]) -> list[list[float]]:
        return cached(cache, texts, embed, model=MODEL)

    return kept
