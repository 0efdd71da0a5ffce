"""What waits in a project: ended sessions without an entry, entries, signals.

A person waits for the start of a session: nothing is loaded here that it can do without.
"""

import contextlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.index.project_names import project_names
from calmkb.store.index.queries import count_unreflected, sessions_with_entry
from calmkb.store.index.schema import git_directory
from calmkb.store.local.notices import CONTINUATIONS, WAITING, note, read_notices
from calmkb.store.local.sessions import EndedSession, ended_sessions, forget_ended, is_written
from calmkb.store.signals.pending import pending
from calmkb.system.git_files import common_dir

if TYPE_CHECKING:
    from calmkb.model import Entry

FRESH = timedelta(days=14)
"""For how long a person is asked about what nobody has decided on."""
_AGENT = "claude-code"  # whose hooks tell of the end of a session


@dataclass(frozen=True, slots=True)
class Waiting:
    """Sessions to wrap up, entries to reflect on and signals to review, each a number."""

    sessions: int = 0
    entries: int = 0
    signals: int = 0
    written: int = 0
    """How many of the sessions a program has written a draft of."""

    def __bool__(self) -> bool:
        return bool(self.sessions or self.entries or self.signals)


def unwrapped_sessions(kb: KnowledgeBase) -> list[EndedSession]:
    """Return the ended sessions of the project at hand without an entry, newest first."""
    environment = kb.environment
    ended = ended_sessions(environment.state, environment.now().timestamp())
    own = [one for one in ended if _place(Path(one.folder)) == _place(environment.cwd)]
    if not own or not kb.journal.is_dir():
        return own
    ids = [one.session_id for one in own]
    known = kb.with_index(lambda index: sessions_with_entry(index, _AGENT, ids))
    for session_id in known:
        forget_ended(environment.state, session_id)
    return [one for one in own if one.session_id not in known]


def session_wrapped(kb: KnowledgeBase, entry: "Entry", folder: Path) -> None:
    """Note that a session has an entry, and what it leaves to be continued."""
    if entry.needs_continuation:
        # The status line looks up the folder's own name, not the project's.
        note(kb.environment.state, CONTINUATIONS, folder.name, entry.summary)
    drop_unwrapped(kb, entry.session_id)


def drop_unwrapped(kb: KnowledgeBase, session_id: str) -> None:
    """Offer an ended session no longer: it was wrapped up, or nobody wants it to be."""
    forget_ended(kb.environment.state, session_id)
    update_note(kb)


def waiting(kb: KnowledgeBase, project: str, *, running: str = "") -> Waiting:
    """Return what waits in the project at hand, beside the session that is `running`."""
    state = kb.environment.state
    if running:
        forget_ended(state, running)  # it has been resumed, and ends again
    sessions = unwrapped_sessions(kb)
    entries = 0
    if kb.journal.is_dir():
        since = kb.environment.now() - FRESH
        entries = kb.with_index(
            lambda index: count_unreflected(index, project_names(index).rows_of(project), since)
        )
    written = sum(is_written(state, one.session_id, one.transcript) for one in sessions)
    return Waiting(len(sessions), entries, pending(state / "signals.jsonl"), written)


def note_what_waits(kb: KnowledgeBase, found: Waiting) -> None:
    """Note for the status line what waits in the project at hand."""
    # The status line looks up the folder's own name, not the project's.
    words = in_words(found.sessions, found.entries, found.written)
    note(kb.environment.state, WAITING, kb.environment.cwd.name, words)


def update_note(kb: KnowledgeBase, _: Collection[str] = ()) -> None:
    """Bring the note up to date after something was wrapped up, reflected on or dropped.

    What was committed is not to fail by a note.
    """
    if read_notices(kb.environment.state, WAITING):
        with contextlib.suppress(CalmError, OSError):
            note_what_waits(kb, waiting(kb, kb.project.name))


def in_words(sessions: int, entries: int, written: int = 0) -> str:
    """Return the counts as a status line shows them; nothing where nothing waits."""
    wrap = f"to wrap up ({written} written)" if written else "to wrap up"
    parts = [(sessions, wrap), (entries, "to reflect on")]
    return ", ".join(f"{number} {what}" for number, what in parts if number)


def _place(folder: Path) -> Path:
    """Return what the folders and worktrees of one repository share, else the folder itself."""
    found = git_directory(folder)
    return (common_dir(found) if found else folder).resolve()
