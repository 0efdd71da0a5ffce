"""What all state of this machine shares: how it is written, and the one check of what is read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from calmkb.system.files import append_lines, read_json, write_atomically

T = TypeVar("T")
_LOG_LIMIT = 64 * 1024 * 1024


def save(path: Path, value: object, *, durable: bool = True) -> None:
    """Write records as JSON, whole and for the owner alone; StoreError where the disk refuses."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=asdict)
    write_atomically(path, text.encode(errors="replace"), mode=0o600, durable=durable)


def load(path: Path) -> Any:
    """Return the JSON in a file, or None where there is none or it cannot be read."""
    return read_json(path) if path.is_file() else None  # a pipe would never end


def record_of(kind: type[T], row: object) -> T | None:
    """Return a row as the dataclass `kind`, None where a field is missing or of another type."""
    if not isinstance(row, dict):
        return None
    hints, found = get_type_hints(kind), {}
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name in row and _fits(row[field.name], hints[field.name]):
            value = row[field.name]
            found[field.name] = tuple(value) if isinstance(value, list) else value
        elif field.name in row or field.default is MISSING:
            return None
    return kind(**found)


def records_of(kind: type[T], rows: object) -> list[T]:
    """Return those rows of a list that are records of `kind`."""
    listed = rows if isinstance(rows, list) else []
    return [found for row in listed if (found := record_of(kind, row)) is not None]


def all_logs(state: Path) -> dict[str, Path]:
    """Return the raw logs of sessions that exist, by entry id."""
    folder = state / "sessions"
    paths = sorted(folder.glob("*_*.jsonl")) if folder.is_dir() else []
    return {path.stem.partition("_")[2]: path for path in paths}


def add_rows(path: Path, rows: Iterable[Mapping[str, object]], *, durable: bool = True) -> None:
    """Append rows to a log, each a line of JSON; StoreError where the disk refuses."""
    append_lines(path, "".join(json.dumps(row) + "\n" for row in rows).encode(), durable=durable)


def rows_in(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a log in their order; lines that cannot be read are passed over."""
    try:
        with path.open("rb") as file:
            lines = file.read(_LOG_LIMIT).split(b"\n")
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _fits(value: object, hint: Any) -> bool:
    origin, options = get_origin(hint), get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in options
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in options)
    if origin is tuple:
        return isinstance(value, list) and all(_fits(one, options[0]) for one in value)
    return type(value) is hint or (hint is float and type(value) is int)
