"""Statements of sessions, and the themes of their friction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calmkb.kb.base.cache_paths import cache_path
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.model import Memory, SessionView, Theme
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement, statements_of
from calmkb.reflect.themes.themes import themes
from calmkb.store.caches.themes import ThemeCache


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """Statements of sessions, oldest first, and the similarity method, for several uses."""

    statements: Sequence[Statement]
    method: Method


def session_texts(kb: KnowledgeBase, sessions: Iterable[SessionView]) -> SessionTexts:
    """Return the statements of the sessions."""
    return SessionTexts(statements_of(sessions), method_of(kb))


def friction_themes(
    kb: KnowledgeBase, texts: SessionTexts, memories: Sequence[Memory]
) -> tuple[Theme, ...]:
    """Return the themes of friction, most sessions first; their groups are cached."""
    path = cache_path(kb.journal, "themes", ".cache")
    cache = ThemeCache(path) if path else None
    return themes(texts.statements, memories, texts.method, cache=cache)
