"""Whether a page would come out as before, known without rendering it."""

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import calmkb
from calmkb.model import Entry, Memory, Reflection, SessionView, Theme
from calmkb.templating import templates_dir

if TYPE_CHECKING:
    from calmkb.wings.site.content.catalogue import Catalogue
    from calmkb.wings.site.pages.page import Page

_SIZE = 16
_RECORDS = frozenset((Entry, Memory, Reflection, Theme))


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of the pages of one catalogue; each record is read once."""

    catalogue: "Catalogue"
    _known: dict[int, bytes] = field(default_factory=dict)

    def of(self, page: "Page") -> str:
        """Return 32 hexadecimal digits that differ when the page's words could."""
        texts = (page.uri, page.template, page.title, page.statement, page.about, page.file)
        named = "\0".join(texts)
        parts = [code_digest(), _bytes(named), _bytes("\0".join(page.search))]
        for name, value in page.values.items():
            parts.append(name.encode())
            self._add(value, parts)
        return hashlib.blake2b(b"\0".join(parts), digest_size=_SIZE).hexdigest()

    def _add(self, value: Any, parts: list[bytes]) -> None:
        kind = type(value)
        if kind in _RECORDS:
            parts.append(self._known.get(id(value)) or self._record(value))
        elif kind is SessionView:
            parts.append(self._known.get(id(value.entry)) or self._record(value.entry))
            cited = len(self.catalogue.memories_of.get(value.entry.id, ()))
            parts.append(f"{value.reflected_at!r}{cited}".encode())
        elif kind in (list, tuple):
            parts.append(b"(%d" % len(value))
            for one in value:
                self._add(one, parts)
        elif kind is dict:
            self._add(list(value.items()), parts)
        else:
            parts.append(_bytes(repr(value)))

    def _record(self, record: Entry | Memory | Reflection | Theme) -> bytes:
        text = f"{record!r}\0{self.catalogue.surroundings(record)!r}"
        known = hashlib.blake2b(_bytes(text), digest_size=_SIZE).digest()
        self._known[id(record)] = known
        return known


def text_digest(*texts: str) -> str:
    """Return 32 hexadecimal digits of texts."""
    return hashlib.blake2b(_bytes("\0".join(texts)), digest_size=_SIZE).hexdigest()


@lru_cache(maxsize=1)
def code_digest() -> bytes:
    """Return a digest of what renders pages: templates, the code with its words, and packages."""
    found = hashlib.blake2b(calmkb.__version__.encode(), digest_size=_SIZE)
    for name in ("mkdocs", "mkdocs-material", "jinja2", "markdown", "pymdown-extensions", "nh3"):
        found.update(f"{name} {version(name)}\0".encode())
    words = Path(calmkb.__file__).with_name("model")
    folders = (templates_dir() / "site", Path(__file__).parent.parent, words)
    for file in sorted(file for folder in folders for file in folder.rglob("*.*")):
        if file.suffix != ".pyc":
            found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.digest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
