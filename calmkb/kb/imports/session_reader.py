"""Reads transcripts once: what is read is kept until the file or the rules change."""

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from calmkb.capture.formats.table import read_transcript, session_stamp
from calmkb.errors import RecordError, TranscriptError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.wrapup import drafted
from calmkb.model import Draft
from calmkb.redact import Redactor
from calmkb.store.caches.drafts import draft_cache
from calmkb.system.sources import sources_crc

_RULES = ("capture", "model")  # the rooms that decide what a draft says, beside the filter


@dataclass(frozen=True, slots=True)
class ReadSession:
    """What a transcript tells; no draft where it was not wanted, or `fault` says why there is none.

    `folders` are those that it worked in, `remote` is the URL of their repository.
    """

    draft: Draft | None = None
    folders: tuple[str, ...] = ()
    remote: str = ""
    automated: bool = False
    session_id: str = ""
    fault: str = ""


Wanted = Callable[[ReadSession], bool]
"""Says of a session without a draft whether one is wanted."""


class SessionReader:
    """Reads transcripts for one import; what others read before is taken from the cache."""

    def __init__(self, kb: KnowledgeBase, redactor: Callable[[str], Redactor]) -> None:
        self._redactor = redactor
        # A repository's name may change between a dry run and the import, and hides no secret.
        self._rules = f"{redactor('').stamp(with_places=False)} {sources_crc(_RULES)}"
        self._cache = draft_cache(kb.environment.state, kb.environment.now())

    def __enter__(self) -> "SessionReader":
        self._cache.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._cache.__exit__()

    def read(self, path: Path, wanted: Wanted) -> ReadSession:
        """Return what a file tells, drafted where that is wanted."""
        stamp = str(session_stamp(path) or "")  # before it is read: it may grow meanwhile
        # A name on disk can be none in Unicode.
        key = f"{os.fsencode(path).decode(errors='backslashreplace')}\0{self._rules}\0{stamp}"
        kept = None
        with contextlib.suppress(KeyError):
            kept = _unpack(self._cache[key]) if stamp else None
        if kept is not None and (kept.draft or kept.fault or not wanted(kept)):
            return kept
        found = self._read(path, wanted)
        if stamp:
            self._cache[key] = _pack(found)
        return found

    def _read(self, path: Path, wanted: Wanted) -> ReadSession:
        try:
            transcript = read_transcript(path)
            folders = transcript.folders or (transcript.working_directory,)
            name = transcript.session_id or path.stem
            found = ReadSession(None, folders, transcript.remote, transcript.automated, name)
            if not wanted(found):
                return found
            made = drafted(transcript, self._redactor(transcript.working_directory))
            return replace(found, draft=made)
        except (TranscriptError, RecordError) as error:
            return ReadSession(fault=str(error))


def _pack(found: ReadSession) -> dict[str, Any]:
    packed = asdict(found)
    if found.draft and found.draft.ended_at:
        packed["draft"]["ended_at"] = found.draft.ended_at.isoformat()
    return packed


def _unpack(kept: Any) -> ReadSession | None:
    try:
        given = dict(kept["draft"]) if kept and kept["draft"] else None
        if given and given["ended_at"]:
            given["ended_at"] = datetime.fromisoformat(given["ended_at"])
        made = Draft(**_tuples(given)) if given else None
        return ReadSession(**{**_tuples(kept), "draft": made}) if kept else None
    except (TypeError, KeyError, ValueError):
        return None


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with lists as the tuples that JSON does not know."""
    return {key: tuple(one) if isinstance(one, list) else one for key, one in values.items()}
