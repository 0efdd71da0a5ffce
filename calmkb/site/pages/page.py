"""What a page is before it is printed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page:
    """One page to be: its address, its template and what it shows.

    A page that is a `view` may show anything of the catalogue, so it is printed each time; any
    other shows its `values` alone, and is printed again only when these have changed. `title` names
    a page of which there is one; of several, what they show names each (see `headings`).
    """

    uri: str
    template: str
    values: dict[str, Any] = field(default_factory=dict)
    view: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One of several pages of a long list: its number, from 1, of how many; earlier, later."""

    number: int
    pages: int
    earlier: str = ""
    later: str = ""


def leaves(
    uri: str, items: Sequence[Item], size: int
) -> Iterator[tuple[str, Leaf, Sequence[Item]]]:
    """Yield address, place and items of each page of a list, at least one page.

    The first stands at `uri`, an `index.md`; the others beside it, as `2.md`.
    """
    pages = max(1, -(-len(items) // size))
    uris = [uri, *(f"{uri.removesuffix('index.md')}{n}.md" for n in range(2, pages + 1)), ""]
    for place in range(pages):
        leaf = Leaf(place + 1, pages, uris[place - 1] if place else "", uris[place + 1])
        yield uris[place], leaf, items[place * size : (place + 1) * size]
