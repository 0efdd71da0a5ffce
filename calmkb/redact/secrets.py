"""Secrets by their shape and by their surroundings.

Own rules know prefixes, assignments, flags, headers and credential files; a published table adds
some four hundred providers. Entropy alone is not used: it takes hashes for secrets.
"""

import re

from calmkb.redact.rules.assignments import NAMED_RULES
from calmkb.redact.rules.layout import hide_table_secrets
from calmkb.redact.rules.places import PLACE_RULES
from calmkb.redact.rules.providers import SHAPE_RULES
from calmkb.redact.rules.published import hide_published
from calmkb.redact.rules.rule import Hits, IsAllowed, allow_nothing, apply_rules
from calmkb.redact.rules.values import is_secret_value

_DOCUMENT = re.compile(r"^---[ \t]*$", re.MULTILINE)
_SECRET = re.compile(r"^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t\r]*$", re.MULTILINE)
_SECTION = re.compile(r"([ \t]*)(?:data|stringData):\s*\Z")
_PAIR = re.compile(
    r"([ \t]*)([\w.\-\"']{1,200}:[ \t]+)([\"']?)([^\s\"'|>][^\n\"']*)(.*)\Z", re.DOTALL
)

OWN_RULES = (*SHAPE_RULES, *PLACE_RULES, *NAMED_RULES)


def redact_secrets(
    text: str, *, is_allowed: IsAllowed = allow_nothing, hits: Hits | None = None
) -> str:
    """Return `text` with each secret replaced by `[redacted:RULE]`; `hits` counts by rule."""
    hits = Hits() if hits is None else hits
    text = hide_manifest_values(text, is_allowed=is_allowed, hits=hits)
    text = apply_rules(OWN_RULES, text, is_allowed=is_allowed, hits=hits)
    text = hide_table_secrets(text, is_allowed=is_allowed, hits=hits)
    return hide_published(text, is_allowed=is_allowed, hits=hits)


def hide_manifest_values(text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` with the data of the Secrets in it replaced."""
    if "kind:" not in text or not _SECRET.search(text):
        return text
    breaks = [found.start() for found in _DOCUMENT.finditer(text)]
    parts = [text[a:b] for a, b in zip([0, *breaks], [*breaks, len(text)], strict=True)]
    return "".join(
        _hide(part, is_allowed, hits) if _SECRET.search(part) else part for part in parts
    )  # fmt: skip


def _hide(document: str, is_allowed: IsAllowed, hits: Hits) -> str:
    lines, indent = [], -1
    for line in document.split("\n"):
        pair = _PAIR.match(line)
        if section := _SECTION.match(line):
            indent = len(section[1])
        elif line.strip() and len(line) - len(line.lstrip()) <= indent:
            indent = -1
        elif indent >= 0 and pair and is_secret_value(pair[4].strip()) and not is_allowed(pair[4]):
            mark = hits.note("kubernetes", pair[4].rstrip())
            line = f"{pair[1]}{pair[2]}{pair[3]}{mark}{pair[5]}"
        lines.append(line)
    return "\n".join(lines)
