"""Days, counts, titles and people in the words of the pages, the same on every machine."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime

from calmkb.model import CATEGORIES, in_utc
from calmkb.model.words import counted

CATEGORY_TITLES = {category: f"{category.capitalize()}s" for category in CATEGORIES}
"""Category -> the title of its page."""

# strftime's names follow the machine's language; the same input must give the same bytes.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day(value: datetime | date) -> str:
    """Return `19 Oct 2026`."""
    value = in_utc(value) if isinstance(value, datetime) else value
    return f"{value.day} {_MONTHS[value.month - 1][:3]} {value.year}"


def ago(value: datetime | date, today: date) -> str:
    """Return `today`, `3 days ago`, `5 weeks ago`, `4 months ago`."""
    days = (today - (in_utc(value).date() if isinstance(value, datetime) else value)).days
    if days <= 0:
        return "today"
    if days < 14:
        return f"{counted(days, 'day')} ago" if days > 1 else "yesterday"
    if days < 70:
        return f"{days // 7} weeks ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def moment(value: datetime) -> str:
    """Return `19 Oct 2026, 14:22 UTC`."""
    return f"{day(value)}, {in_utc(value):%H:%M} UTC"


def month(value: datetime) -> str:
    """Return `October 2026`."""
    value = in_utc(value)
    return f"{_MONTHS[value.month - 1]} {value.year}"


def anchor(text: str) -> str:
    """Return an id for a heading, from an id of any form."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"


def names_of(addresses: Iterable[str]) -> dict[str, str]:
    """Return what each person is called on pages: a mail address without its host.

    Two who would be called the same are numbered, in the order of their addresses; addresses that
    differ in case only are one person's.
    """
    found: dict[str, str] = {}
    known: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for address in sorted({one for one in addresses if one.strip()}):
        if address.casefold() not in known:
            name = address.partition("@")[0].strip() or "unnamed"
            taken[name.casefold()] += 1
            number = taken[name.casefold()]
            known[address.casefold()] = name if number == 1 else f"{name} ({number})"
        found[address] = known[address.casefold()]
    return found
