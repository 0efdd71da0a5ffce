"""What a history would teach, found in a temporary folder: nothing is written anywhere else."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.config import DEFAULT_ROOT, Config
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.imports.history_import import import_history
from calmkb.kb.imports.request import Imported, ImportRequest
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.reflect.documented import with_files
from calmkb.kb.reflect.reflection import pending
from calmkb.kb.search.friction import friction_themes, session_texts
from calmkb.model import Proposal, SessionView, Theme
from calmkb.store.caches.drafts import saved_drafts
from calmkb.store.git.repository import create_repository
from calmkb.wings.start.verbs.histories import AgentHistory

BEST = 10  # proposals and troubles that are shown: what a person reads at once
NEWEST = 300  # sessions that a first look reads, each agent's newest first: in under a minute


@dataclass(frozen=True, slots=True)
class Preview:
    """What the newest sessions would teach: the best proposals and what recurs most.

    `proposed` counts all proposals. `project` is the repository whose sessions were read, empty
    where those of all projects were; `files` are all sessions of each agent, newest first.
    `left_out` says in words how many were not read, and why. `drafts` is what was read of each
    transcript, so that an import need not read it again. `new` counts the sessions that a journal
    lacks which is there already; None where there is none yet.
    """

    sessions: tuple[SessionView, ...]
    proposals: tuple[Proposal, ...]
    proposed: int
    themes: tuple[Theme, ...]
    project: str
    files: Mapping[str, tuple[Path, ...]]
    left_out: str
    drafts: bytes
    new: int | None = None

    @property
    def is_part(self) -> bool:
        """Whether there may be older sessions than those that were read."""
        return len(self.sessions) >= NEWEST


def preview(
    environment: Environment, histories: Sequence[AgentHistory], *, all_projects: bool = False
) -> Preview:
    """Return what the newest sessions of these histories would teach; writes nothing that stays.

    In a repository these are its sessions, unless those of `all_projects` are asked for.
    """
    files = {one.source: one.sessions for one in histories}
    with _temporary_kb(environment) as kb:
        place = kb.place
        done: list[Imported] = []
        for source, paths in files.items():
            most = NEWEST - sum(one.added for one in done)
            if most > 0:
                request = ImportRequest(
                    source, files=paths, most=most, all_projects=all_projects or place is None
                )
                done.append(import_history(kb, request))
        made = pending(kb).proposals
        contents = read_contents(kb)
        themes = friction_themes(kb, session_texts(kb, contents.sessions), contents)
        recurring = tuple(one for one in themes if one.sessions > 1)
        here = KnowledgeBase(environment.home / DEFAULT_ROOT, Config(), environment)
        found = with_files(here, made, contents, everything=False).open
        return Preview(
            contents.sessions,
            found[:BEST],
            len(found),
            recurring[:BEST],
            project="" if all_projects or place is None else place.name,
            files=files,
            left_out=_left_out(done),
            drafts=saved_drafts(kb.environment.state),
        )


def look_again(
    kb: KnowledgeBase, histories: Sequence[AgentHistory], *, all_projects: bool = False
) -> Preview:
    """Return what a journal that is there lacks of these histories; writes no record.

    Transcripts that were read before and have not changed since are not read again.
    """
    files = {one.source: one.sessions for one in histories}
    place = kb.place
    project = "" if all_projects or place is None else place.name
    asked = project if kb.is_personal else ""
    done = [
        import_history(kb, ImportRequest(source, files=paths, project=asked, dry_run=True))
        for source, paths in files.items()
    ]
    new = sum(one.added for one in done)
    return Preview((), (), 0, (), project, files, _left_out(done, known=False), b"", new)


def _left_out(done: Sequence[Imported], *, known: bool = True) -> str:
    counts = {
        "from other repositories": sum(one.elsewhere for one in done),
        "run by programs": sum(one.automated for one in done),
        "seen twice": sum(one.known for one in done) if known else 0,
        "without a conversation": sum(len(one.left_out) for one in done),
    }
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


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
