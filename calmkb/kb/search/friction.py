"""Themes of friction; their groups are cached beside the index."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.kb.search.term_counts import with_counts
from calmkb.model import Memory, SessionView, Theme
from calmkb.reflect.proposals.statements import Statement, statements_of
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.themes.memo import Memo
from calmkb.reflect.themes.themes import themes
from calmkb.store.caches.themes import ThemeCache
from calmkb.store.index.schema import index_path


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """Statements of sessions, oldest first, and the similarity method, for several uses."""

    statements: Sequence[Statement]
    method: Method


def session_texts(kb: KnowledgeBase, sessions: Iterable[SessionView]) -> SessionTexts:
    """Return the statements of the sessions; the terms of each text are counted once."""
    statements = statements_of(sessions)
    method = with_counts(kb, method_of(kb), [statement.text for statement in statements])
    return SessionTexts(statements, method)


def friction_themes(
    kb: KnowledgeBase, texts: SessionTexts, memories: Sequence[Memory]
) -> tuple[Theme, ...]:
    """Return friction, most sessions first; with the cache, without or with a damaged one."""
    return themes(texts.statements, memories, texts.method, memo=_memo(kb))


def _memo(kb: KnowledgeBase) -> Memo | None:
    index = index_path(kb.journal)
    if index is None:
        return None
    named = Path(index)
    return ThemeCache(named.with_name(named.name.replace("index-", "themes-")).with_suffix(".kept"))
