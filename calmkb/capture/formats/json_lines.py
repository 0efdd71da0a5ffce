"""JSON Lines as they are met in life: read one line at a time, whatever is in them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from calmkb.errors import TranscriptError

LINE_BYTES = 64 * 1024 * 1024
"""A longer line is no message; it is counted as broken and never held whole."""

_COMMENTS = ("//", "#")
_decoder = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Line:
    """The sound objects of one line (two writers may share it), and whether any of it broke."""

    number: int
    objects: tuple[dict[str, Any], ...]
    broken: bool = False


def read_lines(path: Path) -> Iterator[Line]:
    """Yield every line that is neither blank nor a comment; TranscriptError if there is no file."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(_raw_lines(stream), 1):
                line = _parse(number, raw)
                if line is not None:
                    yield line
    except FileNotFoundError:
        raise TranscriptError(
            f"Transcript {path} does not exist; name a session's .jsonl file"
        ) from None
    except IsADirectoryError:
        raise TranscriptError(
            f"Transcript {path} is a folder; name one of the .jsonl files in it"
        ) from None
    except (OSError, ValueError) as error:
        # ValueError: a path with a NUL in it.
        raise TranscriptError(
            f"Transcript {path} cannot be read ({error}); check the path and its permissions"
        ) from error


def read_objects(path: Path, broken: list[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every object with the number of its line; `broken` gains the lines that broke."""
    for line in read_lines(path):
        if line.broken:
            broken.append(line.number)
        for found in line.objects:
            yield line.number, found


def _raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    while raw := stream.readline(LINE_BYTES):
        yield raw
        if len(raw) == LINE_BYTES and not raw.endswith(b"\n"):
            _skip_rest(stream)


def _skip_rest(stream: BinaryIO) -> None:
    while (rest := stream.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
        pass


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
        if not isinstance(value, dict):
            return Line(number, tuple(objects), broken=True)
        objects.append(value)
        while position < len(text) and text[position] in " \t,\0":
            position += 1
    return Line(number, tuple(objects))
