"""OpenCode's sessions: a database, or in older versions a file a session, message and part.

What `opencode export` writes is one document with the `info` of a session and its `messages`.
"""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, takewhile
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from calmkb.capture.formats.base import History, JsonObject, Stamp, TranscriptFormat, file_stamp
from calmkb.capture.formats.cleaning import clean, clip_middle
from calmkb.capture.formats.fields import (
    call_turn,
    files_of,
    name_of,
    object_of,
    result_turn,
    text_of,
)
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.errors import TranscriptError

_DATABASES = "opencode*.db"
_PARTS = frozenset(
    "text tool file reasoning step-start step-finish patch snapshot agent subtask retry "
    "compaction".split()
)
_TOOLS = {"bash": "shell", "write": "Write", "edit": "Edit", "patch": "Edit"}
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")
_ODD = "%"  # begins the name of a row whose id is none of OpenCode's: it could be a path anywhere
_FILE_BYTES = 64 * 1024 * 1024
_Message = tuple[JsonObject, list[JsonObject]]  # A message and its parts


def _data_folder(home: Path, env: Any) -> Path:
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"


@dataclass(frozen=True, slots=True)
class _Sessions(History):
    """A session of the database is the file `opencode.db/ID`, which is there for `read` alone."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Yield each session once: the newest row of it, else its file; elsewhere, exports."""
        newest: dict[str, tuple[int, Path]] = {}
        databases = sorted(folder.glob(_DATABASES))
        for database in databases:
            for (identity,) in _rows(database, "SELECT id FROM session ORDER BY id"):
                path = database / _name_of(identity)
                at = FORMAT.stamp(path).at if len(databases) > 1 and path.name[0] != _ODD else 0
                newest[path.name] = max(newest.get(path.name, (-1, path)), (at, path))
        yield from (path for _, path in newest.values())
        files = (folder / "storage" / "session").rglob("ses_*.json")
        yield from (path for path in files if path.stem not in newest)
        yield from (path for path in folder.glob("*.json") if _is_export(_object_in(path)))


class OpenCode(TranscriptFormat):
    """Reads `~/.local/share/opencode/opencode.db` and `storage/session/PROJECT/ses_*.json`."""

    name = "opencode"
    history = _Sessions("opencode", _data_folder, "")

    def claims(self, path: Path) -> bool:
        """Tell by the place: a session's file says nothing of the conversation."""
        in_files = path.name.startswith("ses_") and path.parent.parent.name == "session"
        return in_files or path.parent.match(_DATABASES)

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by what an export holds: no lines are OpenCode's."""
        return any(_is_export(thing) for thing in objects)

    def folder_in(self, objects: Sequence[JsonObject]) -> str:
        """Take the folder of an exported session."""
        found = (object_of(thing["info"]) for thing in objects if _is_export(thing))
        return next((name_of(info.get("directory")) for info in found), "")

    def stamp(self, path: Path) -> Stamp:
        """Return what changes with a session and with any of its messages and their parts."""
        _refuse_odd(path)
        if not path.parent.match(_DATABASES):
            listed = [(message, *parts) for message, parts in _listed(path)]
            found = [file_stamp(one) for one in (path, *chain.from_iterable(listed))]
            return Stamp(max(one.at for one in found), sum(one.size for one in found), len(found))
        database = file_stamp(path.parent)
        try:
            return _stamp_of_rows(path, database)
        except TranscriptError:  # reading it says why
            return database

    def read(self, path: Path) -> Transcript:
        """Read a session, its messages and their parts, each in the order of their ids."""
        _refuse_odd(path)
        in_database = path.parent.match(_DATABASES)
        of_files = _from_files if self.claims(path) else _from_export
        session, messages = _from_database(path) if in_database else of_files(path)
        left = LeftOut(_PARTS)
        told = _standing(messages, object_of(session.get("revert")))
        turns = [turn for message, parts in told for turn in _turns(message, parts, left)]
        return Transcript(
            turns=tuple(turns),
            session_id=path.name if in_database else name_of(session.get("id")) or path.stem,
            working_directory=name_of(session.get("directory")),
            agent=self.name,
            # A session with a parent is a sub-agent's.
            automated=bool(session.get("parentID") or session.get("parent_id")),
            **left.fields(turn.timestamp for turn in turns),
        )


FORMAT = OpenCode()


def _name_of(identity: object) -> str:
    """Return a session's id as the name of a file."""
    if isinstance(identity, str) and _ID.fullmatch(identity):
        return identity
    return _ODD + quote(str(identity)[:80], safe="")


def _refuse_odd(path: Path) -> None:
    if path.name.startswith(_ODD):
        raise TranscriptError(
            f"{path.parent} holds a session with the id {unquote(path.name[1:])!r}, which is none "
            "of OpenCode's; it was passed over"
        )


def _rows(database: Path, asked: str, *values: str) -> list[sqlite3.Row]:
    """Return rows; the database is only looked at, also while the agent writes to it."""
    # Without a log of writes beside it nobody writes, and no file need be made to read it.
    written = database.with_name(f"{database.name}-wal").exists()
    place = f"file:{quote(str(database))}?{'mode=ro' if written else 'immutable=1'}"
    try:
        with contextlib.closing(sqlite3.connect(place, uri=True, timeout=5)) as db:
            db.row_factory = sqlite3.Row
            db.text_factory = lambda data: data.decode(errors="replace")
            return db.execute(asked, values).fetchall()
    except sqlite3.Error as error:
        raise TranscriptError(
            f"{database} cannot be read as OpenCode's database ({error}); is it of a new version?"
        ) from error


