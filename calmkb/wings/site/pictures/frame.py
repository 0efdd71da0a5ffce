"""What all pictures share: words that stay words, numbers that stay the same, the frame around."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from calmkb.redact.invisible import show_invisible
from calmkb.templating import templates_dir
from calmkb.wings.site.text.inline import code_entities

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

WIDTH = 640
"""Units that a drawing is wide; the style sheet gives text more of them on a phone."""
TEXT = 22
"""Units of text on a phone, for which room is kept; elsewhere it is smaller."""
_PLAIN = re.compile(r"[^0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the table beside a picture: words or a number."""

    text: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of a picture: heads, and rows as long as these."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


def draw(kind: str, *, name: str = "", **values: object) -> str:
    """Return a picture as one block of raw HTML without an empty line, for a Markdown page.

    `kind` names the template; `name` sets two pictures of a kind on one page apart.
    """
    id_ = f"calm-{kind}-{_PLAIN.sub('-', name)}".rstrip("-")
    template = environment().get_template(f"{kind}.html.j2")
    text = template.render(values, id=id_, kind=kind, width=WIDTH)
    # Not indented either: Markdown would read four spaces as code.
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


@lru_cache(maxsize=1)
def environment() -> "Environment":
    """Return the environment of the pictures' templates; unmarked text is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(templates_dir() / "site" / "pictures"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"words": words, "n": number}
    return made


def words(text: str) -> "Markup":
    """Return `text` on one line, for raw HTML in Markdown: inert for any parser, attributes too."""
    from markupsafe import Markup

    return Markup(code_entities(" ".join(show_invisible(text).split())))  # noqa: S704 - all escaped


def number(value: float) -> str:
    """Return a length in units with at most one digit after the point: the same everywhere."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_width(text: str, size: float = TEXT) -> float:
    """Return about how many units `text` is wide, rather too many than too few."""
    return size * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in "ijlI.,:;'|!()[] ":
        return 0.38
    if letter in "mwMW@%\u2026" or east_asian_width(letter) in "WF":
        return 1.0
    return 0.72 if letter.isupper() else 0.6
