"""`wrapup`: a session becomes a committed entry; its raw log stays on the machine."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmkb.documents import record_path, render
from calmkb.errors import CalmError, RecordError
from calmkb.kb.base import points
from calmkb.kb.base.filed import commit_message
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.projects import Project
from calmkb.kb.journal.sessions import entry_of_session
from calmkb.kb.project.init import ensure_kb
from calmkb.model import (
    COMMITS_LIMIT,
    CONTENT,
    FILES_LIMIT,
    LINE_LIMIT,
    Draft,
    Entry,
    Section,
    SessionContent,
    check_items,
    in_utc,
    name_in_path,
    split_why,
)
from calmkb.model.sessions.entries import imported_id
from calmkb.redact import Redactor
from calmkb.store.commits.changes import Commit
from calmkb.store.commits.unacknowledged import Named, begun
from calmkb.store.git.repository import repository_named
from calmkb.store.local.session_logs import delete_logs, hand_on_log, save_log

if TYPE_CHECKING:
    from calmkb.capture.formats.turns import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapUp(SessionContent):
    """What a wrap-up says; an empty project or folder is that of the current folder.

    `files` outside the folder's repository are left out. What was written `elsewhere`, as a
    transcript, is not of the current folder where it names none. `log` is the raw log. What was
    `drafted` from a transcript and read by nobody is a draft, as an import makes it.
    """

    log: bytes | None = None
    ended_at: datetime | None = None
    drafted: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A wrap-up checked and filtered: its entry, its raw log, and the folder of the session."""

    entry: Entry
    log: bytes | None
    folder: Path
    drafted: bool


@dataclass(frozen=True, slots=True)
class WrappedUp:
    """The committed entry, where its log lies, and a warning or nothing."""

    entry: Entry
    log_path: Path | None
    warning: str


def prepare(kb: KnowledgeBase, given: WrapUp) -> tuple[KnowledgeBase, Prepared]:
    """Return `kb`, made if it is not yet, and a wrap-up fit to be kept; RecordError on a limit."""
    _check_limits(given)
    folder = Path(given.working_directory or kb.environment.cwd)
    redactor = kb.at(folder).redactor
    entry = entry_from(kb, given, redactor, id=kb.environment.new_id())
    log = given.log and redactor.knowing(_texts(given)).json_lines(given.log)
    return ensure_kb(kb), Prepared(entry, log, folder, given.drafted)


def wrap_up(
    kb: KnowledgeBase, made: Prepared, answer: Callable[[WrappedUp], None] = lambda _: None
) -> WrappedUp:
    """Commit a wrap-up as one entry; one whose `answer` a kill prevented is not committed twice.

    Nor is what says the same as the newest words on its session.
    StoreError where git or the disk refuses; then nothing is kept.
    """
    entry = made.entry
    earlier = entry_of_session(kb, entry.agent, entry.session_id)
    if made.drafted and entry.session_id and earlier is None:
        entry = replace(entry, id=imported_id(entry.agent, entry.session_id))
    entry = _following(earlier, entry)
    marks = kb.repository.git_dir / "calmkb" / "begun"
    key, fresh = _digest(entry), Named(entry.id, entry.created_at)
    with begun(marks, key, fresh, now=kb.environment.now()) as named:
        if earlier and _digest(earlier) == key:
            named = Named(earlier.id, earlier.created_at, repeated=True)
        entry = replace(entry, id=named.id, created_at=named.at)
        done, log_path = _save(kb, entry, made.log, repeated=named.repeated)
        if earlier and earlier.id != entry.id:
            log_path = hand_on_log(kb.environment.state, earlier.id, entry.id, entry.created_at)
        points.session_wrapped(kb, entry, made.folder)
        wrapped = WrappedUp(entry, log_path, done.warning)
        answer(wrapped)  # in the mark: whoever was killed before they read one asks again
    return wrapped


def _following(earlier: Entry | None, entry: Entry) -> Entry:
    """Return an entry as later than the earlier one, since the newest is shown, and named as it."""
    if earlier is None:
        return entry
    after = max(entry.created_at, earlier.created_at + timedelta(seconds=1))
    return replace(entry, title=entry.title or earlier.title, created_at=after)


def _check_limits(given: WrapUp) -> None:
    """Raise CalmError on what a record may hold, but a wrap-up may not."""
    if given.needs_continuation and not any(step.strip() for step in given.next_steps):
        raise CalmError("a session to be continued needs a next step (next_steps, --next)")
    for name, spec in CONTENT.items():
        if spec.given:
            try:
                pairs = [split_why(o) if spec.reasons else (o, "") for o in getattr(given, name)]
                reasons = tuple(why for _, why in pairs if why)
                check_items(tuple(text for text, _ in pairs), spec.label, *spec.given)
                check_items(reasons, f"{spec.label}, why", *spec.given)
            except RecordError as error:
                raise CalmError(f"{error}; keep what a new session needs to know") from None


