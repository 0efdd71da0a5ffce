"""Notes that agents keep become entries: each note once, and again where it has changed."""

import hashlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.capture.formats.table import first_folder
from calmkb.capture.history.mapped_name import mapped_name
from calmkb.capture.history.notes import Note, read_memory, read_private
from calmkb.capture.history.vendor_notes import read_codex, read_copilot, read_gemini
from calmkb.kb.base.projects import Project
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.kb.journal.wrapup import WrapUp
from calmkb.model import SUMMARY_LIMIT, Entry, Section
from calmkb.redact import Redactor
from calmkb.reflect.statements.statements import NOTE

AGENTS = {
    "auto-memory": "claude-code",
    "codex-memory": "codex",
    "gemini-memory": "gemini",
    "copilot-memory": "copilot",
}
"""Whose notes are learnings, by source."""
NOTES = (*AGENTS, "private-journal")
"""Sources of notes, not of sessions."""
_LOOKED_AT = 5  # transcripts beside a note that are asked for the folder


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWrapUp(WrapUp):
    """A note as a wrap-up, with the reason and the category that its file gives."""

    why: str = ""
    category: str = ""


class NoteReader:
    """Reads notes; `learnt` are the learnings that are known, `clean` the filter."""

    def __init__(
        self, projects: SessionProjects, learnt: Set[str], clean: Callable[[str], str]
    ) -> None:
        self._projects, self._learnt, self._clean = projects, learnt, clean

    def is_own(self, path: Path, note: Note) -> bool:
        """Say whether a note is of the own repository: by its place, or by the sessions beside."""
        own = self._projects.own_folders
        if note.folder:  # the file may hold notes of many projects
            here = Path(note.folder)
            return any(map(here.is_relative_to, own)) or self._projects.is_own([note.folder])
        place, folder = path.resolve(), _folder_of(path)
        return (
            any(place.is_relative_to(top) for top in own)
            or path.parent.parent.name in {mapped_name(str(top)) for top in own}
            or bool(folder and self._projects.is_own([folder]))
        )

    def wrap_up(self, source: str, path: Path, note: Note) -> NoteWrapUp | None:
        """Return what is new in a note, or None."""
        learn = source in AGENTS
        new = [text for text in note.texts if self._clean(text).strip() not in self._learnt]
        if not new:
            return None
        agent = AGENTS.get(source, source)
        said_in = f", of its session {note.session}" if note.session else ""
        words = f"Took over a note of {agent}: {path.stem}{said_in}."
        words = words if learn else "\n\n".join(new)
        project = self._project(path, note) if learn else Project(source)
        mark = hashlib.sha256("\0".join(new).encode(errors="replace")).hexdigest()[:16]
        return NoteWrapUp(
            summary=words[:SUMMARY_LIMIT],
            project_name=project.name or "notes",
            repository=project.repository,
            agent=agent,
            session_id=f"{NOTE}{mark}",
            learnings=tuple(new) if learn else (),
            ended_at=note.written_at,
            why=note.why,
            category=note.category,
        )

    def _project(self, path: Path, note: Note) -> Project:
        """Return the project of the sessions beside a note, else what its folder's name tells."""
        if folder := note.folder or _folder_of(path):
            return self._projects.project([folder])
        return Project(path.parent.parent.name.rpartition("-")[2])


_READERS: Mapping[str, Callable[[Path], list[Note]]] = {
    "auto-memory": lambda path: [read_memory(path)],
    "codex-memory": read_codex,
    "gemini-memory": read_gemini,
    "copilot-memory": read_copilot,
    "private-journal": lambda path: [read_private(path)],
}


def read_notes(source: str, path: Path) -> list[Note]:
    """Return what a file of notes says; TranscriptError where it cannot be read."""
    return [note for note in _READERS[source](path) if note.texts]


def with_reason(entry: Entry, given: NoteWrapUp, redactor: Redactor) -> Entry:
    """Return the entry with what the note says of its learning, filtered."""
    why = redactor.text(given.why).strip()
    return replace(
        entry,
        sections=(Section("Why", why),) if why else (),
        extra={"category": given.category} if given.category else {},
    )


def _folder_of(path: Path) -> str:
    """Return the folder that a note of auto-memory is about, by the sessions beside it."""
    beside = sorted(path.parent.parent.glob("*.jsonl"))[:_LOOKED_AT]
    return next((folder for one in beside if (folder := first_folder(one))), "")
