"""Reads built pages the way a suspicious browser would."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
EMBEDDING = {"script", "iframe", "object", "embed", "frame", "base", "form", "video", "audio"}
MARKUP = {"style", "link", "meta", "math", "use", "image", "foreignobject", "animate", "set"}
FETCHING = {"src", "srcset", "data", "action", "formaction", "poster", "background"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]


@dataclass
class Parsed:
    elements: list[Element] = field(default_factory=list)
    article: list[Element] = field(default_factory=list)
    text: str = ""
    title: str = ""

    def first(self, tag: str) -> Element:
        return next(element for element in self.elements if element.tag == tag)

    @property
    def ids(self) -> set[str]:
        return {e.attributes["id"] for e in self.elements if "id" in e.attributes}

    @property
    def links(self) -> list[str]:
        found = []
        for element in self.elements:
            found += [element.attributes[n] for n in ("href", "src") if n in element.attributes]
        return found

    @property
    def headings(self) -> list[int]:
        return [
            int(e.tag[1]) for e in self.article if e.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}
        ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Parsed()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.page.elements.append(element)
        if "article" in self._open:
            self.page.article.append(element)
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while tag in self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "article" in self._open:
            self.page.text += data
        if self._open[-1:] == ["title"]:
            self.page.title += data


def parse(html: str) -> Parsed:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.page


def read(path: Path) -> Parsed:
    return parse(path.read_text(encoding="utf-8"))


def read_site(site: Path) -> dict[str, Parsed]:
    return {path.relative_to(site).as_posix(): read(path) for path in sorted(site.rglob("*.html"))}


def broken_links(site: Path, pages: dict[str, Parsed]) -> list[str]:
    """Every link inside the site that leads to no file, or to no such place on its page."""
    broken = []
    for name, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme or name == "404.html":
                continue
            target, place = urldefrag(urljoin(f"/{name}", link))
            file = unquote(target).lstrip("/")
            if file == "" or file.endswith("/"):
                file += "index.html"
            if not (site / file).is_file():
                broken.append(f"{name}: {link}")
            elif place and file in pages and unquote(place) not in pages[file].ids:
                broken.append(f"{name}: {link} (no such id)")
    return broken


def live(page: Parsed) -> list[str]:
    """Whatever in the article could run, fetch or restyle; drawings of calmkb's own are none."""
    found = []
    for element in page.article:
        drawn = element.attributes.get("class", "").startswith("calm-")
        if element.tag in EMBEDDING | MARKUP or (element.tag == "svg" and not drawn):
            found.append(f"<{element.tag}>")
        for name, value in element.attributes.items():
            address = value.strip().lower()
            if name.startswith("on") or name in FETCHING | {"style"}:
                found.append(f"<{element.tag} {name}>")
            if name == "href" and address.startswith(("javascript:", "data:", "vbscript:")):
                found.append(f"<a {address}>")
    return found
