"""Friction, as themes; what was settled about them is kept beside the index."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.search.methods import method_of
from calmkb.kb.search.term_counts import at_hand
from calmkb.model import Memory, SessionView, Theme
from calmkb.reflect.proposals.statements import Statement, statements_of
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.themes.memo import Memo
from calmkb.reflect.themes.themes import themes
from calmkb.store.caches.themes import ThemeCache
from calmkb.store.index.schema import index_path


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """What sessions said, oldest first, and how alike texts are measured, for several looks."""

    statements: Sequence[Statement]
    method: Method


def session_texts(kb: KnowledgeBase, sessions: Iterable[SessionView]) -> SessionTexts:
    """Return what the sessions said, each text looked at once whatever is asked about it."""
    statements = statements_of(sessions)
    texts = [statement.text for statement in statements]
    return SessionTexts(statements, at_hand(kb, method_of(kb), texts))


def friction_themes(
    kb: KnowledgeBase, said: SessionTexts, memories: Sequence[Memory]
) -> tuple[Theme, ...]:
    """Return friction, most sessions first; with the cache, without or with a damaged one."""
    return themes(said.statements, memories, said.method, memo=_memo(kb))


def _memo(kb: KnowledgeBase) -> Memo | None:
    index = index_path(kb.journal)
    if index is None:
        return None
    named = Path(index)
    return ThemeCache(named.with_name(named.name.replace("index-", "themes-")).with_suffix(".kept"))
