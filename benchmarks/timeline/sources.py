"""Both sources as knowledge bases of their own, and what they propose on a given day."""

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import ImportRequest
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.journal.wrapup import WrapUp, wrap_up
from calmkb.kb.search.methods import method_of
from calmkb.model import Proposal, SessionView
from calmkb.reflect.proposals.commands import usual_commands
from calmkb.reflect.proposals.propose import Proposals, propose
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement, statements_of
from timeline.folder import Folder, Session


@dataclass(frozen=True, slots=True)
class Source:
    """What one source said, in order, by which method it is compared, and of which sessions."""

    name: str
    views: tuple[SessionView, ...]
    method: Method
    sessions: frozenset[str]

    @property
    def statements(self) -> list[Statement]:
        """What the sessions said, oldest first."""
        return statements_of(self.views)

    def proposals(self, before: str = "9999") -> list[Proposal]:
        """Return what would be shown, best first, of the sessions before a day (YYYY-MM-DD)."""
        return list(self.all_proposals(before).open)

    def all_proposals(self, before: str = "9999") -> Proposals:
        """Return what would be shown, and what is held back."""
        views = [one for one in self.views if f"{one.entry.created_at:%Y-%m-%d}" < before]
        return propose(
            statements_of(views),
            [],
            [],
            duplicate=self.method.duplicate,
            method=self.method,
            more=usual_commands(views),
        )


def mined(folder: Folder, scratch: Path) -> Source:
    """Return what an import of the transcripts says."""
    kb = _knowledge_base(scratch)
    files = tuple(one.path for one in folder.sessions)
    import_history(kb, ImportRequest("claude", files=files, all_projects=True))
    return _source("mined", open_kb(kb.environment), [one.name for one in files])


def written(folder: Folder, scratch: Path) -> Source:
    """Return what the wrap-ups say."""
    kb = _knowledge_base(scratch)
    for session in sorted(folder.sessions, key=lambda one: one.ended):
        if told := folder.written.get(session.path.name):
            wrap_up(kb, _wrap_up(kb, session, told))
    return _source("written", open_kb(kb.environment), folder.written)


def _wrap_up(kb: KnowledgeBase, session: Session, told: Mapping[str, Any]) -> WrapUp:
    return WrapUp(
        **told,
        project_name="project",
        working_directory=str(kb.root),
        agent="claude-code",
        session_id=session.path.stem,
        ended_at=session.ended,
    )


def _source(name: str, kb: KnowledgeBase, sessions: Iterable[str]) -> Source:
    return Source(name, read_contents(kb).sessions, method_of(kb), frozenset(sessions))


def _knowledge_base(scratch: Path) -> KnowledgeBase:
    """Return an empty knowledge base with a home and an identity of its own."""
    home, root = scratch / "home", scratch / "kb"
    home.mkdir(parents=True)
    _git(scratch, "init", "-q", str(root))
    for name, value in (("user.name", "Timeline"), ("user.email", "timeline@example.org")):
        _git(root, "config", name, value)
    (root / "calmkb.toml").write_text("", encoding="utf-8")
    return open_kb(Environment(home=home, cwd=root, user="timeline"))


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True)
