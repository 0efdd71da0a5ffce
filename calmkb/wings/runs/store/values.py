"""Values of the run journal: bounded, and the same again from every database."""

import json
import math
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from calmkb.errors import NotFoundError, RecordError
from calmkb.wings.runs.model import Json

Choice = TypeVar("Choice", bound=str)
TASK_CHARACTERS = 100_000
TITLE_CHARACTERS = 255
SUMMARY_CHARACTERS = 100_000
DATA_BYTES = 1 << 20
"""Bound of one entry's data, of a run's configuration and of its result, as JSON in UTF-8."""
NESTED = 64
LARGEST = 2**62

_AGENT_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_INTEGER_BITS = 1024
_FIELD_BYTES = DATA_BYTES // 16
_KEPT = 10_000
_STEPS = 2**31 - 1


def new_id() -> str:
    """Return the id of a new session, run or entry."""
    return str(uuid.uuid4())


def storable(text: str) -> str:
    """Return `text` without NUL and half surrogate pairs, which PostgreSQL refuses."""
    return _UNSTORABLE.sub("\ufffd", text)


def dumps(value: Any) -> str:
    """Return JSON as it is stored: short, in the text's own letters."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def text_of(text: str, limit: int, name: str) -> str:
    """Return a storable text; RecordError where it is longer than `limit` characters."""
    if len(text) > limit:
        raise RecordError(f"{name} has {len(text):,} characters; at most {limit:,}: shorten it")
    return storable(text)


def agent_type_of(name: str) -> str:
    """Return an agent type; RecordError on an invalid one."""
    if not _AGENT_TYPE.fullmatch(name):
        raise RecordError(
            f"agent_type {name[:120]!r} is invalid; use letters, digits, dot, dash and underscore, "
            "at most 100"
        )
    return name


def one_of(choices: Sequence[Choice], given: Choice, name: str) -> Choice:
    """Return a value that is one of the choices; RecordError names them."""
    if given not in choices:
        raise RecordError(f"{name} {given[:120]!r}: choose from: {', '.join(choices)}")
    return given


def step_of(number: int | None) -> int | None:
    """Return a step number; RecordError where the column cannot hold it."""
    if number is not None and not 0 <= number <= _STEPS:
        raise RecordError(f"step_number {number} is not from 0 to {_STEPS}")
    return number


def id_of(id: str, what: str) -> str:  # noqa: A002
    """Return an id that can be queried; NotFoundError where no id can look like it."""
    if _UNSTORABLE.search(id) or len(id) > 200:
        raise NotFoundError(f"{what} {id[:120]!r} not found")
    return id


def json_of(value: Json | None, name: str) -> dict[str, Any] | None:
    """Return JSON as it will be read again (see `plain`); RecordError where it is over 1 MiB."""
    if value is None:
        return None
    kept: dict[str, Any] = plain(value, name)
    if (size := _bytes(kept)) > DATA_BYTES:
        raise RecordError(f"{name} has {size:,} bytes of JSON; at most {DATA_BYTES:,}: shorten it")
    return kept


def entry_data_of(value: Json) -> dict[str, Any]:
    """Return an entry's data as they will be read again.

    Over 1 MiB of JSON, fields over 64 KiB are cut: a text to its first 10,000 characters and a
    note, anything else to the note. A run is not lost for one tool's flood. RecordError where
    even that is not enough.
    """
    kept: dict[str, Any] = plain(value, "an entry")
    if _bytes(kept) > DATA_BYTES:
        kept = {key: _cut(item) for key, item in kept.items()}
    return json_of(kept, "an entry") or {}


def plain(value: Any, name: str, depth: int = 0) -> Any:
    """Return JSON that PostgreSQL and SQLite give back alike.

    NUL and half surrogates become U+FFFD, keys text, tuples lists, NaN and infinities their
    names, numbers of over 1,024 bits and what is nested deeper than 64 a note. RecordError on
    what is not JSON.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int):
        bits = value.bit_length()
        return int(value) if bits <= _INTEGER_BITS else f"[a number of {bits:,} bits]"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if not isinstance(value, Mapping | list | tuple):
        raise RecordError(f"{name} holds a {type(value).__name__}, which is not JSON")
    if depth >= NESTED:
        return "[… nested too deeply]"
    if isinstance(value, Mapping):
        return {storable(str(key)): plain(item, name, depth + 1) for key, item in value.items()}
    return [plain(item, name, depth + 1) for item in value]


def _cut(value: Any) -> Any:
    if (size := _bytes(value)) <= _FIELD_BYTES:
        return value
    head = f"{value[:_KEPT]}\n" if isinstance(value, str) else ""
    return f"{head}[… cut: {size:,} bytes]"


def _bytes(value: Any) -> int:
    return len(dumps(value).encode())
