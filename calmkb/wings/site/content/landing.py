"""Where the quote of a session is on its page: the sentence that a link to it lands on."""

import hashlib
from dataclasses import dataclass

from calmkb.model import Entry
from calmkb.wings.site.text.titles import session_title

_FIELDS = ("friction_points", "next_steps")
_TITLE, _DIGITS = 70, 8


@dataclass(frozen=True, slots=True)
class Landing:
    """A session that is quoted: its title, and the id of what is quoted on its page, if known."""

    title: str
    anchor: str


def landing(entry: Entry, quote: str) -> Landing:
    """Return where a quote of a session lands; a draft may hold the words inside a longer item."""
    wanted = normal(quote)
    items = ((field, item) for field in _FIELDS for item in getattr(entry, field))
    named = (item_id(*one) for one in items if wanted and wanted in normal(one[1]))
    return Landing(session_title(entry, _TITLE), next(named, ""))


def item_id(field: str, item: str) -> str:
    """Return the id of an item of a session's list, made of its words."""
    digest = hashlib.sha256(normal(item).encode(errors="replace")).hexdigest()
    return f"{field.replace('_', '-')}-{digest[:_DIGITS]}"


def normal(text: str) -> str:
    """Return `text` in the form in which quotes are compared."""
    return " ".join(text.casefold().split())
