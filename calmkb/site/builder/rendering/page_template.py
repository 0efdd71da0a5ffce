"""The theme's page with gaps for what differs: printed once, filled ten thousand times.

A theme's template takes as long as all else that a page needs. Between two pages made from records
it changes nothing but the title, the description, the address and the text; so it is printed with
marks in their places. Whether that is so is not believed but tried: see `fits`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_MARK = "calmkb7gap{}9"
_GAPS = ("title", "description", "canonical", "content")
_BETWEEN = re.compile(r">\s*\n\s*<")
# Material gives a page without a heading one of its own.
MARKS: Mapping[str, str] = {name: _MARK.format(name) for name in _GAPS[:3]} | {
    "content": f"<h1>{_MARK.format('content')}</h1>"
}
_SPLIT = re.compile("(" + "|".join(MARKS.values()) + ")")
_NAMES = {mark: name for name, mark in MARKS.items()}


@dataclass(frozen=True, slots=True)
class Mould:
    """The parts of a page between its gaps, and the names of the gaps, one less than the parts."""

    parts: tuple[str, ...]
    gaps: tuple[str, ...]

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the page with `values` in its gaps."""
        pieces = [self.parts[0]]
        for gap, part in zip(self.gaps, self.parts[1:], strict=True):
            pieces += [values[gap], part]
        return "".join(pieces)


def mould_of(html: str) -> Mould | None:
    """Return the mould of a page printed with `MARKS`, or None where its text has no one place."""
    pieces = _SPLIT.split(html)
    gaps = tuple(_NAMES[mark] for mark in pieces[1::2])
    return Mould(tuple(pieces[::2]), gaps) if gaps.count("content") == 1 else None


def squeezed(html: str, content: str) -> str:
    """Return the page without the blank lines and indents between the theme's tags.

    They are a fifth of a short page. What stands in `content` is left as it is.
    """
    if not content or html.count(content) != 1:
        return html
    before, after = html.split(content)
    return _BETWEEN.sub(">\n<", before) + content + _BETWEEN.sub(">\n<", after)


def depth_of(url: str) -> int:
    """Return how many folders a page stands below the root: all links of the frame turn on it."""
    return url.count("/")


def values_of(meta: Mapping[str, Any], canonical: str | None, content: str) -> dict[str, str]:
    """Return what goes into the gaps of a page."""
    return {
        "title": str(meta.get("title", "")),
        "description": str(meta.get("description", "")),
        "canonical": canonical or "",
        "content": content,
    }
