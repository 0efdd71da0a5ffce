"""Groups of texts in themes, cached beside the index in one file: a checksum, then JSON."""

import contextlib
import json
from pathlib import Path
from typing import Any
from zlib import crc32

from calmkb.errors import CalmError
from calmkb.system.files import write_atomically

Groups = list[list[int]]
KEPT = 8
"""Sets of texts (a whole journal, or since a day) of which the groups are kept, the newest; themes
and lessons of each."""


class ThemeCache(dict[str, Groups]):
    """Groups by key in the file at `path`; where that cannot be read or written, in memory."""

    def __init__(self, path: Path) -> None:
        super().__init__(_read(path))
        self._path = path

    def __setitem__(self, key: str, groups: Groups) -> None:
        self.pop(key, None)
        super().__setitem__(key, groups)
        for old in list(self)[:-KEPT]:
            del self[old]
        data = json.dumps(self, separators=(",", ":")).encode()
        with contextlib.suppress(CalmError):
            write_atomically(self._path, b"%08x\n" % crc32(data) + data, durable=False)


def _read(path: Path) -> dict[str, Any]:
    """Return what a file holds; nothing where it is damaged or not ours."""
    try:
        check, _, data = path.read_bytes().partition(b"\n")
        return dict(json.loads(data)) if check == b"%08x" % crc32(data) else {}
    except (OSError, ValueError, RecursionError):
        return {}
