"""What a person asked in sessions that are deleted already, from the client's file of prompts."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from calmkb.capture.formats.claude import claude_home
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.errors import TranscriptError
from calmkb.kb.base.environment import Environment
from calmkb.model import name_in_path
from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.redact import Redactor
from calmkb.store.local.forgotten import forgotten
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import append, read_turns
from calmkb.wings.archive.turns.filling import index_session
from calmkb.wings.archive.verbs.filtering import Known, filtered_session, new_turns
from calmkb.wings.archive.verbs.place import is_excluded
from calmkb.wings.archive.verbs.reading import PERSON

_AGENT = "claude-code"
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class _Prompt:
    line: int
    at: datetime
    folder: str
    session: str
    text: str


def keep_prompts(
    environment: Environment,
    archive: Archive,
    db: sqlite3.Connection,
    filter_: Redactor,
    after: float = 0,
) -> int:
    """Keep the prompts since `after` of sessions without a transcript; return of how many."""
    path = claude_home(environment.home, environment.env) / "history.jsonl"
    known = {file.name for file in archive.files()}
    known |= {archive.path(_AGENT, one.stem).name for one in path.parent.glob("projects/*/*.jsonl")}
    recovered, is_forgotten = 0, forgotten(environment.own)
    for name, prompts in _by_session(path).items():
        place = archive.path(_AGENT, name)
        begun = place.name in known
        if is_forgotten(name) or (begun and not name.startswith("prompts-")):
            continue
        session = _session(name, prompts, path, environment.user)
        if is_excluded(environment, session):
            continue
        session = filtered_session(session, filter_)
        read = [KeptTurn(line=one.line, at=one.at, role="person", text=one.text) for one in prompts]
        kept = partial(read_turns, place) if begun else tuple
        turns, _ = new_turns(Known().take(kept()), kept, read, filter_)
        if turns and prompts[-1].at.timestamp() > after:
            append(place, session, turns)
            index_session(db, archive, place)
            recovered += 1
    return recovered


def _by_session(path: Path) -> dict[str, list[_Prompt]]:
    """Return the prompts by session; old ones do not name it, and are of a folder and a day."""
    found: dict[str, list[_Prompt]] = {}
    with contextlib.suppress(TranscriptError):
        for line, row in read_objects(path, LeftOut()):
            if one := _prompt(line, row):
                name = one.session or f"prompts-{one.at:%Y-%m-%d}-{one.folder}"
                found.setdefault(name, []).append(one)
    return found


def _prompt(line: int, row: dict[str, Any]) -> _Prompt | None:
    text, folder, session = row.get("display"), row.get("project"), row.get("sessionId")
    try:
        at = datetime.fromtimestamp(float(row.get("timestamp", 0)) / 1000, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    if not isinstance(text, str) or not text.strip() or text.startswith("/"):
        return None
    texts = [text, *_pasted(row.get("pastedContents"))]
    named = session if isinstance(session, str) else ""
    return _Prompt(
        line, at, folder if isinstance(folder, str) else "", named, "\n".join(texts)[:_LONGEST]
    )


def _pasted(value: object) -> Iterator[str]:
    for one in value.values() if isinstance(value, dict) else ():
        content = one.get("content") if isinstance(one, dict) else None
        if isinstance(content, str):
            yield content


def _session(name: str, prompts: list[_Prompt], path: Path, user: str) -> KeptSession:
    first, last = prompts[0], prompts[-1]
    return KeptSession(
        agent=_AGENT,
        name=name,
        folder=first.folder,
        project=name_in_path(first.folder, user=user),
        source=str(path),
        started_at=first.at,
        ended_at=last.at,
        weight=PERSON,
    )