def _from_database(path: Path) -> tuple[JsonObject, list[_Message]]:
    database, session = path.parent, path.name
    found = _rows(database, "SELECT * FROM session WHERE id = ?", session)
    parts: dict[str, list[JsonObject]] = {}
    asked = "SELECT message_id, id, data FROM part WHERE session_id = ? ORDER BY id"
    for message, part, data in _rows(database, asked, session):
        parts.setdefault(message, []).append({**object_of(data), "id": part})
    asked = "SELECT id, data FROM message WHERE session_id = ? ORDER BY id"
    rows = _rows(database, asked, session)
    messages: list[_Message] = [
        ({**object_of(data), "id": message}, parts.get(message, [])) for message, data in rows
    ]
    return dict(found[0]) if found else {}, messages


def _stamp_of_rows(path: Path, database: Stamp) -> Stamp:
    """Return when a row's session was last written to, by its own times where it has any."""
    file, session = path.parent, path.name
    rows = _rows(file, "SELECT * FROM session WHERE id = ?", session)
    if not rows:
        raise FileNotFoundError(str(path))
    messages = _rows(file, "SELECT data FROM message WHERE session_id = ?", session)
    asked = "SELECT count(*), total(length(data)) FROM part WHERE session_id = ?"
    ((count, size),) = _rows(file, asked, session)
    times = [_time(object_of(object_of(data).get("time"))) for (data,) in messages]
    times.append(_time({"created": dict(rows[0]).get("time_updated")}))
    at = max((int(time.timestamp() * 10**9) for time in times if time), default=database.at)
    return Stamp(at, int(size) + sum(len(str(data)) for (data,) in messages), count)


def _from_files(path: Path) -> tuple[JsonObject, list[_Message]]:
    messages = [
        (_object_in(message), list(map(_object_in, parts))) for message, parts in _listed(path)
    ]
    return _object_in(path), messages


def _is_export(thing: JsonObject) -> bool:
    return isinstance(thing.get("info"), dict) and isinstance(thing.get("messages"), list)


def _from_export(path: Path) -> tuple[JsonObject, list[_Message]]:
    whole = next((one for _, one in read_objects(path, LeftOut()) if _is_export(one)), {})
    rows = [object_of(one) for one in whole.get("messages", ())]
    return object_of(whole.get("info")), [
        (object_of(row.get("info")), list(map(object_of, _list(row.get("parts"))))) for row in rows
    ]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _listed(path: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Yield the files of a session's messages, each with those of its parts."""
    storage = path.parents[2]
    for message in sorted((storage / "message" / path.stem).glob("msg_*.json")):
        yield message, sorted((storage / "part" / message.stem).glob("prt_*.json"))


def _object_in(path: Path) -> JsonObject:
    try:
        if path.stat().st_size > _FILE_BYTES:
            return {}
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return {**found, "id": path.stem} if isinstance(found, dict) else {}


def _standing(messages: Iterable[_Message], undone: JsonObject) -> Iterator[_Message]:
    """Yield what a person's undo left: all before a message, and of it what is before a part."""
    first, part = undone.get("messageID"), undone.get("partID")
    for message, parts in messages:
        if first and message.get("id") == first:
            if part:
                yield message, list(takewhile(lambda one: one.get("id") != part, parts))
            return
        yield message, parts


def _turns(message: JsonObject, parts: Iterable[JsonObject], left: LeftOut) -> Iterator[Turn]:
    base = Turn(role="system", text="", timestamp=_time(object_of(message.get("time"))))
    person = message.get("role") == "user"
    for part in parts:
        left.see(part.get("type"))
        text = clip_middle(clean(text_of(part.get("text"))), 4)
        if part.get("type") == "text" and text:
            # What the client adds to a prompt, such as a file's text, is synthetic.
            added = part.get("synthetic") is True
            if person:
                yield replace(base, role="system" if added else "person",
                              kind="echo" if added else "", text=text)  # fmt: skip
            else:
                yield replace(base, role="agent", text=text)
        elif part.get("type") == "tool":
            yield from _call(part, base)


def _call(part: JsonObject, base: Turn) -> Iterator[Turn]:
    state, name = object_of(part.get("state")), name_of(part.get("tool"))
    given, call = object_of(state.get("input")), text_of(part.get("callID"))
    tool = _TOOLS.get(name, name)
    files = (*files_of(given), *([name_of(path)] if (path := given.get("filePath")) else []))
    yield call_turn(base, tool, call, given, files=tuple(file for file in files if file))
    status = state.get("status")
    if status in ("completed", "error"):
        code = object_of(state.get("metadata")).get("exit")
        answer = text_of(state.get("error")) or text_of(state.get("output"))
        failed = status == "error" or code not in (None, 0)
        yield result_turn(base, tool, call, answer, failed=failed)


def _time(time: JsonObject) -> datetime | None:
    created = time.get("created")
    try:
        return datetime.fromtimestamp(float(created or "") / 1000, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
