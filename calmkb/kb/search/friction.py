"""Statements of sessions, and the themes of their friction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calmkb.kb.base.cache_paths import derived_cache
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents, read_contents
from calmkb.kb.search.methods import method_of
from calmkb.model import Memory, Proposal, SessionView, Theme
from calmkb.model.review.reflections import ANY_EVIDENCE
from calmkb.reflect.memories.recurrence import Mention, troubles_met
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement, statements_of
from calmkb.reflect.themes.themes import themes


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """Statements of sessions, oldest first, and the similarity method, for several uses."""

    statements: Sequence[Statement]
    method: Method


def session_texts(kb: KnowledgeBase, sessions: Iterable[SessionView]) -> SessionTexts:
    """Return the statements of the sessions."""
    return SessionTexts(statements_of(sessions), method_of(kb))


def friction_themes(
    kb: KnowledgeBase, texts: SessionTexts, contents: Contents
) -> tuple[Theme, ...]:
    """Return the themes of friction, most sessions first; their groups are cached.

    What a person dismissed, by its title or its oldest quote, is none.
    """
    rejected = (item for record in contents.reflections for item in record.rejected)
    gone = {item.text for item in rejected if item.evidence == ANY_EVIDENCE}
    with derived_cache(kb) as kept:
        found = themes(texts.statements, contents.memories, texts.method, kept=kept)
    return tuple(one for one in found if gone.isdisjoint({one.statement, one.evidence[0].quote}))


def find_trouble(kb: KnowledgeBase, prefix: str) -> Theme | None:
    """Return the trouble whose id begins so, as the site shows it; None where none or many do."""
    contents = read_contents(kb, "session", "memory", "reflection")
    every = friction_themes(kb, session_texts(kb, contents.sessions), contents)
    found = [one for one in every if prefix and one.id.startswith(prefix.lower())]
    return found[0] if len(found) == 1 else None


def troubles_of(
    kb: KnowledgeBase, lessons: Sequence[Memory | Proposal], texts: SessionTexts
) -> dict[str, tuple[Mention, ...]]:
    """Return by id the statements of sessions that may tell of a lesson's trouble."""
    with derived_cache(kb) as kept:
        return troubles_met(lessons, texts.statements, texts.method, kept=kept)
