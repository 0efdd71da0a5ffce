"""The site of a knowledge base: built, staged, checked and served."""

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from calmkb.kb.base.cache_paths import cache_path
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.trust.programs import hashed
from calmkb.wings.site.builder.build import SiteFolders, build_site, output_place
from calmkb.wings.site.builder.cache import WAIT_SECONDS, open_site_pages
from calmkb.wings.site.builder.output import Built, Output, output_at
from calmkb.wings.site.staging.fingerprints import code_digest
from calmkb.wings.site.verbs.site_code import SETTINGS, own_pages, require_site, site_folder

if TYPE_CHECKING:
    from calmkb.model import Library
    from calmkb.wings.site.builder.check import SiteCheck


def build(
    kb: KnowledgeBase,
    *,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
) -> Built:
    """Build the site of a knowledge base; `offline` makes a copy that opens from disk.

    MkDocs is not asked where all that the site is made of is as it was when it was built last.

    Like `stage` and `serve`, raises NeedsApprovalError where the settings run code of their own
    that nobody approved.
    """
    site = _trusted(kb)
    kb.environment.report("Building the site", 0, 0)
    make = partial(build_site, site, output=output, strict=strict, offline=offline, rebuild=rebuild)
    docs = own_pages(kb)
    if docs is None:
        built = make()
    else:
        place = output_place(output, site.top) if output else site_folder(kb.root)
        target = output_at(place, site.state, rebuild=rebuild)
        built = _unless_unchanged(kb, target, make, [docs, offline])
    kb.environment.report("Building the site", 1, 1)
    return built


def _unless_unchanged(
    kb: KnowledgeBase, target: Output, make: Callable[..., Built], how: Sequence[Any]
) -> Built:
    """Return what `make` returns, or what is there where it would come out the same."""
    cache = cache_path(kb.journal, "site")
    with closing(open_site_pages(cache, wait=WAIT_SECONDS, rebuild=target.rebuild)) as pages:
        shown = resolve_name("calmkb.wings.site.verbs.pages:library")(kb)  # by name, as the plugin
        source = _source(kb, shown, how)

        def silent(output: Output) -> None:
            if _source(kb, shown, how) == source:  # the user's pages may have changed meanwhile
                output.note(source)

        return target.unchanged(source) or make(given=(shown, pages), silent=silent)


def _source(kb: KnowledgeBase, shown: "Library", how: Sequence[Any]) -> str:
    """Return a digest of all that the site is made of: records, the user's pages, code, the day."""
    found = hashlib.blake2b(code_digest(), digest_size=16)
    files = [kb.root / SETTINGS, *sorted(how[0].rglob("*"))]
    said = [os.environ.get(name) for name in ("OFFLINE", "SITE_URL", "SOURCE_DATE_EPOCH")]
    values = [getattr(shown, field.name) for field in fields(shown)]
    for one in chain(
        [kb.root, *how, *said, datetime.now(UTC).date()],
        *(value if isinstance(value, tuple) else [value] for value in values),
        (hashed(path, kb.root) for path in files),
    ):
        data = repr(one).encode(errors="backslashreplace")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


def stage(kb: KnowledgeBase, folder: Path) -> tuple[Built, int]:
    """Write the pages as Markdown files into `folder`, with settings for MkDocs or Zensical."""
    from calmkb.wings.site.builder.stage_folder import stage_into

    return stage_into(_trusted(kb), folder)


def serve(kb: KnowledgeBase, address: str, report: Callable[[str], None]) -> None:
    """Serve the site until interrupted, and build it again when the journal changes.

    `report` gets a line for each step: the address at once, then each build.
    """
    from calmkb.wings.site.builder.preview import serve_site

    serve_site(_trusted(kb), address=address, check=lambda: require_site(kb), report=report)


def check(kb: KnowledgeBase, folder: Path | None = None) -> "SiteCheck":
    """Look at the site in `folder`, else where `build` puts it; nothing of its settings runs."""
    from calmkb.wings.site.builder.check import check_site

    return check_site(folder or site_folder(kb.root))


def _trusted(kb: KnowledgeBase) -> SiteFolders:
    require_site(kb)
    repository = kb.repository_if_any
    return SiteFolders(kb.root, repository.top if repository else kb.root, kb.environment.state)
