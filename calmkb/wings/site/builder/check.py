"""A check of a built site before it is published: nothing live from records, no broken link.

It reads the files alone, so it is the same for whatever built them.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.wings.site.builder.output import files_in
from calmkb.wings.site.text.links import Linked, broken_links, linked, root_of
from calmkb.wings.site.text.shell import Fault, Shell, parsed

_MARK = 'meta[name="calmkb"]'
_NO_THEME = Shell("")
_LIVE_FIX = "publish nothing; please report it with the record"
_LINK_FIX = "fix the link, or build again with: calmkb site build --rebuild"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong on the page at `path`, and what fixes it."""

    path: str
    what: str
    fix: str


@dataclass(frozen=True, slots=True)
class SiteCheck:
    """What was found on `pages` pages, of which `made` were made from records."""

    pages: int
    made: int
    findings: tuple[Finding, ...]


def check_site(folder: Path) -> SiteCheck:
    """Look at every page of the site in `folder`; hidden files are not part of it.

    Raises CalmError where there is no site, or none with a page that calmkb made.
    """
    files = sorted(files_in(folder))
    if "index.html" not in files:
        raise CalmError(f"there is no site in {folder}: build it with: calmkb site build")
    read = _Pages()
    for path in files:
        if path.endswith(".html"):
            read.page(path, (folder / path).read_bytes())
    if not read.made:
        raise CalmError(
            f"no page in {folder} was made by calmkb; if it should be, let the theme's main.html "
            "extend calmkb's, which marks them"
        )
    broken = (
        Finding(one.page, f"broken link {one.link}: {one.why}", _LINK_FIX)
        for one in broken_links(read.linked, files, root=read.root)
    )
    findings = sorted([*read.live(), *broken], key=lambda one: one.path)
    return SiteCheck(len(read.linked), read.made, tuple(findings))


@dataclass
class _Pages:
    """What is kept of the pages read so far."""

    linked: dict[str, Linked] = field(default_factory=dict)
    root: str = "/"
    _alive: Counter[Fault] = field(default_factory=Counter)
    _alive_on: dict[str, list[Fault]] = field(default_factory=dict)

    def page(self, path: str, data: bytes) -> None:
        """Take in a page."""
        tree = parsed(data.decode("utf-8", "replace"))
        self.linked[path] = linked(tree)
        if path == "index.html":
            self.root = root_of(tree)
        if tree.css_first(_MARK):
            found = list(dict.fromkeys(one.anywhere for one in _NO_THEME.faults(tree)))
            self._alive.update(found)
            self._alive_on[path] = found

    @property
    def made(self) -> int:
        """How many pages were made from records."""
        return len(self._alive_on)

    def live(self) -> Iterator[Finding]:
        """Yield what could run, load or mislead, but for what every page made from records has.

        That is the theme's: no record's text is on all of them.
        """
        for path, found in self._alive_on.items():
            own = (fault for fault in found if self._alive[fault] < self.made)
            yield from (Finding(path, str(fault), _LIVE_FIX) for fault in own)
