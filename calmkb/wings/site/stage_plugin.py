"""The MkDocs plugin of a stage: does to its pages what the plugin does in a build."""

from typing import TYPE_CHECKING

from mkdocs.config.base import Config
from mkdocs.plugins import BasePlugin, event_priority

from calmkb.wings.site.builder.rendering.markdown import sanitized, with_page_links

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


class StageConfig(Config):  # type: ignore[no-untyped-call]  # left untyped by MkDocs
    """It has no settings."""


class StagePlugin(BasePlugin[StageConfig]):  # type: ignore[no-untyped-call]  # left untyped by MkDocs
    """Sanitizes the staged pages, and makes links in pictures lead to built pages."""

    @event_priority(-75)  # after other plugins
    def on_page_content(
        self, html: str, *, page: "Page", config: "MkDocsConfig", files: "Files"
    ) -> str | None:
        """Change the pages made from records alone; the user's own are theirs."""
        if page.meta.get("generated_by") != "calmkb":
            return None
        return with_page_links(sanitized(html), page.file.src_uri, config.use_directory_urls)
