"""The rules of the scanner betterleaks (MIT, once gitleaks), as a table of providers' tokens.

`scripts/secret_rules.py` writes the table from the scanner's own file. The scanner itself takes
56 MB and has no wheel for Python 3.14 or Linux on ARM.
"""

import math
import re
from collections import Counter
from functools import cache, partial
from pathlib import Path

from calmkb.redact.rules.rule import MARK, Match, Rule
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


def _holds(least: float, found: Match) -> bool:
    value = found["value"]
    spared = MARK in value or is_dummy(value) or _COMMIT_ID.match(value)
    # Shannon's entropy of the characters, in bits.
    gone = sum(n * math.log2(n) for n in Counter(value).values()) / len(value)
    return not spared and math.log2(len(value)) - gone >= least
