"""The staged pages of one build: which there are, which sleep, and where each of them goes."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.serve.site_markdown import Dialect, bodies, made_by
from calmkb.serve.staged_page import StagedFile, StagedPage, is_asleep
from calmkb.site.catalogue import Catalogue
from calmkb.site.fingerprints import press_digest
from calmkb.site.stage import Staging, restage
from calmkb.store.site_pages import BodyRow, PageRow

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.nav import Navigation

    from calmkb.model import Library
    from calmkb.serve.site_output import Output
    from calmkb.store.site_pages import SitePages


@dataclass
class SiteStaging:
    """The pages of a build, in the cache `pages`; `keys` tell by address what each is made from."""

    pages: "SitePages"
    files: list[StagedFile]
    keys: dict[str, str]
    output: "Output | None"
    _out: set[str] = field(default_factory=set)
    _shell_key: str = ""

    def leave_out(self, file: StagedFile) -> None:
        """Leave out a page in whose place stands one of the user's."""
        self._out.add(file.src_uri)

    def settle(self, shell_key: str, nav: "Navigation") -> None:
        """Wake the pages that must be built: the theme changed, or they stand in the navigation."""
        changed = self.output is not None and self.output.shell_key != shell_key
        in_nav = set(map(id, nav.pages))
        for file in self.files:
            if isinstance(file.page, StagedPage) and (changed or id(file.page) in in_nav):
                file.page.wake()
        self._shell_key = shell_key

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield what search knows of the pages."""
        return self.pages.words()

    def url_of(self, uri: str) -> str | None:
        """Return the address of a staged page in the site, None where it is not in it."""
        return self._urls.get(uri)

    def finish(self) -> None:
        """Tell the output which of its files stay, and what the others are made from."""
        if self.output is not None:
            kept = {f.dest_uri for f in self._included() if is_asleep(f.page)}
            keys = {file.dest_uri: self.keys[file.src_uri] for file in self._included()}
            self.output.finish(kept, keys, self._shell_key)

    def put_in_place(self, scratch: Path) -> int:
        """Move what was built in `scratch` to the output; return how many files changed."""
        if self.output is None:
            return 0
        changed = self.output.settle(scratch)
        self.pages.save_outputs(self.output.folder, self.output.rows())
        return changed

    def close(self) -> None:
        """Let go of the cache."""
        self.pages.close()

    def _included(self) -> Iterator[StagedFile]:
        return (file for file in self.files if file.src_uri not in self._out)

    @property
    def _urls(self) -> dict[str, str]:
        return {file.src_uri: "" if file.url == "./" else file.url for file in self._included()}


def stage_site(
    library: "Library", pages: "SitePages", config: "MkDocsConfig", output: "Output | None"
) -> SiteStaging:
    """Bring the cache up to date with `library` and return what to build of it."""
    catalogue = Catalogue(library)
    staging = restage(catalogue, pages.fingerprints())
    _save(pages, staging)
    keys = _render(pages, staging, _dialect(config))
    newest = catalogue.sessions[0].entry.created_at if catalogue.sessions else None
    files = []
    for uri in staging.fingerprints:
        file = StagedFile.at(config, uri, pages)
        page = StagedPage(file, config, day=_day_of(uri) or newest)
        page.asleep = output is not None and output.stands(file.dest_uri, keys[uri])
        files.append(file)
    return SiteStaging(pages, files, keys, output)


def _save(pages: "SitePages", staging: Staging) -> None:
    rows = (
        PageRow(
            uri,
            staging.fingerprints[uri],
            page.text,
            page.search.title if page.search else "",
            page.search.text if page.search else "",
        )
        for uri, page in staging.printed.items()
    )
    pages.update(rows, staging.gone)


def _render(pages: "SitePages", staging: Staging, dialect: Dialect) -> dict[str, str]:
    """Make the HTML that is not in the cache, and return address -> key of each page's HTML."""
    how = f"{made_by()} {press_digest().hex()} {dialect!r}"
    keys = {
        uri: hashlib.blake2b(f"{how} {found}".encode(), digest_size=16).hexdigest()
        for uri, found in staging.fingerprints.items()
    }
    known = pages.body_keys()
    missing = [uri for uri, key in keys.items() if known.get(uri) != key]
    texts = ((uri, pages.text(uri)) for uri in missing)
    made = bodies(dialect, texts, len(missing))
    pages.save_bodies(BodyRow(body.uri, keys[body.uri], body.html, body.toc) for body in made)
    return keys


def _dialect(config: "MkDocsConfig") -> Dialect:
    return Dialect(
        tuple(config.markdown_extensions), dict(config.mdx_configs or {}), config.use_directory_urls
    )


def _day_of(uri: str) -> datetime | None:
    """Return the day in the address of a record's page: its text is as old as that."""
    stem = uri.rsplit("/", 1)[-1][:10]
    try:
        return datetime.strptime(stem, "%Y-%m-%d")
    except ValueError:
        return None
