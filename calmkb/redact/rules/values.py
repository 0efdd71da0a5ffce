"""What a value under a secret's name must look like to be one: no code, place or placeholder."""

import re
from itertools import pairwise

from calmkb.redact.rules.rule import MARK

SHORTEST = 6
_SHORTEST_DISTINCT = 8
_PHRASE_BLANKS = 2
_TANGLED_DIGITS, _TANGLED_SWITCHES = 3, 10
_STAND_IN = re.compile(
    r"\A(?:[<{(\[*•.…]|\$[A-Za-z_({]|\\?\"|[xX]{3,}|[-_=+#]{3,}|!(?:vault|ref|getatt|sub|secret)\b|"
    r"@[\w./~-]+\Z|&?mut\b|(?:null|none|nil|true|false|undefined|required|optional|string|str|int|"
    r"bool|bytes|any|os|env|process|settings|config|self|this|secrets|var|data|local|module)\b(?![-!#$%^&]))",
    re.IGNORECASE,
)
_CALL = re.compile(r"\A[&*!]?[A-Za-z_$][\w.$:?!]*(?:[(\[{]|->|<[A-Z])")
_DOTTED = re.compile(r"\A[A-Za-z_$][A-Za-z_]*(?:(?:\.|::|\?\.|->)[A-Za-z_]+)+[;,]?\Z")
_PLACE = re.compile(
    r"\A(?:(?:~|\.{1,2})?/(?:[A-Za-z.][A-Za-z._-]*/)+[\w.-]*|~/|[A-Za-z]:[\\/]|arn:|op://|"
    r"(?:vault|ssm|gcp|azure|akv|sops|projects|ref\+\w+|file|ENC)[:\[/]|"
    r"https?://(?![^/\s]*@)|git@|sha(?:256|384|512)[:-])|"
    r"\.(?:txt|json|pem|key|crt|md|py|ts|js|ya?ml|toml)\Z"
)
_VERSION = re.compile(
    r"\A[\^~<>=v ]{0,3}\d{1,5}(?:\.(?:\d{1,5}|[x*])){1,4}(?:[\s|,<>=~^.\dx*-]{0,80})\Z"
)
_PRICE = re.compile(r"\A\$\d{1,6}(?:[.,]\d{1,3})?(?:[/ KMkm]|\Z)")
# The name of a setting, such as `shop.session.v1`; a random value has no such words.
_SETTING = re.compile(r"\A[a-z][a-z_-]{1,40}(?:[.:/][a-z_-]{1,40}\d{0,3})+\Z")
_TIME = re.compile(r"\A\d{4}-\d{2}-\d{2}(?:[T ]|\Z)")
_DUMMY = frozenset(
    """a an the your my our this that some any test testing example dummy fake sample placeholder
    change changeme me here insert replace with enter user username admin root guest secret password
    passwd passphrase pass pwd token key api access auth client private value todo redacted masked
    hidden none null string str text insecure default foo bar baz postgres mysql redis localhost
    new old wrong bad invalid expired missing empty unset not set is are was""".split()
)
_LONGEST_DUMMY = 48
_DUMMY_SPLIT = re.compile(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])")
_TEMPLATE = re.compile(r"(?:\A|[^A-Za-z0-9])\$[A-Za-z_]|\$[{(]|\{\{|%\(|\A%\w+%?\Z")
_MIXED = re.compile(r"\A(?=.*\d)(?=.*[A-Za-z])")
_ODD = re.compile(r"[^\w\s.,:;/'\"()?!\[\]\u3001-\u301f\uff08\uff09\uff0c\uff1a\uff1b-]")
_WORD = re.compile(r"\A[A-Za-z][a-z]*[.,:;!?]?\Z")


def is_secret_value(value: str) -> bool:
    """Return whether the text of a key that names a secret is one, not a placeholder or code."""
    if len(value) < SHORTEST or MARK in value or value != value.strip():
        return False
    if _VERSION.match(value) or _PRICE.match(value) or _SETTING.match(value):
        return False
    if _STAND_IN.match(value) or _CALL.match(value) or _DOTTED.match(value):
        return False
    return not (_PLACE.search(value) or _TIME.match(value) or is_dummy(value))


def is_dummy(value: str) -> bool:
    """Return whether every word of `value` is a placeholder for a secret."""
    if _TEMPLATE.search(value):
        return True
    if len(set(value)) <= 2 or "..." in value or "…" in value:
        return True
    if len(value) >= _LONGEST_DUMMY:
        return False
    if sum(map(str.isdigit, value)) >= _TANGLED_DIGITS and _ODD.search(value):
        return False
    words = [word.lower() for word in _DUMMY_SPLIT.split(value) if word]
    return bool(words) and all(word in _DUMMY for word in words)


def is_distinct(value: str) -> bool:
    """Return whether `value` cannot be a word, a name or a number that prose uses as well."""
    if len(value) < _SHORTEST_DISTINCT or MARK in value or is_dummy(value):
        return False
    if value.count(" ") >= _PHRASE_BLANKS:
        return True
    return " " not in value and looks_random(value)


def looks_random(value: str) -> bool:
    """Return whether a bare word has what words of prose have not: digits inside, odd signs."""
    return bool(_MIXED.match(value) or _ODD.search(value)) and not _WORD.match(value)


def is_mixed(value: str) -> bool:
    """Return whether a value is no chain of words: digits, or capitals where no word has any."""
    digits = sum(character.isdigit() for character in value)
    kinds = [character.isupper() for character in value if character.isalpha()]
    switches = sum(a != b for a, b in pairwise(kinds))
    return digits >= _TANGLED_DIGITS or switches >= _TANGLED_SWITCHES


def is_code_name(value: str) -> bool:
    """Return whether a bare value is an identifier: letters, underscores, perhaps humps."""
    return bool(re.fullmatch(r"[A-Za-z_$][A-Za-z_]*[;,)]?", value))
