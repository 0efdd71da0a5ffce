"""A page of MkDocs whose Markdown lies in the cache of staged pages."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from calmkb.wings.site.builder.rendering.markdown import sanitized, without_front_matter

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from calmkb.wings.site.builder.cache import SitePages

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
EMPTY_TEMPLATE = "calmkb-skipped.html"  # renders nothing: MkDocs writes no file for the page


class StagedFile(File):
    """A file whose text is read from the cache of staged pages."""

    pages: "SitePages"

    @classmethod
    def at(cls, config: "MkDocsConfig", uri: str, pages: "SitePages") -> "StagedFile":
        """Return the file of a staged page; outside the nav, whose cost is quadratic."""
        file = cls(
            uri,
            src_dir=None,
            dest_dir=config.site_dir,
            use_directory_urls=config.use_directory_urls,
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        file.generated_by = "calmkb"
        file.abs_src_path = None
        file.pages = pages
        return file

    @property
    def _content(self) -> str:  # type: ignore[override]  # nobody writes to it
        """The text of the page, where MkDocs looks for what a plugin made."""
        return self.pages.text(self.src_uri)


class StagedPage(Page):
    """A staged page; MkDocs writes no file for one that is `skipped`.

    One that is `late` has its text only while it is built: ten thousand would fill the memory.
    """

    file: StagedFile
    skipped = False
    late = False
    html = ""
    _staged = ""

    def __init__(self, file: StagedFile, config: "MkDocsConfig", *, day: datetime | None) -> None:
        super().__init__(None, file, config)
        if day is not None:
            self.update_date = f"{day:%Y-%m-%d}"

    def build_late(self) -> None:
        """Let MkDocs build the page after all, from a text that is loaded then."""
        self.unload()
        self.skipped, self.late = False, True

    def unload(self) -> None:
        """Hold no text."""
        self.content, self.html, self.toc = "", "", get_toc([])
        self.markdown, self.meta = "", {"search": {"exclude": True}}

    def load(self) -> None:
        """Take the text from the cache, and the HTML made of it, so that MkDocs builds the page."""
        self.toc = get_toc([])
        text = self.file.content_string
        self.meta = meta_of(text)
        self._staged = self.markdown = without_front_matter(text)
        self.content = self.html

    def read_source(self, config: "MkDocsConfig") -> None:
        """Load the page; MkDocs passes over one that is skipped."""
        if self.skipped:
            self.unload()
            self.meta["template"] = EMPTY_TEMPLATE
        else:
            self.load()

    def render(self, config: "MkDocsConfig", files: "Files") -> None:
        """Make the HTML again only where a plugin changed the Markdown.

        Staged pages hide their table of contents, so they have none.
        """
        if not self.skipped and self.markdown != self._staged:
            super().render(config, files)
            self.content = sanitized(self.content or "")
            self.toc = get_toc([])


def meta_of(text: str) -> dict[str, Any]:
    """Return the front matter of a staged page."""
    found: dict[str, Any] = yaml.load(text.split("---\n", 2)[1], _LOADER)  # noqa: S506 - a safe one
    return found
