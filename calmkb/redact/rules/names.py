"""The names under which secrets are kept: `DB_PASSWORD`, `clientSecret`, `api key` and others."""

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
    rf"(?-i:(?<=[a-z])P(?:ass|wd)(?![a-z]))|"
    rf"(?:user|db|smtp|root|admin|http|store|key|trust|require)pass(?![a-z])|(?:bind|root)pw|"
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
"""The end of a name; what precedes it in the name does not matter."""
SPOKEN = (
    # German, Dutch, Nordic, French, Spanish, Portuguese, Italian, Polish, Czech, Turkish …
    "passwort|kennwort|wachtwoord|l\u00f6senord|passord|adgangskode|salasana|mot de passe|"
    "contrase(?:\u00f1|n)a|senha|palavra[- ]passe|has\u0142o|heslo|jelsz\u00f3|\u015fifre|sifre|"
    "parol[ae]|m\u1eadt kh\u1ea9u|kata sandi|"
    # Russian and Ukrainian, Greek, Hebrew, Arabic, Urdu and Persian
    "\u043f\u0430\u0440\u043e\u043b[\u044c\u044f\u0435\u0456\u044e]\u043c?|"
    "\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2|\u05e1\u05d9\u05e1\u05de\u05d4|"
    "\u0643\u0644\u0645\u0629 (?:\u0627\u0644)?(?:\u0645\u0631\u0648\u0631|\u0633\u0631)|"
    "\u067e\u0627\u0633 ?\u0648\u0631\u0688|\u0631\u0645\u0632 \u0639\u0628\u0648\u0631|"
    # Hindi, Bengali, Thai, Chinese, Japanese, Korean
    "\u092a\u093e\u0938\u0935\u0930\u094d\u0921|\u09aa\u09be\u09b8\u0993\u09af\u09bc\u09be\u09b0\u09cd\u09a1|"
    "\u09aa\u09be\u09b8\u0993\u09df\u09be\u09b0\u09cd\u09a1|\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19|"
    "\u5bc6[\u7801\u78bc]|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\uc554\ud638"
)
"""`password` in the most spoken languages."""
SPOKEN_HINTS = (
    "passwort kennwort wachtwoord l\u00f6senord passord adgangskode salasana passe contrase senha "
    "has\u0142o heslo jelsz\u00f3 \u015fifre sifre parol kh\u1ea9u sandi "
    "\u043f\u0430\u0440\u043e\u043b \u03ba\u03c9\u03b4\u03b9\u03ba \u05e1\u05d9\u05e1\u05de\u05d4 "
    "\u0643\u0644\u0645\u0629 \u067e\u0627\u0633 "
    "\u0631\u0645\u0632 \u092a\u093e\u0938 \u09aa\u09be\u09b8 \u0e23\u0e2b\u0e31 "
    "\u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 \u30d1\u30b9\u30ef \ube44\ubc00 \uc554\ud638"
)
HINTS = "pass pwd pw psk pat secret token key credential string webhook"
SECRET_NAME = re.compile(NAME.replace("(?![A-Za-z0-9_-])", r"\Z"), re.IGNORECASE)
"""A key of structured data whose text value is a secret."""
_PASSWORD = re.compile(r"pass|pwd|\bpw", re.IGNORECASE)
# A count of tokens, and what names or locates a key without being one.
_NOT_SECRET = re.compile(
    r"(?:max|(?<![a-z])min|num|total|input|output|cached?|prompt|completion|pad|bos|eos|unk|sep|cls|mask|"
    r"special|stop|next|page|continuation|csrf[ _-]?field|reserved|unexpected|invalid|public|"
    r"primary|foreign|partition|sort|unique|host)[ _-]?\Z|\d:\Z",
    re.IGNORECASE,
)
_BEFORE = 24


def names_password(name: str) -> bool:
    """Return whether a name speaks of a password, whose value may be any word."""
    return bool(_PASSWORD.search(name))


def is_harmless_name(text: str, start: int) -> bool:
    """Return whether the word before `start` makes the name one of no secret: `max_tokens`."""
    return bool(_NOT_SECRET.search(text[max(0, start - _BEFORE) : start]))
