"""The site built by Zensical, from the stage that MkDocs could build as well.

Zensical calls no plugins, so what the plugin does to a page is done to its output: it is sanitized
and checked, given its policy, and added to the search index.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import CalmError
from calmkb.site.builder.build import Built, SiteFolders, load
from calmkb.site.builder.output import Output, output_at, scratch_beside
from calmkb.site.builder.rendering.markdown import url_of, with_page_links
from calmkb.site.builder.rendering.page_template import refuse_faults
from calmkb.site.builder.search import add_documents
from calmkb.site.builder.stage_folder import BLANK, StageFolder, cache_of, write_stage
from calmkb.site.staging.fingerprints import code_digest
from calmkb.site.text.sanitize import clean_html
from calmkb.site.text.shell import Shell, parsed, with_policy
from calmkb.system.files import make_private_folder

if TYPE_CHECKING:
    from calmkb.site.builder.cache import SitePages

_ARTICLE = re.compile(r"(<article\b[^>]*>)(.*)(</article>)", re.DOTALL)
_MINUTES = 30
_LISTED = re.compile(r"\s*<url>\s*<loc>[^<]*calmkb-blank/?[^<]*</loc>.*?</url>", re.DOTALL)


def build_with_zensical(
    site: SiteFolders,
    *,
    output: Path | None = None,
    strict: bool = False,
    rebuild: bool = False,
) -> Built:
    """Bring the site of a knowledge base up to date; with `rebuild` nothing cached is used.

    Raises CalmError where Zensical is not installed or refuses, or a page would hold what a page
    from records may not.
    """
    from mkdocs.exceptions import PluginError

    _version()
    target = output_at(Path(load(site, output).site_dir), site.state, rebuild=rebuild)
    target.refuse_foreign()
    make_private_folder(site.state / "stages")
    stage = site.state / "stages" / target.record.stem
    # Of the stage, which is calmkb's own, what Zensical built before would be published again.
    shutil.rmtree(stage if rebuild else stage / "site", ignore_errors=True)
    with cache_of(site) as pages:
        written = write_stage(site, output_at(stage, site.state, rebuild=rebuild), pages)
        _run(stage, strict=strict, clean=rebuild)
        try:
            return _publish(written, target, pages)
        except PluginError as error:
            raise CalmError(str(error)) from error


def _version() -> str:
    try:
        return version("zensical")
    except PackageNotFoundError:
        raise CalmError("Zensical is not installed; run: pip install 'zensical<0.1'") from None


def _run(stage: Path, *, strict: bool, clean: bool) -> None:
    flags = ["--strict"] * strict + ["--clean"] * clean
    command = [sys.executable, "-m", "zensical", "build", *flags]
    try:
        done = subprocess.run(
            command, cwd=stage, capture_output=True, text=True, timeout=60 * _MINUTES, check=False
        )
    except subprocess.TimeoutExpired:
        raise CalmError(f"Zensical did not end within {_MINUTES} minutes in {stage}") from None
    if done.returncode:
        raise CalmError(f"Zensical could not build {stage}:\n{done.stdout}{done.stderr}".rstrip())


def _publish(written: StageFolder, output: Output, pages: "SitePages") -> Built:
    """Move what Zensical built to the site's folder, its staged pages finished."""
    source = written.folder / "site"
    finisher = _Finisher(source, written, pages)
    with scratch_beside(output.folder) as scratch:
        kept, keys = set(), {}
        for path in sorted(p.relative_to(source).as_posix() for p in _files(source)):
            keys[path] = finisher.key(path)
            if path in finisher.staged and output.is_current(path, keys[path]):
                kept.add(path)
            else:
                finisher.finish(path, scratch / path)
        finisher.add_search(scratch)
        published = output.publish(scratch, frozenset(kept), keys)
        return Built(output.folder, published.changed, published.left)


@dataclass
class _Finisher:
    """Does to the built pages what the plugin does to those of MkDocs."""

    source: Path
    written: StageFolder
    pages: "SitePages"

    def __post_init__(self) -> None:
        self.blank = self._place(BLANK)
        self.shell = Shell((self.source / self.blank).read_text(encoding="utf-8"))
        self.staged = {self._place(uri): uri for uri in self.written.uris}
        self._how = f"{_version()} {code_digest().hex()} {self.shell.html}".encode()

    def key(self, path: str) -> str:
        """Return the key of a finished file: a digest of what it is made from."""
        found = hashlib.blake2b(self._how, digest_size=16)
        found.update((self.source / path).read_bytes())
        return found.hexdigest()

    def finish(self, path: str, target: Path) -> None:
        """Write the finished file; the blank page is not for readers."""
        if path == self.blank:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        uri = self.staged.get(path)
        if uri is None and path != "sitemap.xml":
            shutil.copyfile(self.source / path, target)
            return
        text = (self.source / path).read_text(encoding="utf-8")
        text = self._page(uri, text) if uri else _LISTED.sub("", text)
        target.write_text(text, encoding="utf-8", newline="\n")

    def add_search(self, scratch: Path) -> None:
        """Add the staged pages to the search index."""
        index = scratch / "search.json"
        known = set(self.staged.values())
        add_documents(
            index, self.pages.words(), lambda uri: url_of(uri, True) if uri in known else None
        )

    def _page(self, uri: str, text: str) -> str:
        text, found = _ARTICLE.subn(lambda m: m[1] + self._article(uri, m[2]) + m[3], text, count=1)
        if not found:  # a theme of the user's without one: nothing could be sanitized
            raise CalmError(f"{uri} has no <article> in your theme; keep it in main.html")
        refuse_faults(self.shell, uri, text)
        return with_policy(text, self.shell.policy(parsed(text)))

    def _article(self, uri: str, html: str) -> str:
        # Sanitizing renames the theme's ids; this one is where its skip link leads.
        clean = clean_html(html).replace('id="calm__skip"', 'id="__skip"', 1)
        return with_page_links(clean, uri, True)

    def _place(self, uri: str) -> str:
        return f"{url_of(uri, True)}index.html"


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())
