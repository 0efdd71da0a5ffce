"""Secrets by the name they are given: assignments in any language, flags, prose."""

import re

from calmkb.redact.rules import conditions
from calmkb.redact.rules.names import HINTS, NAME, SPOKEN, SPOKEN_HINTS
from calmkb.redact.rules.rule import Rule, rule

_I = re.IGNORECASE
_Q = r"\\?[\"']?"
_OPEN = r"[rbf$@]?(?P<open>\"{3}|'{3}|\\{0,3}[\"'`])"
_IN_QUOTES = r"(?P<value>(?:(?!(?P=open))(?:\\.|[^\n\\])){1,4000}?)(?P=open)"
_CLOSERS = r"(?:[\"'`\])*]|\\{1,3}[\"']|__){0,3}"
_TYPE = r"(?::\s?[\w.&*\[\]|?<> ]{1,40}?|[ ]string)?"
# What makes a secret of a text: `String::from("…")`, `ConvertTo-SecureString '…'`.
_MADE = r"\(?(?:(?:String::from|Buffer\.from|b64decode)\(|[\w-]{0,20}Sec(?:ret|ure)\w{0,6}\(?[ ]?)?"
_LITERAL = r"(?:\"(?:[^\"\\\n]|\\[^\0]){0,400}\"|'[^'\n]{0,400}')"
_WORD = r"[^\s\"'`;|&<>(){}\[\],$\\]{1,200}"
_GAP = r"(?:\s{0,8}[+.&]\s{0,60}|[ \t]{0,8}\\?\n?[ \t]{0,60})"
_BARE = r"(?:(?:!!|&)\w{1,20}[ ])?(?P<value>[^\s\"'`,;)\]}>&|<\\]{6,2000})"
_LINK = r"(?:'s|\s{1,3}(?:is|was|=|to|of|will be|now))?:?\s{1,3}(?:now\s)?"
# A sign, a word for `is` in one of those languages, or a blank.
_SPOKEN_LINK = (
    r"(?:[ ](?:f(?:\u00fc|\u00f6)r|voor|til|pour|para|per|dla|pro|\u0434\u043b\u044f)[ ]\S{1,40}?)?"
    r"[ \t]{0,3}(?:[:=\uff1a\uff1d]|->|\u2192|ist|est|es|\u00e9|\u00e8|to|adalah|is|er|\u00e4r|"
    r"\u044d\u0442\u043e|\u0647\u0648|\u0647\u064a|\u06c1\u06d2|\u0939\u0948|\u662f|\u4e3a|\u70ba|\u306f|"
    r"\uac00|\ub294|\uc740|\ub97c)?[ \t]{0,3}"
)
_NO_KEY = r"(?!(?:\w*_)?(?:CACHE|PUBLIC|PRIMARY|SORT|PARTITION|HOST|RESTORE)_KEY)"

