"""The site of a knowledge base: built, staged, checked and served."""

from collections.abc import Callable
from pathlib import Path

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.wings.site.builder.build import Built, SiteFolders, build_site
from calmkb.wings.site.builder.check import SiteCheck, check_site
from calmkb.wings.site.builder.preview import serve_site
from calmkb.wings.site.builder.stage_folder import StageFolder, stage_into
from calmkb.wings.site.verbs.site_code import require_site, site_folder


def build(
    kb: KnowledgeBase,
    *,
    output: Path | None = None,
    strict: bool = False,
    offline: bool = False,
    rebuild: bool = False,
) -> Built:
    """Build the site of a knowledge base; `offline` makes a copy that opens from disk.

    Like `stage` and `serve`, raises NeedsApprovalError where the settings run code of their own
    that nobody approved.
    """
    site = _trusted(kb)
    kb.environment.report("Building the site", 0, 0)
    built = build_site(site, output=output, strict=strict, offline=offline, rebuild=rebuild)
    kb.environment.report("Building the site", 1, 1)
    return built


def stage(kb: KnowledgeBase, folder: Path) -> StageFolder:
    """Write the pages as Markdown files into `folder`, with settings for MkDocs or Zensical."""
    return stage_into(_trusted(kb), folder)


def serve(kb: KnowledgeBase, address: str, report: Callable[[str], None]) -> None:
    """Serve the site until interrupted, and build it again when the journal changes.

    `report` gets a line for each step: the address at once, then each build.
    """
    serve_site(_trusted(kb), address=address, check=lambda: require_site(kb), report=report)


def check(kb: KnowledgeBase, folder: Path | None = None) -> SiteCheck:
    """Look at the site in `folder`, else where `build` puts it; nothing of its settings runs."""
    return check_site(folder or site_folder(kb.root))


def _trusted(kb: KnowledgeBase) -> SiteFolders:
    require_site(kb)
    repository = kb.repository_if_any
    return SiteFolders(kb.root, repository.top if repository else kb.root, kb.environment.state)
