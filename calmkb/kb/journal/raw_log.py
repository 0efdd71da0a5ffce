"""The log of a session, the one that is wrapped up whatever else runs there, and its draft."""

from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.errors import CalmError, TranscriptError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.projects import repository_at
from calmkb.kb.journal.unwrapped import unwrapped_sessions
from calmkb.model import Draft
from calmkb.store.local.sessions import WRITTEN_PARTS, read_written, size_of
from calmkb.system.files import read_bytes

LOG_LIMIT = 64 * 1024 * 1024
"""Bytes of a raw log: redacting more would keep a person waiting for minutes."""


@dataclass(frozen=True, slots=True)
class RawLog:
    """A log, or nothing and the reason why there is none to keep."""

    content: bytes | None = None
    note: str = ""


def draft_from(kb: KnowledgeBase, path: Path, *, shown: bool = True) -> Draft:
    """Return a draft of the transcript at `path`, fit to be kept: a program's where one waits.

    What is not `shown` to anybody is not to be a model's words.
    """
    from calmkb.capture.formats.table import read_transcript  # a fifth of a wrap-up by hand
    from calmkb.kb.journal.wrapup import drafted

    transcript = read_transcript(path)
    draft = drafted(transcript, kb.at(Path(transcript.working_directory)).redactor)
    waits = shown and draft.session_id
    found = read_written(kb.environment.state, draft.session_id) if waits else None
    if found is None or not found.summary or found.size != size_of(path):
        return draft
    parts = {name: value for name in WRITTEN_PARTS if (value := getattr(found, name))}
    return replace(draft, **({"friction_points": (), "learnings": (), "said": ()} | parts))


def session_log(kb: KnowledgeBase, session_id: str, working_directory: str = "") -> RawLog:
    """Return the log of a session, of the folder's newest where no id is known."""
    try:
        return log_at(latest_transcript(kb, working_directory, session_id=session_id))
    except CalmError as error:  # the words are worth more than the log
        return RawLog(note=f"no raw log was kept: {error}")


def log_at(path: Path) -> RawLog:
    """Return the log in a file; one over the limit is not read. StoreError on no plain file."""
    size = path.stat().st_size if path.is_file() else 0
    if size > LOG_LIMIT:
        most = LOG_LIMIT // 1024 // 1024
        return RawLog(
            note=f"no raw log was kept: {path} has {size:,} bytes, the limit is {most} MiB"
        )
    return RawLog(read_log(path))


def read_log(path: Path) -> bytes:
    """Return a raw log; StoreError on anything but a plain file of at most 64 MiB."""
    return read_bytes(path, limit=LOG_LIMIT)


def latest_transcript(
    kb: KnowledgeBase, working_directory: str = "", *, session_id: str = ""
) -> Path:
    """Return the transcript of a session, or the folder's newest where no id is known.

    Raises TranscriptError where there is none.
    """
    from calmkb.capture.history.locate import newest_transcript
    from calmkb.capture.history.sources import session_transcript

    home, env = kb.environment.home, kb.environment.env
    if session_id:
        found = session_transcript(session_id, home=home, env=env)
        where = f"transcript of session {session_id}"
    else:
        folder = kb.environment.cwd / working_directory
        repository = repository_at(folder, kb.environment)
        top = repository.top if repository else None
        found = newest_transcript(folder, home=home, env=env, top=top)
        where = f"session of {folder}"
    if found is None:
        raise TranscriptError(
            f"no {where} was found; say what happened with --summary, "
            "or name a transcript with --from-transcript FILE"
        )
    return found


def unwrapped_transcript(
    kb: KnowledgeBase, working_directory: str = "", *, session_id: str = ""
) -> Path:
    """Return the transcript of the last session here that ended and has no entry.

    Where none is known, that of `latest_transcript`. Raises TranscriptError where there is none.
    """
    here = kb.at(kb.environment.cwd / working_directory)
    if not session_id and (found := unwrapped_sessions(here)):
        return Path(found[0].transcript)
    return latest_transcript(kb, working_directory, session_id=session_id)


def log_text(path: Path, *, full: bool = False) -> str:
    """Return a kept log: whole with `full` or where it is short, else what was said and done."""
    from calmkb.capture.condense import LIMIT, condensed_text, shorten
    from calmkb.capture.formats.table import read_transcript

    text = read_log(path).decode(errors="replace")
    if full or len(text) <= LIMIT:
        return text
    try:
        return condensed_text(read_transcript(path))
    except TranscriptError:
        return shorten(text, LIMIT)


def filtered(kb: KnowledgeBase, data: bytes, *, json_lines: bool) -> tuple[bytes, dict[str, int]]:
    """Return `data` as a wrap-up here would keep it, and how often each rule of the filter hit."""
    text = data.decode(errors="replace").replace("\0", "\ufffd")
    cleaned = kb.redactor.json_lines(data) if json_lines else kb.redactor.text(text).encode()
    return cleaned, dict(sorted(kb.redactor.hits.items()))
