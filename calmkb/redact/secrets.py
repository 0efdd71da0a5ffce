"""Secrets by their shape and by what stands around them.

Own rules catch assignments, flags, headers and well-known prefixes; betterleaks (MIT, the gitleaks
rules in Go) adds some two hundred providers where its wheel exists. Entropy alone is not used: it
takes hashes for secrets. A 40-hex commit id is never one.
"""

import re
from functools import cache
from typing import Any

from calmkb.errors import RedactionError

_NAMES = (
    r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?key)?|token|api[_-]?key|auth[_-]?key|"
    r"access[_-]?key(?:[_-]?id)?|client[_-]?secret|private[_-]?key|signing[_-]?key|"
    r"encryption[_-]?key|credentials?|connection[_-]?string|webhook[_-]?secret)"
)
SECRET_NAME = re.compile(rf"(?:\A|[\w.-]*[_.-]|[a-z](?=[A-Z])){_NAMES}s?\Z", re.IGNORECASE)
"""A key of structured data whose text value is a secret."""

_QUOTED = r"""(?P<quote>["'])(?P<value>(?:\\.|(?!(?P=quote))[^\n\\])+)(?P=quote)"""
_ASSIGNED = re.compile(
    rf"(?P<name>(?:\b|(?<=_))[\w.-]*{_NAMES}[\w-]*)(?P<sign>[\"']?\s*(?::=|=>|[:=])\s*)"
    rf"(?:{_QUOTED}|(?P<bare>[^\s\"'`,;)\]}}>&|]+))",
    re.IGNORECASE,
)
_FLAG = re.compile(
    rf"(?P<keep>--?[\w-]*{_NAMES}[= ]\s*)(?P<value>(?!-)[^\s\"'`]+|\"[^\"\n]+\"|'[^'\n]+')",
    re.IGNORECASE,
)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("private-key", re.compile(
        r"-----BEGIN[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END[A-Z0-9 ]*-----|\Z)",
        re.DOTALL)),
    ("url-password", re.compile(r"(?<=://)[^\s/:@'\"`<>]*:[^\s/@'\"`<>]+(?=@)")),
    ("authorization", re.compile(
        r"(?<=bearer )[\w.~+/=-]{8,}|(?<=basic )[A-Za-z0-9+/]{8,}=*", re.IGNORECASE)),
    ("curl-user", re.compile(
        r"(?P<keep>\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?)[\"']?[^\s:\"'\[]+:[^\s\"']+[\"']?")),
    ("jwt", re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?")),
    ("github", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})")),
    ("gitlab", re.compile(r"\bgl[a-z]{2,5}-[\w-]{16,}")),
    ("aws", re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b")),
    ("anthropic-openai", re.compile(r"\bsk-(?:[a-z]+\d*-)*[\w-]{20,}")),
    ("slack", re.compile(r"\bxox[abeoprs]-[\w-]{10,}|\bhooks\.slack\.com/services/[\w/]{20,}")),
    ("stripe", re.compile(r"\b(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{20,}")),
    ("google", re.compile(r"\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}")),
    ("package-index", re.compile(r"\bpypi-[\w-]{30,}|\bnpm_[A-Za-z0-9]{30,}")),
    ("sendgrid", re.compile(r"\bSG\.[\w-]{16,}\.[\w-]{16,}")),
    ("hugging-face", re.compile(r"\bhf_[A-Za-z0-9]{30,}")),
)  # fmt: skip
_PLACEHOLDER = re.compile(
    r"\[redacted|\A(?:[<$%{*(\[]|x{3,}|\.{2,}|…|your[_-]|my[_-]?(?:pass|secret|token)|example|"
    r"changeme|placeholder|dummy|null\b|none\b|nil\b|true\b|false\b|undefined\b|required\b|"
    r"optional\b|string\b|str\b|int\b|bool\b|bytes\b|any\b|os\.|env[.\[(]|process\.|settings\.|"
    r"config\.|self\.|secrets\.|getenv|input\(|len\(|\w+\()",
    re.IGNORECASE,
)
_COMMIT_ID = re.compile(r"\A[0-9a-f]{40}\Z")
_RANDOM_LOOK = re.compile(r"(?=.*\d)(?=.*[A-Za-z])|[^\w\s.,:/-]")
_SHORTEST = 6


def redact_secrets(text: str) -> str:
    """Return `text` with each secret replaced by `[redacted:RULE]`; doing it twice adds nothing.

    Raises RedactionError where the scanner itself fails: then nothing may be written.
    """
    for rule, shape in _SHAPES:
        kept = r"\g<keep>" if "keep" in shape.groupindex else ""
        text = shape.sub(f"{kept}[redacted:{rule}]", text)
    text = _FLAG.sub(_hide_flag, text)
    text = _ASSIGNED.sub(_hide_assigned, text)
    return _hide_found_by_scanner(text)


def is_secret_value(value: str) -> bool:
    """Tell whether the text of a key that names a secret is one, not a placeholder or a word."""
    return len(value) >= _SHORTEST and not _PLACEHOLDER.search(value)


def _hide_flag(found: re.Match[str]) -> str:
    value = found["value"].strip("\"'")
    if not is_secret_value(value) or _COMMIT_ID.match(value):
        return found[0]
    return f"{found['keep']}[redacted:flag]"


def _hide_assigned(found: re.Match[str]) -> str:
    value = found["value"] or found["bare"] or ""
    if not is_secret_value(value) or _COMMIT_ID.match(value):
        return found[0]
    # In prose ("the token: expired") a bare dictionary word after a blank is no secret.
    if found["bare"] and found["sign"][-1:] == " " and not _RANDOM_LOOK.search(value):
        return found[0]
    quote = found["quote"] or ""
    return f"{found['name']}{found['sign']}{quote}[redacted:assignment]{quote}"


@cache
def _scanner() -> Any:
    try:
        import betterleaks  # 60 ms, and no wheel on some machines
    except ImportError:
        return None
    return betterleaks


def _hide_found_by_scanner(text: str) -> str:
    scanner = _scanner()
    if scanner is None or not text.strip():
        return text
    try:
        findings = scanner.scan_string(text)
    except Exception as error:
        raise RedactionError(f"the secret scanner failed ({error}); nothing was written") from error
    for finding in findings:
        value = finding.match.value or finding.match.full
        if value and "[redacted" not in value and not _COMMIT_ID.match(value):
            text = text.replace(value, f"[redacted:{finding.rule_id}]")
    return text
