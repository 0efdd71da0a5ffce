"""JSON Lines as they are met in life: read one line at a time, whatever is in them.

A file that is one JSON document, or packed by gzip or zstd, is read too.
"""

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.capture.formats.cleaning import at_line
from calmkb.errors import TranscriptError
from calmkb.system.entry_points import zstd

LINE_BYTES = 64 * 1024 * 1024
"""A longer line is no message; it is counted as broken and never held whole."""

_DOCUMENT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*\n)")
_HEAD = 256
_PACKED = (b"\xfd7zX", b"BZh", b"PK\x03\x04")  # how files begin that xz, bzip2 and zip make
_COMMENTS = ("//", "#")
_decoder = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Line:
    """The sound objects of one line (two writers may share it), and whether any of it broke."""

    number: int
    objects: tuple[dict[str, Any], ...]
    broken: bool = False
    size: int = 0


def read_lines(path: Path) -> Iterator[Line]:
    """Yield every line that is neither blank nor a comment; TranscriptError if there is no file.

    Of an array, every object in it is a line.
    """
    try:
        with path.open("rb") as file, _unpacked(path, file) as stream:
            yield from _document(stream) or filter(None, map(_parse, count(1), _raw_lines(stream)))
    except FileNotFoundError:
        raise TranscriptError(
            f"Transcript {path} does not exist; name a session's .jsonl file"
        ) from None
    except IsADirectoryError:
        raise TranscriptError(
            f"Transcript {path} is a folder; name one of the .jsonl files in it"
        ) from None
    except (OSError, ValueError, EOFError, zlib.error, zstd().ZstdError) as error:
        # ValueError: a path with a NUL in it.
        raise TranscriptError(
            f"Transcript {path} cannot be read ({error}); check the path and its permissions"
        ) from error


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was left out: lines that broke by number, kinds other than the `known` ones by count."""

    known: frozenset[str] = frozenset()
    broken: list[int] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)

    def see(self, kind: object) -> None:
        """Count a thing of a kind, or a family of kinds before a dot, that is not known."""
        if self.known and isinstance(kind, str) and not {kind, kind.partition(".")[0]} & self.known:
            name = " ".join(kind.split())[:40]
            if name in self.kinds or len(self.kinds) < 50:
                self.kinds[name] = self.kinds.get(name, 0) + 1

    def fields(self, times: Iterable[datetime | None]) -> dict[str, Any]:
        """Return it as fields of a transcript, with the first and the last of `times`."""
        known = [one for one in times if one]
        span = {"started_at": min(known, default=None), "ended_at": max(known, default=None)}
        return {**span, "broken_lines": tuple(self.broken), "unknown_kinds": self.kinds}


def read_objects(path: Path, left: LeftOut) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every object with the number of its line; `left` gains what broke or is not known."""
    for line in read_lines(path):
        if line.broken:
            left.broken.append(line.number)
        at_line(line.number, line.size)
        for found in line.objects:
            left.see(found.get("type"))
            yield line.number, found


def _unpacked(path: Path, file: io.BufferedReader) -> io.BufferedReader:
    """Return what a file holds, unpacked if gzip or zstd packed it; TranscriptError by another."""
    head = file.peek(4)[:4]
    if head.startswith(_PACKED):
        raise TranscriptError(
            f"Transcript {path} is compressed; unpack it, then name what was in it"
        )
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        text = file.read(LINE_BYTES).decode("utf-16", errors="replace")
        return io.BufferedReader(io.BytesIO(text.encode(errors="replace")))
    if head == b"\x28\xb5\x2f\xfd":
        return io.BufferedReader(zstd().ZstdFile(file))
    return io.BufferedReader(gzip.GzipFile(fileobj=file)) if head[:2] == b"\x1f\x8b" else file


def _document(stream: io.BufferedReader) -> list[Line]:
    """Return the objects of a file that is JSON over many lines; nothing of any other."""
    if not _DOCUMENT.match(stream.peek(_HEAD)[:_HEAD]):
        return []
    whole = _parse(1, stream.read(LINE_BYTES))
    if whole and not whole.broken:
        return [Line(number, (one,)) for number, one in enumerate(whole.objects, 1)]
    stream.seek(0)
    return []


def _raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    while raw := stream.readline(LINE_BYTES):
        yield raw
        while len(raw) == LINE_BYTES and not raw.endswith(b"\n"):
            raw = stream.readline(LINE_BYTES)


def _parse(number: int, raw: bytes) -> Line | None:
    # A crash can leave a block of NULs; a byte-order mark can open the file.
    text = raw.decode("utf-8", errors="replace").lstrip("\ufeff").strip("\0 \t\r\n\f\v")
    if not text or text.startswith(_COMMENTS):
        return None
    objects: list[dict[str, Any]] = []
    position = 0
    while position < len(text):
        try:
            value, position = _decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return Line(number, tuple(objects), broken=True)
        listed = value if isinstance(value, list) else [value]
        found = [one for one in listed if isinstance(one, dict)]
        if not found:
            return Line(number, tuple(objects), broken=True)
        objects += found
        while position < len(text) and text[position] in " \t\r\n,\0":
            position += 1
    return Line(number, tuple(objects), size=len(raw))
