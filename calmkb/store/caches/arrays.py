"""Arrays of numbers kept beside the index: a cache, read as it lies on the disk.

A file is a line of JSON (what it is, the arrays' kinds and lengths, a checksum) and the arrays'
bytes. One of another stamp, cut short or damaged counts as none; a new one replaces it in one step.
"""

import contextlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_ALIGN = 64
_MAGIC = "calmkb arrays 1"
_KINDS = ("<u8", "<i8", "<i4", "<u2", "|S16")


def read_arrays(place: Path, stamp: str) -> dict[str, Any] | None:
    """Return the arrays kept under `stamp`, mapped into memory and not to be written to, or None.

    They may be looked into until the process ends, also where the file is replaced meanwhile.
    """
    try:
        return _read(place, stamp)
    except (OSError, ValueError, TypeError, LookupError):
        return None


def write_arrays(place: Path, stamp: str, arrays: Mapping[str, Any]) -> None:
    """Keep `arrays` under `stamp`; where that fails, the next call has to make them again."""
    with contextlib.suppress(OSError):
        _write(place, stamp, arrays)


def _read(place: Path, stamp: str) -> dict[str, Any] | None:
    import numpy

    whole: Any = numpy.memmap(place, dtype=numpy.uint8, mode="r")
    end = bytes(whole[:4096]).index(b"\n") + 1
    head = json.loads(bytes(whole[:end]))
    body = whole[end:]
    if (head["magic"], head["stamp"]) != (_MAGIC, stamp) or zlib.crc32(body) != head["check"]:
        return None
    found, start = {}, 0
    for name, kind, length in head["arrays"]:
        if kind not in _KINDS:
            return None
        size = numpy.dtype(kind).itemsize * length
        found[name] = body[start : start + size].view(kind)
        start += size + -size % _ALIGN
    return found


def _write(place: Path, stamp: str, arrays: Mapping[str, Any]) -> None:
    parts: list[Any] = []
    parts = []
    for name, array in arrays.items():
        data = array.tobytes()
        parts.append((name, array.dtype.str, len(array)))
        parts += [data, bytes(-len(data) % _ALIGN)]
    check = 0
    for part in parts:
        check = zlib.crc32(part, check)
    head = {"magic": _MAGIC, "stamp": stamp, "check": check, "arrays": parts}
    line = json.dumps(head).encode()
    descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=f"{place.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(line + b" " * (-(len(line) + 1) % _ALIGN) + b"\n")
            file.writelines(parts)
        Path(name).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
