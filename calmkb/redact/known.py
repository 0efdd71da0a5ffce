"""A secret that was found once is taken out wherever else it is written in the same record."""

import re
from collections.abc import Iterable, Mapping

from calmkb.redact.rules.rule import MARK, Hits
from calmkb.redact.rules.values import is_distinct

_LONG = 16
_EDGES = " \t\"'`.,;:()[]{}<>\\"


def distinct_values(found: Mapping[str, str]) -> dict[str, str]:
    """Return the values that mean nothing but the secret, longest first, each with its rule.

    `test` or `admin` may be a password; taken out everywhere, it would garble the prose.
    """
    known: dict[str, str] = {}
    for value, rule_id in found.items():
        for part in _parts(value):
            if is_distinct(part):
                known.setdefault(part, rule_id)
    return dict(sorted(known.items(), key=lambda item: (-len(item[0]), item[0])))


def hide_known(text: str, known: Mapping[str, str], hits: Hits) -> str:
    """Return `text` without the values in `known`; short ones go only as words of their own."""
    for value, rule_id in known.items():
        if value in text:
            pattern = re.escape(value)
            if len(value) < _LONG:
                pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
            text, count = re.subn(pattern, f"{MARK}:{rule_id}]", text)
            hits.update({rule_id: count} if count else {})
    return text


def _parts(value: str) -> Iterable[str]:
    """Yield a value, the lines of a key, and the password of `user:password`."""
    lines = [line.strip(_EDGES) for line in value.split("\n")]
    yield from lines
    if len(lines) == 1 and ":" in value:
        yield value.rpartition(":")[2].strip(_EDGES)
