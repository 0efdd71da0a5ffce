"""Pictures as a reader's browser gets them: through Markdown and the sieve, then taken apart."""

from xml.etree.ElementTree import Element as Tree

import markdown
from defusedxml import ElementTree

from calmkb.wings.site.text.sanitize import clean_html

# As in mkdocs.yml.
EXTENSIONS = [
    *("admonition", "attr_list", "md_in_html", "tables", "toc"),
    *("pymdownx.highlight", "pymdownx.superfences"),
]


def tree(picture: str) -> Tree:
    """Parse a picture as it leaves calmkb."""
    return ElementTree.fromstring(picture)


def on_page(picture: str) -> str:
    """Return a page with the picture between two paragraphs, made by Markdown and sieved."""
    page = markdown.markdown(f"Before.\n\n{picture}\n\nAfter *it*.", extensions=EXTENSIONS)
    return clean_html(page)


def seen(picture: str) -> Tree:
    """Parse the picture out of its page."""
    page = on_page(picture)
    assert page.startswith("<p>Before.</p>")
    assert page.endswith("<p>After <em>it</em>.</p>")
    start, end = page.index("<figure"), page.index("</figure>") + len("</figure>")
    return ElementTree.fromstring(page[start:end].replace("&nbsp;", "\u00a0"))


def shape(element: Tree) -> list[object]:
    """Return an element's name, attributes, words and children, to compare it with another."""
    children = [shape(child) for child in element]
    return [element.tag, dict(element.attrib), (element.text or "").strip(), children]


def rows(element: Tree) -> list[list[str]]:
    """Return the cells of the table beside a picture, its head first."""
    return [["".join(cell.itertext()) for cell in row] for row in element.iter("tr")]


def texts(element: Tree) -> list[str]:
    """Return what a drawing says in letters."""
    return [" ".join(" ".join(text.itertext()).split()) for text in element.iter("text")]


def of_class(element: Tree, name: str) -> list[Tree]:
    """Return the elements of a class."""
    return [one for one in element.iter() if name in one.get("class", "").split()]
