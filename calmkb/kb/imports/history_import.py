"""`import`: the history that agents left becomes entries, each session once."""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path

from calmkb.capture.draft.draft import filtered
from calmkb.capture.formats.table import first_folder, read_transcript
from calmkb.capture.history.sources import SESSION_SOURCES, SOURCES, history_files, is_sub_agents
from calmkb.documents import record_path, render
from calmkb.errors import CalmError, RecordError, StoreError, TranscriptError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.projects import Project
from calmkb.kb.base.reading import ask_index
from calmkb.kb.imports.note_import import NOTES, NoteReader, NoteWrapUp, read_notes, with_reason
from calmkb.kb.imports.request import Imported, ImportRequest
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.kb.imports.session_reader import ReadSession, SessionReader
from calmkb.kb.journal.raw_log import LOG_LIMIT, read_log
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.journal.wrapup import WrapUp, entry_from
from calmkb.kb.journal.writing import write_draft
from calmkb.kb.project.init import ensure_kb
from calmkb.model import ITEMS_LIMIT, SUMMARY_LIMIT, Draft, Entry, in_utc
from calmkb.model.sessions.entries import imported_id, is_written
from calmkb.model.words import counted
from calmkb.store.index.project_names import project_names
from calmkb.store.local.forgotten import forgotten
from calmkb.store.local.session_logs import save_log

__all__ = ["SESSION_SOURCES", "SOURCES", "import_history"]
_AS_DRAFTED = ("title", "files", "commits", "thread", "learnings", "working_directory", "agent")


def import_history(kb: KnowledgeBase, request: ImportRequest) -> Imported:
    """Take over an agent's history; a second run adds nothing, a stopped one goes on.

    Raises TranscriptError where there is no history.
    """
    files = list(request.files) or history_files(
        request.source, request.path, kb.environment.home, kb.environment.env
    )
    kb = kb if request.dry_run else ensure_kb(kb)
    run = _Run(kb, request, named=request.path is not None and request.path.is_file())
    with run.reader:
        for number, path in enumerate(files, 1):
            for given, log in run.read(path):
                run.keep(given, log)
            kb.environment.report("Reading transcripts", number, len(files))
            if request.most and run.done.added >= request.most:
                break
    kb.environment.report("Reading transcripts", 1, 1)
    run.flush()
    return run.done


