"""Wrap-ups and transcripts, each a knowledge base of its own, up to a given day."""

import itertools
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import ImportRequest
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.kb.search.methods import method_of
from calmkb.model import SessionView
from calmkb.reflect.proposals.propose import Proposals, propose
from calmkb.reflect.similarity.methods import Method
from timeline.baselines import BASELINES
from timeline.folder import Folder, Session
from timeline.past import Listed, Past, Ranker

END = "9999"
"""A day after all days."""


@dataclass(frozen=True, slots=True)
class Source:
    """What one source recorded, in order, and of which sessions; `read` are their transcripts."""

    name: str
    views: tuple[SessionView, ...]
    method: Method
    read: tuple[Session, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of its sessions."""
        return frozenset(one.path.name for one in self.read)

    def past(self, before: str = END) -> Past:
        """Return what is known before a day (YYYY-MM-DD): the sessions that ended on earlier ones.

        The one place where time is cut: no method gets anything else.
        """
        return Past(
            tuple(one for one in self.views if f"{one.entry.created_at:%Y-%m-%d}" < before),
            tuple(one for one in self.read if one.day < before),
            self.method,
        )

    @property
    def rankers(self) -> dict[str, Ranker]:
        """Every method that lists what is worth remembering, calmkb first."""
        return {"calmkb": calmkb, **BASELINES[self.name]}


def calmkb(past: Past) -> list[Listed]:
    """Return what calmkb would show, best first."""
    return [Listed(one.text, one.evidence) for one in proposals(past).open]


def proposals(past: Past) -> Proposals:
    """Return what calmkb would show, and what it holds back."""
    return propose(
        past.statements,
        [],
        [],
        duplicate=past.method.duplicate,
        method=past.method,
    )


def mined(folder: Folder, scratch: Path) -> Source:
    """Return what an import of the transcripts says."""
    kb = _knowledge_base(scratch)
    files = tuple(one.path for one in folder.sessions)
    import_history(kb, ImportRequest("claude", files=files, all_projects=True))
    return _source("transcripts", kb, folder.sessions)


def written(folder: Folder, scratch: Path) -> Source:
    """Return what the wrap-ups say."""
    kb = _knowledge_base(scratch)
    read = [one for one in folder.sessions if one.path.name in folder.written]
    for session in sorted(read, key=lambda one: one.ended):
        wrap_up(*prepare(kb, _wrap_up(kb, session, folder.written[session.path.name])))
    return _source("wrap-ups", kb, read)


def _wrap_up(kb: KnowledgeBase, session: Session, told: Mapping[str, Any]) -> WrapUp:
    return WrapUp(
        **told,
        project_name="project",
        working_directory=str(kb.root),
        agent="claude-code",
        session_id=session.path.stem,
        ended_at=session.ended,
    )


def _source(name: str, kb: KnowledgeBase, read: Iterable[Session]) -> Source:
    written = open_kb(kb.environment)
    return Source(name, read_contents(written).sessions, method_of(written), tuple(read))


def _knowledge_base(scratch: Path) -> KnowledgeBase:
    """Return an empty knowledge base with a home and an identity of its own."""
    home, root = scratch / "home", scratch / "kb"
    home.mkdir(parents=True)
    _git(scratch, "init", "-q", str(root))
    for name, value in (("user.name", "Timeline"), ("user.email", "timeline@example.org")):
        _git(root, "config", name, value)
    (root / "calmkb.toml").write_text("", encoding="utf-8")
    ids = (str(uuid5(NAMESPACE_URL, str(number))) for number in itertools.count())
    environment = Environment(home=home, cwd=root, user="timeline", new_id=ids.__next__)
    return open_kb(environment)


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True)
