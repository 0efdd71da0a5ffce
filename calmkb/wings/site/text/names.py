"""What people are called where anybody may read it."""

from collections import Counter
from collections.abc import Iterable


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
