"""The rules of the scanner betterleaks (MIT, once gitleaks), as a table of providers' tokens.

`scripts/secret_rules.py` writes the table from the scanner's own file. The scanner itself takes
56 MB and has no wheel for Python 3.14 or Linux on ARM.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from calmkb.redact.rules.rule import MARK, Hits, IsAllowed, Match, Rule, apply_rules
from calmkb.redact.rules.values import is_dummy

TABLE = Path(__file__).with_name("published.tsv")
_COMMIT_ID = re.compile(r"\A[0-9a-f]{40}\Z")


@cache
def published_rules() -> tuple[Rule, ...]:
    """Return the rules of the table, a line each: id, least entropy, hints, pattern."""
    rows = (line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines())
    return tuple(
        Rule(name, pattern, 0, tuple(hints.split()), partial(_holds, float(least)), shape=True)
        for name, least, hints, pattern in rows
    )


def hide_published(text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` without what these rules find; one look finds the few whose hints are in it."""
    pattern, rules = _hinted()
    near = {rule for hint in set(pattern.findall(text.lower())) for rule in rules[hint]}
    return apply_rules(sorted(near, key=attrgetter("id")), text, is_allowed=is_allowed, hits=hits)


def _holds(least: float, found: Match) -> bool:
    value = found["value"]
    spared = MARK in value or is_dummy(value) or _COMMIT_ID.match(value)
    return not spared and _entropy(value) >= least


def _entropy(text: str) -> float:
    """Return Shannon's entropy of the characters of a text, in bits."""
    counts = Counter(text).values()
    return math.log2(len(text)) - sum(n * math.log2(n) for n in counts) / len(text)


@cache
def _hinted() -> tuple[re.Pattern[str], dict[str, list[Rule]]]:
    """Return a pattern that finds every hint, wherever it begins, and the rules of each."""
    hints = sorted({hint for rule in published_rules() for hint in rule.hints})
    rules: dict[str, list[Rule]] = {}
    shortest = ""
    for hint in hints:  # in order, so that those which one begins follow it
        shortest = shortest if shortest and hint.startswith(shortest) else hint
        rules.setdefault(shortest, []).extend(
            rule for rule in published_rules() if hint in rule.hints
        )
    return re.compile(f"(?=({_any(rules)}))"), rules


def _any(words: Iterable[str]) -> str:
    """Return a pattern of words, none of which begins another, as a tree of letters."""
    tree: dict[str, Any] = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
    return _alternatives(tree)


def _alternatives(tree: dict[str, Any]) -> str:
    found = [re.escape(letter) + _alternatives(below) for letter, below in tree.items()]
    return "(?:" + "|".join(found) + ")" if len(found) > 1 else "".join(found)
