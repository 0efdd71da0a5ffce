"""The lines of a signals file: read for what they are, added and rewritten whole or not at all."""

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from calmkb.errors import RecordError, StoreError
from calmkb.model import Problem, Signal
from calmkb.system.files import write_atomically

FIELDS = tuple(field.name for field in fields(Signal))
_LISTS = ("tags", "related")


@dataclass(frozen=True, slots=True)
class Line:
    """One line unchanged, with its signal, or with what is wrong with it."""

    raw: bytes
    signal: Signal | None = None
    fault: str = ""


def signal_from(values: Mapping[str, Any]) -> Signal:
    """Return a signal from an object, whatever else is in it; RecordError where it is none."""
    known = {name: values[name] for name in FIELDS if name in values}
    for name in _LISTS:
        if isinstance(known.get(name), list):
            known[name] = tuple(known[name])
    try:
        return Signal(**known)
    except TypeError as error:  # a field without which there is no signal
        missing = str(error).rpartition(": ")[2]
        raise RecordError(f"the signal lacks {missing}") from error


def row(signal: Signal) -> dict[str, Any]:
    """Return a signal as its JSON object."""
    values = {name: getattr(signal, name) for name in FIELDS}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }


def encode(values: Mapping[str, Any]) -> bytes:
    """Return an object as one line."""
    try:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, in a line that somebody else wrote
        return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def parse(raw: bytes) -> Line:
    """Return what a line says."""
    try:
        values = json.loads(raw)
        if not isinstance(values, dict):
            return Line(raw, fault="this line is no JSON object")
        return Line(raw, signal_from(values))
    except (ValueError, RecursionError):
        return Line(raw, fault="this line is not JSON (was a writer stopped half-way?)")
    except RecordError as error:
        return Line(raw, fault=str(error))


def read_lines(path: Path) -> list[Line]:
    """Return every line that is not blank; none where there is no file. StoreError otherwise."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    return [parse(raw) for raw in content.split(b"\n") if raw.strip()]


def problems_of(path: Path) -> list[Problem]:
    """Return the lines that hold no signal, in their places."""
    numbered = enumerate(path.read_bytes().split(b"\n") if path.is_file() else (), 1)
    found = [(number, parse(raw)) for number, raw in numbered if raw.strip()]
    return [
        Problem(path.name, number, f"{line.fault}; fix or delete it")
        for number, line in found
        if line.fault
    ]


def rewrite(path: Path, lines: Iterable[bytes]) -> None:
    """Put `lines` in place of the file's; killed at any moment, the old or the new file is there.

    For the holder of the lock alone. What an earlier rewrite left, killed, is cleared away.
    """
    for litter in path.parent.glob(f".{path.name}.*"):
        with contextlib.suppress(OSError):
            litter.unlink()
    write_atomically(path, b"".join(raw.rstrip(b"\n") + b"\n" for raw in lines), mode=0o600)
