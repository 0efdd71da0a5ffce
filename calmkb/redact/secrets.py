"""Secrets by their shape and by their surroundings.

Own rules know prefixes, assignments, flags, headers and credential files; the scanner adds some two
hundred providers where its wheel exists. Entropy alone is not used: it takes hashes for secrets.
"""

from calmkb.redact.rules.assignments import NAMED_RULES
from calmkb.redact.rules.layout import hide_table_secrets
from calmkb.redact.rules.manifests import hide_manifest_values
from calmkb.redact.rules.places import PLACE_RULES
from calmkb.redact.rules.providers import SHAPE_RULES
from calmkb.redact.rules.rule import Hits, IsAllowed, allow_nothing, apply_rules
from calmkb.redact.scanner import hide_found_by_scanner

OWN_RULES = (*SHAPE_RULES, *PLACE_RULES, *NAMED_RULES)


def redact_secrets(
    text: str,
    *,
    is_allowed: IsAllowed = allow_nothing,
    hits: Hits | None = None,
    own: bool = True,
    scanner: bool = True,
) -> str:
    """Return `text` with each secret replaced by `[redacted:RULE]`; `hits` counts by rule.

    Raises RedactionError where the scanner itself fails: then nothing may be written.
    """
    hits = Hits() if hits is None else hits
    if own:
        text = hide_manifest_values(text, is_allowed=is_allowed, hits=hits)
        text = apply_rules(OWN_RULES, text, is_allowed=is_allowed, hits=hits)
        text = hide_table_secrets(text, is_allowed=is_allowed, hits=hits)
    return hide_found_by_scanner(text, is_allowed=is_allowed, hits=hits) if scanner else text
