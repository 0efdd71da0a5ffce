"""What a value must look like in its place to be taken for a secret."""

import re

from calmkb.redact.rules.names import is_harmless_name, names_password
from calmkb.redact.rules.rule import MARK, Match
from calmkb.redact.rules.values import (
    is_code_name,
    is_dummy,
    is_mixed,
    is_secret_value,
    looks_random,
)

_LONG_NUMBER = 15
_LONGEST_NAME = 60
_MANY_SIGNS = 10
_BEFORE_KEY = 24
_USED = re.compile(r"\b(?:using|use|with|api|auth)\b[^\n]*\Z", re.IGNORECASE)
# What a cache, a file or a commit is known by, alone or behind a word.
_HASH = re.compile(r"(?:\A|[^0-9a-z])[0-9a-f]{40}(?:[0-9a-f]{24})?(?:[0-9a-f]{64})?\Z")
_NO_KEY = re.compile(
    r"(?:cache|public|primary|sort|partition|foreign|host|object|row|map|dict|idempotency|restore)"
    r"[ _-]key",
    re.IGNORECASE,
)
_NAME_BEGINS = re.compile(r"\w*\Z")
_UNLINKED = re.compile(r"(?:pass|pat|pw)[*_]{0,2}\s", re.IGNORECASE)

# Words with hyphens, as names of resources are, and a number as people and programs write it.
_SLUG = re.compile(r"\A[a-z]{2,20}(?:-(?:[a-z]{1,20}|[a-z]{0,3}\d{1,4}))+\Z")
_NUMBER = re.compile(r"\A\d[\d_,.]*\Z")
_JOINT = re.compile(r"\\\n[ \t]*|[\"'](?:\s*[+.&\\]?\s*[\"'])?")
_SIGNS = re.compile(r"[!@#$%^&*()+=]")


def _named(found: Match) -> bool:
    return not is_harmless_name(found.string, found.start())


def quoted(found: Match) -> bool:
    """Check a value in quotes behind a name."""
    value = found["value"]
    if not is_secret_value(value) or not _named(found):
        return False
    if value[0] in ")],;:+" or (value.isdigit() and not names_password(found[0])):
        return False
    # A list of names (`"token", "user"`), a call with one and a comparison with a kind are code.
    tangled = looks_random(value) and is_mixed(value) and not re.search(r"[/ {]", value)
    if found["sign"] == "," and not found[0][:4].isupper() and not tangled:
        return False
    if found["sign"] == "(" and not (tangled and names_password(found[0])):
        return False
    if found["sign"].startswith(("==", "-")) and not looks_random(value):
        return False
    # Words with blanks are a message or a label unless a passphrase is what is named.
    return " " not in value or ("phrase" in found[0].lower() and "{" not in value)


def pieces(found: Match) -> bool:
    """Check a value in pieces behind a name: what they make together."""
    value = found["value"]
    whole = _JOINT.sub("", value)
    is_one = whole != value.strip("\"'") and " " not in whole
    return is_one and is_secret_value(whole) and looks_random(whole) and _named(found)


def bare(found: Match) -> bool:
    """Check a bare word behind a name and a sign."""
    value = found["value"].rstrip(".:")
    if not is_secret_value(value) or not _named(found):
        return False
    if _NUMBER.match(value):
        return (names_password(found[0]) and len(value) < 16) or len(value) >= _LONG_NUMBER
    if "$" in value[:2] or value.endswith(("(", "[", "{")):
        return False
    if not is_code_name(value):
        return looks_random(value) or "=" in found["sign"] or "-" in value
    # A name alone may be code (`password=user_password`): only an upper-case setting, or a
    # password that nothing parts from its `=`, is taken at its word.
    name = _whole_name(found)
    return "=" in found["sign"] and " " not in found["sign"] and "_" not in value and (
        name.isupper() or (names_password(name) and value.islower())
    )  # fmt: skip


def _whole_name(found: Match) -> str:
    """Return a name from its first word on; the pattern knows its end alone."""
    start = found.start("name")
    before = _NAME_BEGINS.search(found.string, max(0, start - _LONGEST_NAME), start)
    return (before[0] if before else "") + found["name"]


def in_prose(found: Match) -> bool:
    """Check a word of prose: only what no word of prose looks like is a secret."""
    value = found["value"].rstrip(".,;:!?)@\\").strip("*_~")
    if "(" in value or re.match(r"[A-Za-z_-]+=", value):
        return False
    password = names_password(found[0])
    if _SLUG.match(value) and not password:
        return False
    # `Pass linting!` tells what to do; a word that nothing links to its name needs a digit.
    if _UNLINKED.match(found[0]) and not any(sign.isdigit() for sign in value):
        return False
    return is_secret_value(value) and looks_random(value) and _named(found)


def valued(found: Match) -> bool:
    """Check what is under `value` of a name, or in a pipe; a `default`, a file hold other words."""
    value, is_sure = found["value"], (found["sign"] or "").lower() in ("value", "|")
    return is_secret_value(value) and (is_sure or looks_random(value))


def plain(found: Match) -> bool:
    """Check a value whose place alone tells that it is one."""
    return is_secret_value(found["value"])


def flag(found: Match) -> bool:
    """Check what follows a flag such as `--token`."""
    value = found["value"].strip("\"'")
    return is_secret_value(value) and not value.startswith("-") and (
        looks_random(value) or not is_code_name(value) or names_password(found[0])
    )  # fmt: skip


def url(found: Match) -> bool:
    """Check `user:password` in a URL."""
    user, _, password = found["value"].partition(":")
    if MARK in found["value"] or found["value"].startswith(("$", "{", "<", "%")):
        return False
    plain = is_dummy(password) or password[:1] in "$<{*%[" or password in ("x-oauth-basic", "x")
    return bool(password) and (not plain or (len(user) >= 16 and looks_random(user)))


def cookie(found: Match) -> bool:
    """Check the pairs of a cookie header."""
    parts = re.split(r"[;=]", found["value"])
    return any(is_secret_value(part) and looks_random(part) for part in parts)


def strong(found: Match) -> bool:
    """Check a value that must look random as well."""
    value = found["value"].rstrip(".,;:")
    return is_secret_value(value) and looks_random(value)


def quoted_key(found: Match) -> bool:
    """Check a long value in quotes behind a key's name: random signs may look like a template."""
    value = found["value"]
    if value.startswith(("$", "{", "<", "%(")) or any(
        s in value for s in (MARK, "${", "{{", "://")
    ):
        return False
    return strong(found) or (looks_random(value) and len(_SIGNS.findall(value)) > 2)


def authorization(found: Match) -> bool:
    """Check what follows `Bearer` and the like; base64 of a name and a password ends in `=`."""
    return (strong(found) and _named(found)) or (
        found[0][:5].lower() == "basic" and found["value"].endswith("=")
    )


def mixed(found: Match) -> bool:
    """Check a shape whose prefix words have as well: the rest must be no chain of words."""
    return MARK not in found["value"] and is_mixed(found["value"])


def lone_key(found: Match) -> bool:
    """Check what follows the word `key` alone: a hash has no capitals, a path its slashes."""
    value, name = found["value"], found[0][: -len(found["value"])]
    if value.count("/") > 2 or _NO_KEY.search(name):
        return False
    # A hash is more often the key of a cache, unless the line says what it is used for.
    before = found.string[max(0, found.start() - _BEFORE_KEY) : found.start()]
    if _HASH.search(value) and not _USED.search(before + name):
        return False
    return strong(found) and is_mixed(value) and len(set(value)) >= _MANY_SIGNS