def _save(
    kb: KnowledgeBase, entry: Entry, log: bytes | None, *, repeated: bool
) -> tuple[Commit, Path | None]:
    """Commit the entry and keep its raw log; where the commit is refused, the log goes too."""
    state = kb.environment.state
    path = None if log is None else save_log(state, entry.id, entry.created_at, log)
    files = {record_path(entry): render(entry).encode()}
    try:
        done = kb.save(files, _message(entry), repeated=repeated)
    except BaseException:
        delete_logs(state, (entry.id,))
        raise
    return done, path


def _digest(entry: Entry) -> str:
    """Return what two entries of the same words share, whatever their id and time."""
    words = asdict(entry) | {"id": "", "created_at": ""}
    text = json.dumps(words, default=str, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def drafted(transcript: "Transcript", redactor: Redactor) -> Draft:
    """Return a draft of a transcript, fit to be shown and kept but for its paths."""
    from calmkb.capture.draft.draft import draft, filtered

    return cleaned(draft(filtered(transcript, redactor.contents)), redactor)


def cleaned(draft: Draft, redactor: Redactor) -> Draft:
    """Return a draft whose texts hold no secret and no path of this machine."""
    return replace(draft, **_clean(draft, redactor, kinds=("text", "items")))


def entry_from(kb: KnowledgeBase, given: WrapUp, redactor: Redactor, *, id: str) -> Entry:  # noqa: A002
    """Return a wrap-up as an entry fit to be kept; RecordError names every broken limit."""
    folder = given.working_directory or ("" if given.elsewhere else str(kb.environment.cwd))
    redactor = redactor.knowing(_texts(given))
    now = kb.environment.now()
    ended = in_utc(given.ended_at) if given.ended_at else now
    project = _project(kb, folder)
    placed = {
        "project_name": redactor.line(given.project_name or project.name),
        "repository": redactor.line(given.repository or project.repository),
        "working_directory": redactor.text(folder),
        "files": _inside(folder, given.files, redactor),
        "commits": given.commits[-COMMITS_LIMIT:],
        "said": given.said,
        "thread": given.thread,
    }
    clean = _clean(given, redactor, kinds=("text", "items", "line", "flag"))
    return Entry(id=id, created_at=min(ended, now), **(clean | placed))


def _clean(
    content: SessionContent, redactor: Redactor, *, kinds: tuple[str, ...]
) -> dict[str, Any]:
    """Return the fields of these kinds without secrets and without paths of this machine."""

    def clean(text: str) -> str:
        return redactor.text(text).strip()

    ways: dict[str, Callable[[Any], Any]] = {
        "text": clean, "items": lambda items: tuple(map(clean, items)),
        "line": redactor.line, "flag": bool,
    }  # fmt: skip
    kept = ((name, spec.kind) for name, spec in CONTENT.items() if spec.kind in kinds)
    found: dict[str, Any] = {name: ways[kind](getattr(content, name)) for name, kind in kept}
    own = (Section(redactor.line(each.heading), clean(each.text)) for each in content.sections)
    return found | {"sections": tuple(own)}


def _texts(content: SessionContent) -> tuple[str, ...]:
    """Return the texts in which a secret that is found once may be written again."""
    found = [getattr(content, name) for name, spec in CONTENT.items() if spec.is_section]
    found.append(tuple(section.text for section in content.sections))
    return tuple(t for value in found for t in ((value,) if isinstance(value, str) else value))


def _inside(folder: str, files: tuple[str, ...], redactor: Redactor) -> tuple[str, ...]:
    """Return the files as seen from the top of the repository around `folder`."""
    repository = repository_named(Path(folder)) if files else None
    if repository is None:
        return ()
    top = os.path.realpath(repository.top)
    places = (Path(os.path.realpath(Path(folder, file))) for file in files)
    named = (place.relative_to(top) for place in places if place.is_relative_to(top))
    kept = (redactor.line(name.as_posix()) for name in named)
    sound = (name for name in kept if name != "." and not name.startswith(("/", "~")))
    return tuple(dict.fromkeys(name for name in sound if len(name) <= LINE_LIMIT))[:FILES_LIMIT]


def _project(kb: KnowledgeBase, folder: str) -> Project:
    """Return the project of a folder; of one that is not here, what its path tells."""
    if folder and (here := Path(folder)).is_dir():
        return kb.at(here.resolve()).project
    return Project(name_in_path(folder, user=kb.environment.user))


def _message(entry: Entry) -> str:
    first = entry.summary.split("\n", 1)[0]
    scope = f"({entry.project_name})" if entry.project_name else ""
    trailers = [f"Calm-Entry: {entry.id}"]
    trailers += [f"Calm-Session: {entry.session_id}"] if entry.session_id else []
    trailers += [f"Calm-Agent: {entry.agent}"] if entry.agent else []
    trailers += [f"Session-Commit: {identity}" for identity in entry.commits]
    return commit_message(f"wrapup{scope}: {first}", "", "\n".join(trailers))
