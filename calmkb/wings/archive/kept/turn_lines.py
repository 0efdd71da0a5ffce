"""A turn of the archive as a line of JSON, short because there are many."""

import json
from collections.abc import Container, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from calmkb.model.sessions.archive import KeptSession, KeptTurn

_DEFAULTS = {one.name: one.default for one in fields(KeptTurn)}
_MOMENTS = ("at", "started_at", "ended_at")


def line_of(turn: KeptTurn) -> bytes:
    """Return a turn as a line of JSON; what is as usual is left out."""
    values = ((name, getattr(turn, name)) for name in _DEFAULTS)
    row = {name: _plain(value) for name, value in values if value != _DEFAULTS[name]}
    return _json(row) + b"\n"


def turns_in(data: bytes) -> Iterator[KeptTurn]:
    """Yield the turns in JSON Lines; ValueError on what is none."""
    for line in data.split(b"\n"):
        if line:
            yield KeptTurn(**_unpacked(json.loads(line), _DEFAULTS))


def session_line(session: KeptSession) -> bytes:
    """Return what is known of a session as one line of JSON."""
    return _json({name: _plain(getattr(session, name)) for name in session.__slots__})


def session_in(row: dict[str, Any]) -> KeptSession:
    """Return the session of a line; TypeError on what is none. Unknown keys are passed over."""
    return KeptSession(**_unpacked(row, KeptSession.__slots__))


def _unpacked(row: dict[str, Any], known: Container[str]) -> dict[str, Any]:
    values = {name: value for name, value in row.items() if name in known}
    for name in _MOMENTS:
        if values.get(name):
            values[name] = datetime.fromisoformat(values[name])
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _json(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
