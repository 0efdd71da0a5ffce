"""What a history would teach, found in a temporary folder: nothing is written anywhere else."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.config import Config
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.history_import import Imported, ImportRequest, import_history
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.reflect.reflection import pending
from calmkb.kb.search.friction import friction_themes, session_texts
from calmkb.kb.start.histories import AgentHistory
from calmkb.model import Proposal, SessionView, Theme
from calmkb.store.git.repository import create_repository

BEST = 10
"""Proposals and troubles that are shown: what a person reads at once."""
NEWEST = 300
"""Sessions that a first look reads, the newest: in under a minute."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What the newest sessions would teach: the best proposals and what recurs most.

    `proposed` counts all proposals, `imported` says what was read and left out, for each agent.
    """

    sessions: tuple[SessionView, ...]
    proposals: tuple[Proposal, ...]
    proposed: int
    themes: tuple[Theme, ...]
    imported: dict[str, Imported]


def preview(environment: Environment, histories: Sequence[AgentHistory]) -> Preview:
    """Return what the newest sessions of these histories would teach; writes nothing that stays."""
    with _temporary_kb(environment) as kb:
        imported = {}
        for source, paths in _newest(histories).items():
            imported[source] = import_history(kb, ImportRequest(source, files=paths))
        waiting = pending(kb)
        contents = read_contents(kb)
        themes = friction_themes(kb, session_texts(kb, contents.sessions), ())
        recurring = tuple(one for one in themes if one.sessions > 1)
        found = waiting.proposals.open
        return Preview(contents.sessions, found[:BEST], len(found), recurring[:BEST], imported)


def _newest(histories: Sequence[AgentHistory]) -> dict[str, tuple[Path, ...]]:
    """Return the newest sessions of all agents, by the agent that keeps them."""
    dated = [
        (one.at, history.source, one.path) for history in histories for one in history.sessions
    ]
    newest = sorted(dated, key=lambda item: (item[0], str(item[2])), reverse=True)[:NEWEST]
    sources = dict.fromkeys(source for _, source, _ in newest)
    return {name: tuple(path for _, source, path in newest if source == name) for name in sources}


@contextmanager
def _temporary_kb(environment: Environment) -> Iterator[KnowledgeBase]:
    """Give a knowledge base whose records and state lie in a private folder that is removed."""
    folder = Path(tempfile.mkdtemp(prefix="calmkb-start-"))
    try:
        root = folder / "kb"
        root.mkdir()
        create_repository(root)
        env = {**environment.env, "REFLECTIONS_DIR": str(folder / "state")}
        yield KnowledgeBase(root, Config(), replace(environment, env=env))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
