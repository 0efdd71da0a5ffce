"""One kept session: a file of frames that only grows, so that a kill can tear its end alone.

A frame is a line of JSON that says how many compressed bytes follow it, and their checksum. A line
with `session` says what is known of the session, the last one counts. Of two turns at one place the
later one counts: the client completes what an agent says.
"""

import contextlib
import json
import os
from binascii import crc32
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.errors import StoreError
from calmkb.model.sessions.archive import KeptSession, KeptTurn
from calmkb.system.entry_points import zstd
from calmkb.system.files import disk_told, make_private_folder, write_atomically
from calmkb.wings.archive.kept.turn_lines import line_of, session_in, session_line, turns_in

FRAME_BYTES = 32 * 1024  # of turns in a frame: what is read to show one of them
_LEVEL = 9  # of zstd: slower levels save little of transcripts; it is done once, in the background
_HEAD_LIMIT = 64 * 1024
_EXPANDED_LIMIT = 16 * 1024 * 1024
_BROKEN = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame's place in its file and its turns; a frame about the session has none."""

    start: int
    end: int
    turns: tuple[KeptTurn, ...] = ()
    session: KeptSession | None = None


def append(path: Path, session: KeptSession, turns: Sequence[KeptTurn]) -> None:
    """Add turns to a file, which is made if needed; they are on disk when this returns.

    Raises StoreError where the disk refuses: then what was there before is what is there.
    """
    with disk_told(f"write {path}"):
        make_private_folder(path.parent)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, 0o600)
        try:
            end = max((frame.end for frame in read_frames(path, heads=True)), default=0)
            os.ftruncate(handle, end)  # what a kill left half written
            os.lseek(handle, end, os.SEEK_SET)
            try:
                _write_all(handle, _written(session, turns))
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, end)
                raise
        finally:
            os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def rewrite(path: Path, session: KeptSession, turns: Iterable[KeptTurn]) -> None:
    """Replace a file whole; StoreError where the disk refuses, and then it is as it was."""
    write_atomically(path, _written(session, turns), mode=0o600)


def read_frames(path: Path, start: int = 0, *, heads: bool = False) -> Iterator[Frame]:
    """Yield the sound frames of a file up to the first broken one; StoreError where it is gone.

    They begin at `start`; of `heads` alone the turns are passed over.
    """
    with disk_told(f"read {path}"), path.open("rb") as file:
        file.seek(start)
        while frame := _frame(file, heads=heads):
            yield frame


def each_turn(path: Path) -> Iterator[KeptTurn]:
    """Yield the turns as they were written, none where there is no file: later ones count."""
    for frame in read_frames(path) if path.exists() else ():
        yield from frame.turns


def read_turns(path: Path) -> tuple[KeptTurn, ...]:
    """Return the turns of a file in the order of the client's own; StoreError where it is gone."""
    found = {(turn.line, turn.part): turn for frame in read_frames(path) for turn in frame.turns}
    return tuple(found[place] for place in sorted(found))


def read_turns_at(path: Path, start: int, numbers: Sequence[int]) -> list[KeptTurn]:
    """Return some turns, by their number, of the frame at `start`; none where there is none."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            row = _head(file)
            lines = _expanded(row, file.read(row["bytes"])).split(b"\n")
            return [turn for number in numbers for turn in turns_in(lines[number])]
    except (OSError, *_BROKEN):
        return []


def read_session(path: Path, start: int = 0) -> KeptSession | None:
    """Return what is known of the session in a file; None where it cannot be read."""
    found = None
    with contextlib.suppress(StoreError):
        for frame in read_frames(path, start, heads=True):
            found = frame.session or found
    return found


def is_damaged(path: Path) -> bool:
    """Return whether a file holds anything that cannot be read."""
    frames = list(read_frames(path))
    end = max((frame.end for frame in frames), default=0)
    return end != path.stat().st_size or not all(one.turns or one.session for one in frames)


def _written(session: KeptSession, turns: Iterable[KeptTurn]) -> bytes:
    head = b'{"session":' + session_line(session) + b"}\n"
    return head + b"".join(_framed(part) for part in _parts(turns))


def _parts(turns: Iterable[KeptTurn]) -> Iterator[bytes]:
    part: list[bytes] = []
    size = 0
    for turn in turns:
        line = line_of(turn)
        if part and size + len(line) > FRAME_BYTES:
            yield b"".join(part)
            part, size = [], 0
        part.append(line)
        size += len(line)
    if part:
        yield b"".join(part)


def _framed(data: bytes) -> bytes:
    packed: bytes = zstd().compress(data, _LEVEL)
    head = {"codec": "zstd", "bytes": len(packed), "crc": crc32(packed), "length": len(data)}
    return json.dumps(head).encode() + b"\n" + packed


def _expanded(row: dict[str, Any], packed: bytes) -> bytes:
    """Return the lines of a frame; nothing where it is damaged, so that others are still read."""
    if crc32(packed) != row["crc"] or not 0 < row["length"] <= _EXPANDED_LIMIT:
        return b""
    if row["codec"] != "zstd":
        raise ValueError(f"it is compressed with {row['codec']!r}, which this version cannot read")
    try:
        found: bytes = zstd().ZstdDecompressor().decompress(packed, row["length"])
    except zstd().ZstdError as error:
        raise ValueError(str(error)) from error
    return found


def _frame(file: BinaryIO, *, heads: bool) -> Frame | None:
    """Return the next frame; None at the end, and where the rest is broken."""
    start = file.tell()
    try:
        row = _head(file)
        if isinstance(row.get("session"), dict):
            return Frame(start, file.tell(), session=session_in(row["session"]))
        if heads:
            end = file.tell() + row["bytes"]
            is_whole = 0 < row["bytes"] <= os.fstat(file.fileno()).st_size - file.tell()
            return Frame(start, file.seek(end)) if is_whole else None
        packed = file.read(row["bytes"])
        if len(packed) != row["bytes"]:
            return None
        return Frame(start, file.tell(), tuple(turns_in(_expanded(row, packed))))
    except _BROKEN:
        return None


def _head(file: BinaryIO) -> dict[str, Any]:
    """Return a frame's head; ValueError where there is none."""
    head = file.readline(_HEAD_LIMIT)
    row = json.loads(head) if head.endswith(b"\n") else None
    if not isinstance(row, dict):
        raise ValueError("no head of a frame")
    return row
