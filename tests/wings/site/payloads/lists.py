"""Reads the lists: naughty strings, fixtures of sanitisers, vectors and polyglots by the thousand.

`make payloads` installs those that come from npm; nothing of them but data is read.
"""

import json
import re
from functools import cache
from pathlib import Path

MODULES = Path(__file__).parent / "node_modules"
MISSING = "the lists of hostile text are not installed; run: make payloads"
LONGEST = 5_000


@cache
def payloads() -> tuple[str, ...]:
    """Every payload once, in the order of its text."""
    found = {*_naughty_strings(), *_dompurify(), *_xss_filters(), *_knowledge_base()}
    return tuple(sorted({sound for text in found if (sound := _sound(text)).strip()}))


@cache
def telling() -> tuple[str, ...]:
    """The payloads that put two signs together as none before them did; letters are alike."""
    seen: set[str] = set()
    kept = []
    for text in sorted(payloads(), key=lambda one: (len(one), one)):
        shape = re.sub(r"[^\W_]+", "a", text)
        near = {shape[at : at + 2] for at in range(max(1, len(shape) - 1))}
        if near - seen:
            kept.append(text)
        seen |= near
    return tuple(kept)


def _sound(text: str) -> str:
    """What a record may hold: no NUL and no half of a pair; those never get as far as a page."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()[:LONGEST]


def _naughty_strings() -> list[str]:
    """The Big List of Naughty Strings."""
    text = (MODULES / "blns/resources/blns.json").read_text(encoding="utf-8")
    return [str(one) for one in json.loads(text)]


def _dompurify() -> list[str]:
    """What DOMPurify's own tests are fed: mutations, clobbering, SVG and MathML."""
    text = (MODULES / "dompurify/test/fixtures/expect.js").read_text(encoding="utf-8")
    rows = text[text.index("[") :].rstrip().rstrip(";")
    return [row["payload"] for row in json.loads(rows, strict=False)]


def _xss_filters() -> list[str]:
    """The seeds of a fuzzer: OWASP's cheat sheet of evasions."""
    path = MODULES / "xss-filters/tests/fuzz/bin/seed.xss"
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _knowledge_base() -> list[str]:
    """A collection of vectors by context: HTML, Markdown, templates, browsers, WAF bypasses."""
    from brs_kb.payloads import get_all_payloads

    return [entry.payload for entry in get_all_payloads().values()]
