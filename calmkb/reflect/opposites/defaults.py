"""What is on or off by default, and which value a variable is given: the other one opposes it."""

import re

from calmkb.reflect.opposites.antonyms import is_denied
from calmkb.reflect.similarity.terms import stem

_DEFAULT = re.compile(
    r"(?P<what>[\w`./-]+) (?:is|are|stays?|remains?) (?:now |still )?"
    r"(?:(?P<state>on|off|enabled|disabled|active|inactive) by default"
    r"|(?P<choice>opt-in|opt-out|opt in|opt out)\b)",
    re.IGNORECASE,
)
_ON = frozenset(("on", "enabled", "active", "opt-out", "opt out"))
# `CI=1`, "CI_MODE to 1", or "it to 1" of the variable named last.
_VARIABLE = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9_]{1,60}|it)\b`?"
    r"(?:=(?P<value>[\w./-]+)|\s+to\s+`?(?P<other>\d+|true|false|on|off)\b)?"
)


def defaults_of(text: str) -> dict[str, bool]:
    """Return by its stem what is on (True) or off by default; by `NAME=value`, if it is wanted."""
    low = text.casefold()
    found = _values(text) if "=" in text or " to " in low else {}
    if "by default" in low or "opt" in low:  # most texts are let go without the search
        for one in _DEFAULT.finditer(text):
            state = (one["state"] or one["choice"]).casefold()
            found[stem(one["what"].strip("`").casefold())] = state in _ON
    return found


def _values(text: str) -> dict[str, bool]:
    name, found = "", {}
    for one in _VARIABLE.finditer(text):
        name = name if one["name"] == "it" else one["name"]
        if name and (value := one["value"] or one["other"]):
            found[f"{name}={value}"] = not is_denied(text[: one.start()])
    return found


def defaults_differ(one: str, other: str) -> bool:
    """Return whether one text wants or has on by default what the other denies or has off."""
    theirs = defaults_of(other)
    return any(theirs.get(what, state) != state for what, state in defaults_of(one).items())
