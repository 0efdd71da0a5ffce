"""A page of MkDocs that was staged: what it says is already known, as Markdown and as HTML."""

from datetime import datetime
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from calmkb.site.builder.rendering.markdown import without_front_matter
from calmkb.site.builder.rendering.render import meta_of
from calmkb.site.text.sanitize import clean_html

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from calmkb.site.builder.cache import SitePages

KEPT_TEMPLATE = "calmkb-kept.html"
"""Prints nothing: the page of the last build stays."""


class StagedFile(File):
    """A file that lies in the cache of staged pages and is read when somebody asks."""

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

    @property  # type: ignore[misc]  # nobody writes to it
    def content_bytes(self) -> bytes:
        """The text of the page."""
        return self.content_string.encode()

    @property  # type: ignore[misc]  # nobody writes to it
    def content_string(self) -> str:
        """The text of the page."""
        return self.pages.text(self.src_uri)

    @property
    def front(self) -> str:
        """The front matter, as text."""
        return self.content_string.split("---\n", 2)[1]

    def is_modified(self) -> bool:
        """Whether to build it in a dirty build: always."""
        return True


class StagedPage(Page):
    """A page whose HTML lies in the cache, and that may even sleep: then its last output stays."""

    file: StagedFile
    asleep = False
    _html: str | None = None
    _told = ""

    def __init__(self, file: StagedFile, config: "MkDocsConfig", *, day: datetime | None) -> None:
        super().__init__(None, file, config)
        if day is not None:
            self.update_date = f"{day:%Y-%m-%d}"

    @property
    def content(self) -> str | None:
        """The HTML: from the cache, unless a plugin put something else in its place."""
        if self._html is not None or self.markdown is None:
            return self._html
        return "" if self.asleep else self._body()

    @content.setter
    def content(self, text: str | None) -> None:
        self._html = text if text is not None and self.is_changed(text) else None

    def is_changed(self, text: str) -> bool:
        """Say whether a plugin put `text` in the place of what was staged."""
        return not self.asleep and text != self._body()

    def read_source(self, config: "MkDocsConfig") -> None:
        """Read the text, unless the page sleeps."""
        if self.asleep:
            self._rest()
        else:
            self._read()

    def render(self, config: "MkDocsConfig", files: "Files") -> None:
        """Make the HTML only where a plugin changed the Markdown.

        Staged pages hide their table of contents, so they have none.
        """
        if not self.asleep and self.markdown != self._told:
            super().render(config, files)
            self._html = clean_html(self._html or "")
        self.toc = get_toc([])

    def wake(self) -> None:
        """Let the page be built after all."""
        if self.asleep:
            self.asleep = False
            self._read()

    def sleep(self) -> None:
        """Let the page be as it was before it woke."""
        self.asleep = True
        self._rest()

    def _rest(self) -> None:
        self.markdown, self.meta = "", {"search": {"exclude": True}, "template": KEPT_TEMPLATE}

    def _read(self) -> None:
        text = self.file.content_string
        self.meta = meta_of(text)
        self._told = self.markdown = without_front_matter(text)

    def _body(self) -> str:
        return self.file.pages.body(self.file.src_uri)


def is_asleep(page: Page | None) -> bool:
    """Say whether the page is a staged one whose last output stays."""
    return isinstance(page, StagedPage) and page.asleep
