"""A turn of the archive as a line of JSON, short because there are many."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from calmkb.model.sessions.archive import KeptSession, KeptTurn

_DEFAULTS = {one.name: one.default for one in fields(KeptTurn)}
_MOMENTS = ("at", "started_at", "ended_at")


def lines_of(turns: Iterable[KeptTurn]) -> bytes:
    """Return turns as JSON Lines; what is as usual is left out."""
    return b"".join(_json(_packed(turn)) + b"\n" for turn in turns)


def turns_in(data: bytes) -> Iterator[KeptTurn]:
    """Yield the turns in JSON Lines; ValueError on what is none."""
    for line in data.split(b"\n"):
        if line:
            yield KeptTurn(**_unpacked(json.loads(line), _DEFAULTS))


def session_line(session: KeptSession) -> bytes:
    """Return what is known of a session as one line of JSON."""
    return _json({name: _plain(getattr(session, name)) for name in session.__slots__})


def session_in(line: bytes) -> KeptSession:
    """Return the session in a line; ValueError on what is none. Unknown keys are passed over."""
    try:
        return KeptSession(**_unpacked(json.loads(line), dict.fromkeys(KeptSession.__slots__)))
    except (TypeError, AttributeError) as error:
        raise ValueError(f"no session: {error}") from error


def _packed(turn: KeptTurn) -> dict[str, Any]:
    values = ((name, getattr(turn, name)) for name in _DEFAULTS)
    return {name: _plain(value) for name, value in values if value != _DEFAULTS[name]}


def _unpacked(row: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in row.items() if name in known}
    for name in _MOMENTS:
        if values.get(name):
            values[name] = datetime.fromisoformat(values[name])
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _json(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