NAMED_RULES: tuple[Rule, ...] = (
    rule("flag", rf"(?<![\w-])--?[\w-]{{0,40}}?{NAME}(?:=|\s{{1,4}})"
         r"(?P<value>\"[^\"\n]{1,2000}\"|'[^'\n]{1,2000}'|(?!-)[^\s\"'`;|&]{6,2000})",
         HINTS, when=conditions.flag, flags=_I),
    # In pieces, as shells and compilers put them together: 'a'"b", "a" + "b", a line that goes on.
    rule("assignment",
         rf"{NAME}{_CLOSERS}{_TYPE}[ \t]{{0,8}}(?:=>|:=|[:=]|<-)[ \t]{{0,8}}\(?\s{{0,20}}"
         rf"(?P<value>(?:{_WORD})?{_LITERAL}(?:{_GAP}{_LITERAL}|(?!\.){_WORD}){{0,8}}|"
         rf"{_WORD}\\\n[ \t]{{0,40}}{_WORD})", HINTS, when=conditions.pieces, flags=_I),
    rule("assignment",
         rf"{NAME}{_CLOSERS}{_TYPE}[ \t]{{0,8}}(?P<sign>===?|=>|:=|\?\?=|[:\uff1a]\*\*|"
         rf"[:=,(\uff1a\uff1d]|[<-]-|->|→|-(?=[ ]))[ \t]{{0,24}}{_MADE}{_OPEN}{_IN_QUOTES}",
         HINTS, when=conditions.quoted, flags=_I),
    # {"name": "DB_PASSWORD", "value": "…"}, {"apiKey": {"value": "…"}}, and so in YAML, XML or
    # Terraform; a document of JSON is read as such.
    rule("assignment",
         rf"{NAME}{_CLOSERS}(?:\s{{0,4}}[,\n]?\s{{0,8}}|"
         r"(?:\s{0,4}[:=]\s{0,4}|(?<=[\"'])\s)\{[^{}]{0,400}?|"
         r":[ \t]{0,4}\n(?:[ \t]{1,16}(?!default|value)[\w-]{1,30}:[^\n]{0,200}\n){0,6}[ \t]{1,16})"
         rf"(?<![\w-]){_Q}(?P<sign>value|default){_Q}\s{{0,8}}[:=]\s{{0,4}}{_Q}"
         r"(?P<value>[^\s\"'\\,}]{6,2000})",
         "value default", when=conditions.valued, flags=_I, spans=True),
    rule("assignment",
         r"(?i:\b(?:ENV|ARG|setx|set\s-[gUx]{1,3}|setenv))\s{1,4}[\w.-]{0,60}?"
         rf"(?i:{NAME})\s{{1,4}}[\"']?(?P<value>[^\s\"']{{6,}})", "env arg set",
         when=conditions.plain),
    # A line of its own may hold signs that end a value anywhere else.
    rule("assignment",
         r"^[ \t]*(?:(?:export|set|declare|-)\s(?:-x\s)?|\+\s)?"
         rf"(?P<name>[\w.-]{{0,60}}?{NAME})(?P<sign>=)"
         r"(?P<value>[^\s\"'`$({\[<][^\s\"'`]{5,2000})[ \t]*(?=$|\s#|\s[./\w])",
         HINTS, when=conditions.bare, flags=_I | re.MULTILINE),
    rule("assignment",
         rf"(?P<name>{NAME}){_CLOSERS}"
         rf"(?P<sign>[ \t]{{0,8}}(?::=|[:\uff1a]\*\*|[:=\uff1a\uff1d]|->|→|>)[ \t]{{0,8}}){_BARE}",
         HINTS, when=conditions.bare, flags=_I),
    rule("said", rf"{NAME}['\"`]?{_LINK}[\"'`(]?(?P<value>[^\s\"'`]{{6,256}})",
         HINTS, when=conditions.in_prose, flags=_I),
    rule("said",  # Password for admin: …
         rf"{NAME}\s(?:for|of|on|to|in|at)\s[^\n\"'`]{{1,60}}?(?:\s?[:=]|\s(?:is|was))\s{{1,3}}"
         r"[\"'`(]?(?P<value>(?=\S*\d)[^\s\"'`]{8,256})",
         HINTS, when=conditions.in_prose, flags=_I),
    rule("said",
         r"(?<![^\s\"'`(])(?P<value>[^\s\"'`]{8,128})[\"'`]?\s(?:as|for)\s(?:the|my|our|a)\s"
         rf"(?:\w{{1,20}}\s){{0,3}}?{NAME}", HINTS, when=conditions.in_prose, flags=_I),
    rule("said",
         r"\bpassword\s(?:for\s[^\n]{1,60}?\s)?(?:is|was)\s{1,3}(?P<open>[\"'])"
         r"(?P<value>[^\s\"']{6,64})(?P=open)", "password", when=conditions.plain, flags=_I),
    rule("said",
         rf"(?:{SPOKEN})[\w]{{0,4}}[\"'`*)\]]{{0,3}}{_SPOKEN_LINK}"
         r"[\"'`*(\[\u300c\u201c\u201e\u00ab]{0,3}(?P<value>[!#$%&(-_a-~]{6,256})",
         SPOKEN_HINTS, when=conditions.strong, flags=_I),
    # In quotes to their end: `'django-insecure-…^…'` holds signs that end a value elsewhere.
    rule("named-key",
         rf"(?<![A-Za-z0-9_]){_NO_KEY}[A-Z][A-Z0-9_]{{2,60}}_(?:KEY|AUTH|CREDS)[\"']?\s?[=:]\s?"
         r"(?P<open>[\"'])(?P<value>[^\s\"']{16,2000})(?P=open)", "_key _auth _creds",
         when=conditions.quoted_key),
    rule("key",
         rf"(?<![\w.-])(?:[\w-]{{1,30}}[ _-])?key{_CLOSERS}(?:[ \t]{{0,3}}[:=]|[ ]is)"
         rf"[ \t]{{0,3}}{_Q}"
         r"(?P<value>[\w+/=~-]{20,256})(?!\w|\.\w)", "key", when=conditions.lone_key, flags=_I),
    rule("named-key",
         rf"(?<![A-Za-z0-9_]){_NO_KEY}[A-Z][A-Z0-9_]{{2,60}}_(?:KEY|AUTH|CREDS)[\"']?\s?[=:]\s?"
         r"[\"']?(?P<value>[\w+/=.~-]{16,})", "_key _auth _creds", when=conditions.strong),
)  # fmt: skip
