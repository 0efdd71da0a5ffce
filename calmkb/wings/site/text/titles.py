"""What a session and a memory are called, a drafted summary in parts, links to its commits."""

import re
from itertools import pairwise

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
_PART = re.compile(
    r'\s+(?=Found: ["“]|Changed [\w.]|Committed |Opened PR #|Ran `|Ended |Broke off |Stopped by '
    r"|Interrupted by )"
)
_QUOTE = re.compile(r'“[^”]*”|"[^"]*"|`[^`]*`')
_HOSTED = re.compile(r"((?:[a-z0-9-]+\.)+[a-z]+)((?:/[\w.~-]+){2,})", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
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
    text = entry.summary.strip()
    quoted, led_up = _QUOTED.match(text), _LED_UP.match(text)
    rest = text[led_up.end() :].strip() if led_up else ""
    rest = (quoted[1] or quoted[2]) if quoted else rest
    if quoted or len(rest.split()) > 1:
        word = rest.split(" ", 1)[0]
        text = rest[:1].upper() + rest[1:] if word.isalpha() else rest
    return headline(text, limit)


def summary_parts(summary: str) -> list[str]:
    """Return what was asked, found, changed, run and how it ended; a written summary is whole."""
    if not summary.startswith(('Asked: "', "Asked: “")):
        return [summary]
    # What is quoted begins no part.
    bare = _QUOTE.sub(lambda quote: quote[0][0] + "-" * (len(quote[0]) - 1), summary)
    cuts = [0, *(part.end() for part in _PART.finditer(bare)), len(summary)]
    return [summary[start:end].rstrip() for start, end in pairwise(cuts)]


def commit_address(repository: str, commit: str) -> str:
    """Return where a commit is shown by the host of its repository, "" where no host is known."""
    hosted = _HOSTED.fullmatch(repository)
    if not hosted or not _COMMIT.fullmatch(commit):
        return ""
    kinds = {"gitlab": "/-/commit/", "bitbucket": "/commits/"}
    kind = next((path for name, path in kinds.items() if name in hosted[1]), "/commit/")
    return f"https://{hosted[0]}{kind}{commit}"
