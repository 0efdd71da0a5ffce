"""Tells whether a page would come out as before without printing it."""

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import calmkb
from calmkb.model import Entry, Memory, Reflection, SessionView, Theme
from calmkb.site.catalogue import Catalogue
from calmkb.site.pages import Page
from calmkb.templating import templates_dir

_SIZE = 16


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of the pages of one catalogue; a record is read once, whoever shows it."""

    catalogue: Catalogue
    _known: dict[int, bytes] = field(default_factory=dict)

    def of(self, page: Page) -> str:
        """Return 32 hexadecimal digits that differ when the page's words could."""
        found = hashlib.blake2b(press_digest(), digest_size=_SIZE)
        found.update(f"{page.uri}\0{page.template}\0".encode())
        for name, value in page.values.items():
            found.update(name.encode())
            self._add(value, found)
        return found.hexdigest()

    def _add(self, value: Any, found: hashlib.blake2b) -> None:
        if isinstance(value, list | tuple):
            found.update(b"(%d" % len(value))
            for one in value:
                self._add(one, found)
        elif isinstance(value, dict):
            self._add(list(value.items()), found)
        elif isinstance(value, SessionView):
            self._add((value.entry, value.reflected_at, value.memories_created), found)
        elif isinstance(value, Entry | Memory | Reflection | Theme):
            found.update(self._record(value))
        else:
            found.update(repr(value).encode("utf-8", "backslashreplace"))

    def _record(self, record: Entry | Memory | Reflection | Theme) -> bytes:
        known = self._known.get(id(record))
        if known is None:
            told = f"{record!r}\0{self.catalogue.surroundings(record)!r}"
            known = hashlib.blake2b(
                told.encode("utf-8", "backslashreplace"), digest_size=_SIZE
            ).digest()
            self._known[id(record)] = known
        return known


@lru_cache(maxsize=1)
def press_digest() -> bytes:
    """Return a digest of all that prints: the templates and the code of this room."""
    found = hashlib.blake2b(calmkb.__version__.encode(), digest_size=_SIZE)
    rooms = (templates_dir() / "site", Path(__file__).parent)
    for file in sorted(file for room in rooms for file in room.rglob("*.[jp]*")):
        if file.suffix in (".j2", ".py"):
            found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.digest()
