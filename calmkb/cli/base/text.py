"""Text for a terminal: invisible characters shown, lines cut to a width."""

import re
import shutil
from pathlib import Path

from calmkb.model.words import counted as counted
from calmkb.model.words import short_line

# What no reader can overlook: printable ASCII, Latin, and the usual dashes, quotes and ellipsis.
_PLAIN = re.compile("[\n\t -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff]*")


def visible(text: str) -> str:
    """Return `text` with its invisible characters shown."""
    if _PLAIN.fullmatch(text):
        return text
    from calmkb.kb.text import show_invisible  # loads the whole filter: ten milliseconds

    return show_invisible(text)


def clip(text: str, width: int) -> str:
    """Return `text` as one visible line of at most `width` characters."""
    return short_line(visible(" ".join(text.split())), width)


def from_home(text: object) -> str:
    """Return a text with the paths below this person's home written from `~`, as a shell reads.

    A quoted path stays whole: a shell leaves a quoted `~` as it is.
    """
    home = re.escape(str(Path.home()))
    return re.sub(rf"(?<![^\s(]){home}(?=/|\s|$|[,;:)])", "~", str(text))


def terminal_width() -> int:
    """Return the columns there are to write in, at least 60."""
    return max(60, shutil.get_terminal_size((100, 24)).columns)


def bullet(item: str) -> str:
    """Return an item of a list as Markdown has it, its further lines below its text."""
    return "- " + item.replace("\n", "\n  ")
