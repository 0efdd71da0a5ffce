"""Statements of sessions, and the themes of their friction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.model import Memory, SessionView, Theme
from calmkb.reflect.proposals.statements import Statement, statements_of
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.themes.themes import themes


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """Statements of sessions, oldest first, and the similarity method, for several uses."""

    statements: Sequence[Statement]
    method: Method


def session_texts(kb: KnowledgeBase, sessions: Iterable[SessionView]) -> SessionTexts:
    """Return the statements of the sessions."""
    return SessionTexts(statements_of(sessions), method_of(kb))


def friction_themes(texts: SessionTexts, memories: Sequence[Memory]) -> tuple[Theme, ...]:
    """Return the themes of friction, most sessions first."""
    return themes(texts.statements, memories, texts.method)
