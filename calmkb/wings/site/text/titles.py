"""What a session and a memory are called: what it is about first, cut at the end alone."""

import re

from calmkb.model import Entry
from calmkb.model.words import short_line
from calmkb.wings.site.text.inline import plain
from calmkb.wings.site.text.sanitize import headline

_WHO = r"(?:the (?:user|person|developer|maintainer)|user|they)"
_LED_UP = re.compile(
    rf"{_WHO} (?:asked|wanted|requested|told|reported|noticed)(?: me| us| it| the agent)?"
    r"(?: to| for| that)? (?!me\b|us\b)"
    r"|asked (?:to |for |that |(?=whether |why |how |what ))"
    r"|the (?:task|request|goal|aim) was (?:to |that )"
    r"|(?:a|the) (?:\w+ )?plan was implemented (?:that |to |so that )"
    r"|implemented (?:a|the) plan (?:that |to |so that )"
    r"|on request,? ",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'asked: (?:"([^"]+)"|“([^”]+)”)', re.IGNORECASE)

_REMEDY = re.compile(r"If (.+?) fails with \u201c(.+)\u201d, (run|use) (`[^`]+`)\.?")


def memory_title(text: str, limit: int = 90) -> str:
    """Return the first sentence of a memory, what to do before the error that calls for it.

    "If `make` fails with \u201cno db\u201d, run `up db`." is "Run `up db` if `make` fails: no db".
    """
    if remedy := _REMEDY.fullmatch(" ".join(text.split())):
        failed, error, verb, cure = remedy.groups()
        text = f"{verb.capitalize()} {cure} if {failed} fails: {error}"
    return headline(text, limit)


def session_title(entry: Entry, limit: int = 90) -> str:
    """Return what a person called a session, else the first sentence of its summary; not escaped.

    Without its lead-up, cut at a word: "The user asked to fix the login." is "Fix the login."
    """
    if entry.title:
        return short_line(plain(entry.title), limit)
    summary = entry.summary
    if quoted := _QUOTED.match(summary):
        return headline(quoted[1] or quoted[2], limit)
    text = summary.strip()
    led_up = _LED_UP.match(text)
    rest = text[led_up.end() :].strip() if led_up else ""
    if len(rest.split()) > 1:
        word = rest.split(" ", 1)[0]
        text = rest[:1].upper() + rest[1:] if word.isalpha() else rest
    return headline(text, limit)
