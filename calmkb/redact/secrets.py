"""Secrets by their shape and by their surroundings.

Own rules know prefixes, assignments, flags, headers and credential files; a published table adds
some four hundred providers. Entropy alone is not used: it takes hashes for secrets.
"""

import base64
import re
from functools import cache

from calmkb.redact.rules.assignments import NAMED_RULES
from calmkb.redact.rules.layout import hide_table_secrets
from calmkb.redact.rules.places import PLACE_RULES
from calmkb.redact.rules.providers import SHAPE_RULES
from calmkb.redact.rules.published import published_rules
from calmkb.redact.rules.rule import Hints, Hits, IsAllowed, allow_nothing, apply_rules
from calmkb.redact.rules.values import is_secret_value

_DOCUMENT = re.compile(r"^(?=---[ \t]*$)", re.MULTILINE)
_SECRET = re.compile(r"^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t\r]*$", re.MULTILINE)
_SECTION = re.compile(r"([ \t]*)(?:data|stringData):\s*\Z")
_PAIR = re.compile(
    r"([ \t]*)([\w.\-\"']{1,200}:[ \t]+)([\"']?)([^\s\"'|>][^\n\"']*)(.*)\Z", re.DOTALL
)

_WORD = re.compile(r"[\w.~+/%\\&#;-]{20,8000}={0,2}")
_ESCAPE = re.compile(r"(?:%|\\{1,2}(?:x|u00))([2-7][\da-fA-F])|&#(?:x([2-7][\da-fA-F])|(\d{2,3}));")
_BASE64, _TEXT = re.compile(r"[\w+/-]{20,}={0,2}", re.ASCII), re.compile(rb"[\t\n\r -~]+")

OWN_RULES = (*SHAPE_RULES, *PLACE_RULES, *NAMED_RULES)


def redact_secrets(
    text: str, *, is_allowed: IsAllowed = allow_nothing, hits: Hits | None = None
) -> str:
    """Return `text` with each secret replaced by `[redacted:RULE]`; `hits` counts by rule."""
    hits = Hits() if hits is None else hits
    text = hide_manifest_values(text, is_allowed=is_allowed, hits=hits)
    text = apply_rules(_hints().near(text), text, is_allowed=is_allowed, hits=hits)
    text = hide_table_secrets(text, is_allowed=is_allowed, hits=hits)
    return _WORD.sub(lambda found: _hide_encoded(found[0], is_allowed, hits), text)


@cache
def _hints() -> Hints:
    """Return the hints of our own rules and, after them, of the published ones."""
    return Hints((*OWN_RULES, *published_rules()))


def _hide_encoded(word: str, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return a mark for a word that is a secret percent-encoded, escaped or in base64."""
    plain = _ESCAPE.sub(lambda one: chr(int(one[1] or one[2] or "0", 16) or int(one[3])), word)
    if not plain.islower() and _BASE64.fullmatch(plain):
        data = base64.b64decode(plain[: len(plain) // 4 * 4], "-_")
        plain = data.decode() if _TEXT.fullmatch(data) else plain
    found = Hits()
    if plain != word:
        apply_rules(_hints().near(plain), plain, is_allowed=is_allowed, hits=found)
    return hits.note(next(iter(found)), word) if found else word


def hide_manifest_values(text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` with the data of the Secrets in it replaced."""
    if "kind:" not in text or not _SECRET.search(text):
        return text
    parts = _DOCUMENT.split(text)
    return "".join(_hide(one, is_allowed, hits) if _SECRET.search(one) else one for one in parts)


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
