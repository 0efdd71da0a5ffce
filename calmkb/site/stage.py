"""Stages a library: every record and every view of them as a Markdown page, in memory."""

from typing import Any

import yaml

from calmkb.model import Library
from calmkb.site.catalogue import Catalogue
from calmkb.site.pages import Page, front_matter, pages
from calmkb.site.press import Press

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # The C one is six times as fast.


def stage(library: Library) -> dict[str, str]:
    """Return address -> page text, as `sessions/2026/10/<stem>.md`; same library, same bytes."""
    catalogue = Catalogue(library)
    press = Press(catalogue)
    return {
        page.uri: _with_front_matter(page, press.print(page))
        for page in sorted(pages(catalogue), key=lambda page: page.uri)
    }


def _with_front_matter(page: Page, body: str) -> str:
    front = yaml.dump(front_matter(page), Dumper=_DUMPER, allow_unicode=True)
    return f"---\n{front}---\n\n{body.strip()}\n"
