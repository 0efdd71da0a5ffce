"""Advice to bypass a check, against a rule that asks for it: "commit unsigned", "always sign"."""

import re
from collections.abc import Iterable

from calmkb.reflect.opposites.antonyms import is_denied

_BYPASSES = (
    (r"--no-verify\b|\bHUSKY=0|\bSKIP=\w+|\bskip(?:ping)? (?:the |git )*(?:pre-commit )?hooks?\b",
     r"\bhooks?\b|--no-verify|\bpre-commit\b"),
    (r"--no-gpg-sign\b|gpgsign[= ]false|\bunsigned\b|\bwithout signing\b",
     r"\bsign(?:s|ed|ing|ature)?\b|\bgpg\b|--no-gpg-sign"),
    (r"push\b[^.;]*\s(?:--force\b(?!-with-lease)|-f\b)|\bforce[- ]push",
     r"\bforce[- ]?push|push\b[^.;]*--force"),
    (r"\breset --hard\b", r"\breset --hard\b|\buncommitted\b"),
    (r"\b(?:skip|disable|comment out|delete)\w* (?:the |that |failing |flaky )*tests?\b"
     r"|@pytest\.mark\.skip|\bt\.Skip\(|\bxfail\b",
     r"\b(?:skip|disabl|delet)\w* (?:\w+ )?tests?\b|\btests? (?:must|has to|have to) pass\b"),
)  # fmt: skip
_TABLE = tuple(
    (re.compile(way, re.IGNORECASE), re.compile(rule, re.IGNORECASE)) for way, rule in _BYPASSES
)
_STANDING = re.compile(
    r"\b(?:never|always|must|do not|don't|dont|every|all|required?|only|forbidden|not allowed)\b",
    re.IGNORECASE,
)


def rule_broken(advice: str, rules: Iterable[str]) -> str:
    """Return the first of the standing rules that asks for the check that `advice` bypasses.

    Nothing where the advice bypasses none, or tells not to.
    """
    asked = [rule for way, rule in _TABLE if _recommends(advice, way)]
    if not asked:
        return ""
    return next(
        (
            text for text in rules
            if _STANDING.search(text)
            and any(rule.search(text) for rule in asked)
            and not any(_recommends(text, way) for way, _ in _TABLE)
        ),
        "",
    )  # fmt: skip


def _recommends(text: str, way: re.Pattern[str]) -> bool:
    found = way.search(text)
    return found is not None and not is_denied(text[: found.start()])
