"""Groups of texts in themes, cached beside the index.

A file of lines, one for each of the last few sets of texts: a key, a checksum, and groups of row
numbers as JSON. A damaged line is ignored; a new file repaths the old one in one step.
"""

import contextlib
import json
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from zlib import crc32

from calmkb.errors import CalmError
from calmkb.system.files import write_atomically

Groups = list[list[int]]

KEPT = 8
"""Sets of texts (a whole journal, or since a day) of which the groups are kept, the newest; themes
and lessons of each."""


class ThemeCache(MutableMapping[str, Groups]):
    """Groups by key in the file at `path`; where that cannot be read or written, in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = dict(_undamaged(_read(path)))

    def __getitem__(self, key: str) -> Groups:
        try:
            groups: Groups = json.loads(self._lines[key])
        except (ValueError, RecursionError) as error:
            raise KeyError(key) from error
        return groups

    def __setitem__(self, key: str, groups: Groups) -> None:
        self._lines.pop(key, None)
        self._lines[key] = json.dumps(groups, separators=(",", ":"))
        for old in list(self._lines)[:-KEPT]:
            del self._lines[old]
        self._write()

    def __delitem__(self, key: str) -> None:
        del self._lines[key]
        self._write()

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def _write(self) -> None:
        lines = [f"{key} {_check(key, text)} {text}\n" for key, text in self._lines.items()]
        with contextlib.suppress(CalmError):
            write_atomically(self._path, "".join(lines).encode(), durable=False)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _undamaged(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        check, _, groups = rest.partition(" ")
        if check == _check(key, groups):
            yield key, groups


def _check(key: str, text: str) -> str:
    return f"{crc32(f'{key} {text}'.encode()):08x}"
