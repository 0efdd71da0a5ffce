"""What is on or off by default: two texts that differ oppose each other, however they say it."""

import re

from calmkb.reflect.similarity.terms import stem

_DEFAULT = re.compile(
    r"(?P<what>[\w`./-]+) (?:is|are|stays?|remains?) (?:now |still )?"
    r"(?:(?P<state>on|off|enabled|disabled|active|inactive) by default"
    r"|(?P<choice>opt-in|opt-out|opt in|opt out)\b)",
    re.IGNORECASE,
)
_ON = frozenset(("on", "enabled", "active", "opt-out", "opt out"))


def defaults_of(text: str) -> dict[str, bool]:
    """Return by its stem what the text says is on (True) or off by default."""
    low = text.casefold()
    if "by default" not in low and "opt" not in low:  # what most texts are let go with
        return {}
    return {
        stem(found["what"].strip("`").casefold()): (found["state"] or found["choice"]).casefold()
        in _ON
        for found in _DEFAULT.finditer(text)
    }


def defaults_differ(one: str, other: str) -> bool:
    """Return whether one text says on by default of what the other says off of."""
    theirs = defaults_of(other)
    return any(theirs.get(what, state) != state for what, state in defaults_of(one).items())
