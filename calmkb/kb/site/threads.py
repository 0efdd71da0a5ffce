"""Sessions turn by turn, for the sites that a person said may show them."""

from collections.abc import Iterable, Mapping

from calmkb.kb.archive.place import archive_of
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import SessionView
from calmkb.model.sessions.archive import KeptTurn
from calmkb.store.archive.session_file import read_turns
from calmkb.store.local.site_threads import choose_threads, sites_with_threads

LONGEST = 2_000
"""Turns of a session that a site shows."""


def shows_threads(kb: KnowledgeBase) -> bool:
    """Return whether the site of this knowledge base shows threads when it is built here."""
    return str(kb.root) in sites_with_threads(kb.environment.state)


def switch_threads(kb: KnowledgeBase, *, on: bool) -> None:
    """Remember a person's choice for this knowledge base; no repository can make it."""
    choose_threads(kb.environment.state, kb.root, on=on)


def threads(
    kb: KnowledgeBase, sessions: Iterable[SessionView]
) -> Mapping[str, tuple[KeptTurn, ...]]:
    """Return the turns of each session that is kept on this machine; none where it is off."""
    if not shows_threads(kb):
        return {}
    archive = archive_of(kb.environment)
    kept = {path.stem: path for path in archive.files()}
    named = ((view.entry.id, archive.path("", view.entry.session_id).stem) for view in sessions)
    return {one: read_turns(kept[name])[:LONGEST] for one, name in named if name in kept}
