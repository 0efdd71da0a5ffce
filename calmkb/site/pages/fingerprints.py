"""Tells whether a page would come out as before without printing it."""

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import calmkb
from calmkb.model import Entry, Memory, Reflection, SessionView, Theme
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.page import Page
from calmkb.templating import templates_dir

_SIZE = 16
_RECORDS = frozenset((Entry, Memory, Reflection, Theme))


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of the pages of one catalogue; a record is read once, whoever shows it."""

    catalogue: Catalogue
    _known: dict[int, bytes] = field(default_factory=dict)

    def of(self, page: Page) -> str:
        """Return 32 hexadecimal digits that differ when the page's words could."""
        told: list[bytes] = [press_digest(), f"{page.uri}\0{page.template}\0".encode()]
        for name, value in page.values.items():
            told.append(name.encode())
            self._tell(value, told)
        return hashlib.blake2b(b"\0".join(told), digest_size=_SIZE).hexdigest()

    def _tell(self, value: Any, told: list[bytes]) -> None:
        kind = type(value)
        if kind in _RECORDS:
            told.append(self._known.get(id(value)) or self._record(value))
        elif kind is SessionView:
            told.append(self._known.get(id(value.entry)) or self._record(value.entry))
            told.append(f"{value.reflected_at!r}{value.memories_created}".encode())
        elif kind in (list, tuple):
            told.append(b"(%d" % len(value))
            for one in value:
                self._tell(one, told)
        elif kind is dict:
            self._tell(list(value.items()), told)
        else:
            told.append(repr(value).encode("utf-8", "backslashreplace"))

    def _record(self, record: Entry | Memory | Reflection | Theme) -> bytes:
        text = f"{record!r}\0{self.catalogue.surroundings(record)!r}"
        data = text.encode("utf-8", "backslashreplace")
        known = hashlib.blake2b(data, digest_size=_SIZE).digest()
        self._known[id(record)] = known
        return known


@lru_cache(maxsize=1)
def press_digest() -> bytes:
    """Return a digest of all that prints: the templates and the code of this room."""
    found = hashlib.blake2b(calmkb.__version__.encode(), digest_size=_SIZE)
    rooms = (templates_dir() / "site", Path(__file__).parent.parent)
    for file in sorted(file for room in rooms for file in room.rglob("*.[jp]*")):
        if file.suffix in (".j2", ".py"):
            found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.digest()
