"""The names under which secrets are kept: `DB_PASSWORD`, `clientSecret`, `api key` and kin."""

import re

_S = r"[ _-]?"
_OWNERS = (
    "master|account|storage|subscription|shared|service|admin|app(?:lication)?|license|deploy|"
    "session|cookie|hmac|crypto|aes|rsa|ssh|server|function|host|write|ingest|maps|age|webhook|"
    "shared[ _-]?access|secret[ _-]?access|pass|user|read|project|organization|personal|sas|"
    "integration|rest|root|license|security|data|bot|team"
)
KEYWORD = (
    rf"(?:pass(?:word|wd|phrase|code)|(?<![a-z])(?:p(?:ass|wd|w|sk)|pat)(?![a-z])|"
    rf"(?<=[a-z])P(?:ass|wd)(?![a-z])|"
    rf"(?:user|db|smtp|root|admin|http)pass(?![a-z])|"
    rf"secret(?:{_S}(?:access{_S})?key(?:{_S}base)?)?|token|"
    rf"access[ _-]?key[ _-]?id|"
    rf"(?:api|auth|access|private|signing|encryption|decryption){_S}key|"
    rf"(?:{_OWNERS}){_S}key|"
    rf"credential|connection{_S}string|webhook{_S}url|authtoken)"
)
SUFFIX = (
    r"s?(?:[ _-]?(?:\d{1,3}|value|prod(?:uction)?|dev|staging|live|old|new|main|primary|secondary|"
    r"default|b64|base64|plain|raw|str))?"
)
NAME = rf"{KEYWORD}{SUFFIX}(?![A-Za-z0-9_-])"
"""The end of a name; what stands before it in the name does not matter."""
HINTS = "pass pwd pw psk pat secret token key credential string webhook"
SECRET_NAME = re.compile(NAME.replace("(?![A-Za-z0-9_-])", r"\Z"), re.IGNORECASE)
"""A key of structured data whose text value is a secret."""
_PASSWORD = re.compile(r"pass|pwd|\bpw", re.IGNORECASE)
# A count of tokens, and what names or locates a key without being one.
_NOT_SECRET = re.compile(
    r"(?:max|min|num|total|input|output|cached?|prompt|completion|pad|bos|eos|unk|sep|cls|mask|"
    r"special|stop|next|page|continuation|csrf[ _-]?field|reserved|unexpected|invalid|public|"
    r"primary|foreign|partition|sort|unique|host)[ _-]?\Z|\d:\Z",
    re.IGNORECASE,
)
_BEFORE = 24


def names_password(name: str) -> bool:
    """Tell whether a name speaks of a password, whose value may be any word."""
    return bool(_PASSWORD.search(name))


def is_harmless_name(text: str, start: int) -> bool:
    """Tell whether the word before `start` makes the name one of no secret: `max_tokens`."""
    return bool(_NOT_SECRET.search(text[max(0, start - _BEFORE) : start]))