class _Run:
    """One import under way: what is known, what waits to be committed."""

    def __init__(self, kb: KnowledgeBase, request: ImportRequest, *, named: bool) -> None:
        self._kb, self._request = kb, request
        self._projects = SessionProjects(kb)
        every = kb.is_personal or request.all_projects
        self._own_only = not (named or every or request.project)
        self.done = Imported()
        kb.catch_up()
        self._names = ask_index(kb, project_names)
        sessions = [view.entry for view in read_contents(kb).sessions]
        identified = [entry for entry in sessions if entry.session_id]
        self._known = {(entry.agent, entry.session_id) for entry in identified}
        self._drafts = {(e.agent, e.session_id) for e in identified if not is_written(e)}
        self._by_model: set[tuple[str, str]] = set()
        self._redactor = cache(lambda folder: kb.at(Path(folder)).redactor)
        learnt = {text for entry in sessions for text in entry.learnings}
        self._notes = NoteReader(self._projects, learnt, self._redactor("").text)
        self.reader = SessionReader(kb, self._redactor)
        self._is_forgotten = forgotten(kb.environment.own)
        self._waiting: dict[str, bytes] = {}
        self._logs: list[tuple[Entry, Path]] = []

    def read(self, path: Path) -> Iterator[tuple[WrapUp, Path | None]]:
        """Yield what a file says; a file that says nothing is noted with the reason."""
        if is_sub_agents(path):
            self.done.sub_agents += 1
            return
        try:
            if self._request.source in NOTES:
                yield from self._note(path)
            else:
                yield from self._session(path)
        except (TranscriptError, RecordError) as error:
            self.done.left_out.append(str(error))
        except OSError as error:
            self.done.left_out.append(f"{path}: {error}")

    def _session(self, path: Path) -> Iterator[tuple[WrapUp, Path]]:
        # Most of the time goes into reading: the first lines tell what need not be read.
        if self._own_only and self._projects.is_of_another(first_folder(path)):
            self.done.elsewhere += 1
            return
        try:
            found = self.reader.read(path, lambda one: not self._unwanted(one))
        except StoreError as error:  # the filter of the folder that it worked in
            raise TranscriptError(f"{path}: {error}") from error
        if found.fault:
            raise TranscriptError(found.fault)
        if count := self._unwanted(found):
            setattr(self.done, count, getattr(self.done, count) + 1)
        elif found.draft:
            project = self._projects.project(found.folders, found.remote)
            yield self._drafted(path, found.draft, project), path

    def _unwanted(self, found: ReadSession) -> str:
        """Return what a session that is left counts as, or nothing."""
        if self._own_only and not self._projects.is_own(found.folders, found.remote):
            return "elsewhere"
        if self._is_forgotten(found.session_id):  # before a draft is made, which would be cached
            return "forgotten"
        return "automated" if found.automated and not self._request.automated else ""

    def _drafted(self, path: Path, made: Draft, project: Project) -> WrapUp:
        session_id = made.session_id or path.stem
        key = (made.agent, session_id)
        fresh = key not in self._known or key in self._drafts
        if fresh and self._is_asked(project.name, project.repository, made.ended_at):
            made = self._written(path, made, key)
        if key not in self._known:
            self.done.unknown.update(made.unknown_kinds)
        if made.broken_lines:
            lines = ", ".join(str(number) for number in made.broken_lines[:10])
            self.done.broken.append(f"{path}: {len(made.broken_lines)} broken lines ({lines})")
        return WrapUp(
            summary=made.summary[:SUMMARY_LIMIT],
            friction_points=made.friction_points[:ITEMS_LIMIT],
            said=made.said[:ITEMS_LIMIT],
            next_steps=made.next_steps[:ITEMS_LIMIT],
            project_name=project.name,
            repository=project.repository,
            session_id=session_id,
            ended_at=made.ended_at,
            elsewhere=True,
            **{name: getattr(made, name) for name in _AS_DRAFTED},
        )

    def _written(self, path: Path, made: Draft, key: tuple[str, str]) -> Draft:
        """Return the draft in a model's words, where one was asked for and gave an answer."""
        if self._request.writer is None or self._request.dry_run:
            return made
        contents = self._redactor(made.working_directory).contents
        transcript = filtered(read_transcript(path), contents)
        made, attempt = write_draft(self._kb.environment, self._request.writer, transcript, made)
        self.done.dollars += attempt.dollars
        if attempt.written:
            self._by_model.add(key)
            self.done.written += 1
        else:
            self.done.unwritten[attempt.fault] = self.done.unwritten.get(attempt.fault, 0) + 1
        return made

    def _note(self, path: Path) -> Iterator[tuple[WrapUp, None]]:
        source = self._request.source
        for note in read_notes(source, path):
            if self._own_only and not self._notes.is_own(path, note):
                self.done.elsewhere += 1
                continue
            given = self._notes.wrap_up(source, path, note)
            self.done.known += given is None
            if given is not None:
                yield given, None

    def keep(self, given: WrapUp, log: Path | None) -> None:
        """Put one session on the pile, unless it is known or was not asked for."""
        request, key = self._request, (given.agent, given.session_id)
        by_model = key in self._by_model
        if self._is_forgotten(given.session_id):
            self.done.forgotten += 1
            return
        if key in self._known and not by_model:
            self.done.known += 1
            return
        try:
            redactor = self._redactor(given.working_directory)
            identity = self._kb.environment.new_id() if by_model else imported_id(*key)
            entry = entry_from(self._kb, given, redactor, id=identity)
            entry = with_reason(entry, given, redactor) if isinstance(given, NoteWrapUp) else entry
        except (CalmError, OSError) as error:
            self.done.left_out.append(f"session {given.session_id}: {error}")
            return
        if not self._is_asked(entry.project_name, entry.repository, entry.created_at):
            self.done.outside += 1
            return
        self._known.add(key)
        self.done.added += 1
        if request.dry_run:
            return
        self._waiting[record_path(entry)] = render(entry).encode()
        # A session of a database, or of many files, has no log of its own to keep.
        lies_alone = log and log.suffix == ".jsonl" and log.is_file()
        if log and lies_alone and request.keep_logs and log.stat().st_size <= LOG_LIMIT:
            self._logs.append((entry, log))
        if len(self._waiting) >= request.batch:
            self.flush()

    def _is_asked(self, project: str, repository: str, at: datetime | None) -> bool:
        """Say whether a session is new enough, and of the project asked for, whatever its name."""
        request = self._request
        if request.since and at and in_utc(at) < request.since:
            return False
        name = self._names.name(project, repository)
        return (
            not request.project or name.casefold() == self._names.name(request.project).casefold()
        )

    def flush(self) -> None:
        """Commit what waits, in one commit, and then keep the raw logs."""
        if self._waiting:
            count = len(self._waiting)
            message = f"import({self._request.source}): {counted(count, 'session')}\n"
            self._kb.save(self._waiting, message)
            self.done.commits += 1
        for entry, log in self._logs:
            content = self._redactor("").json_lines(read_log(log))
            save_log(self._kb.environment.state, entry.id, entry.created_at, content)
        self._waiting, self._logs = {}, []
