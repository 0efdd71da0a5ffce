"""Stages a library: every record and every view of them as a Markdown page.

The same library gives the same bytes; what was staged before only saves work.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from calmkb.model import Library
from calmkb.site.content.catalogue import Catalogue
from calmkb.site.pages.fingerprints import Fingerprints
from calmkb.site.pages.headings import SAME_FRONT, front_matter
from calmkb.site.pages.page import Page
from calmkb.site.pages.render import Press
from calmkb.site.pages.search_documents import SearchDocument, search_document
from calmkb.site.pages.table import pages

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # The C one is six times as fast.


_UNBROKEN = 10_000
_SAME_FRONT = yaml.dump(SAME_FRONT, Dumper=_DUMPER)


@dataclass(frozen=True, slots=True)
class Printed:
    """A page's text, front matter included, and what search knows of it."""

    text: str
    search: SearchDocument | None = None


@dataclass(frozen=True, slots=True)
class Staging:
    """The pages of a site, in the order of their addresses.

    `fingerprints` has every page; `printed` those alone that are new or changed. `gone` were there
    before and are no more.
    """

    fingerprints: Mapping[str, str]
    printed: Mapping[str, Printed]
    gone: tuple[str, ...] = ()


def restage(catalogue: Catalogue, before: Mapping[str, str]) -> Staging:
    """Print the pages whose fingerprint is not the one in `before` (address -> fingerprint)."""
    press, prints = Press(catalogue), Fingerprints(catalogue)
    fingerprints: dict[str, str] = {}
    printed: dict[str, Printed] = {}
    for page in sorted(pages(catalogue), key=lambda page: page.uri):
        text = press_page(press, page) if page.view else ""
        found = digest(text) if page.view else prints.of(page)
        fingerprints[page.uri] = found
        if before.get(page.uri) != found:
            printed[page.uri] = Printed(text or press_page(press, page), search_document(page))
    gone = tuple(sorted(before.keys() - fingerprints.keys()))
    return Staging(fingerprints, printed, gone)


def stage(library: Library) -> dict[str, str]:
    """Return address -> page text, as `sessions/2026/10/<stem>.md`; same library, same bytes."""
    printed = restage(Catalogue(library), {}).printed
    return {uri: page.text for uri, page in printed.items()}


def press_page(press: Press, page: Page) -> str:
    """Return the page's text: front matter, then its body."""
    own = "".join(f"{name}: {_scalar(value)}\n" for name, value in front_matter(page).items())
    return f"---\n{own}{_SAME_FRONT}---\n\n{press.print(page).strip()}\n"


def _scalar(text: str) -> str:
    """Return a string as YAML; what JSON writes of ASCII is YAML too, and sooner made."""
    if text.isascii():
        return json.dumps(text)
    return (
        str(yaml.dump(text, Dumper=_DUMPER, allow_unicode=True, width=_UNBROKEN))
        .removesuffix("...\n")
        .rstrip("\n")
    )


def digest(text: str) -> str:
    """Return the fingerprint of a page that had to be printed to know it."""
    data = text.encode("utf-8", "backslashreplace")
    return hashlib.blake2b(data, digest_size=16).hexdigest()
