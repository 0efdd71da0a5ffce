"""What a person said or wants, as an instruction: without chat, with every name and negation."""

import re

_CHAT = re.compile(
    r"\A(?:(?:please|pls|just|also|so|and|but|no|nope|ok|okay|actually|well|btw|again|hey|then|"
    r"yes|yeah|hmm|wait|remember|note)\b[\s,.:;!\u2013\u2014-]*(?:that )?)+",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\Ayou (?:just |really |only |always )?(?:should|must|need to|have to)(?P<no> not|n't)?"
    r"(?: just| only| always)? (?=[a-z])|\Awe (?:should|must|need to|have to)(?P<no2> not|n't)?"
    r"(?: just| only)? (?=[a-z])",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\A(?:(?:ok(?:ay)?|yes|now|please|then|just|go on|go ahead(?: and)?)\b[,.!]? )*(?:add|clean|"
    r"commit|complete|continue|create|delete|do|finish|fix|go|implement|merge|move|open|push|"
    r"rebase|remove|rename|revert|update|write)\b(?: (?:and|then) \w+)?(?: please)?(?: (?:an?|"
    r"ahead|it|main|on|step|that|the|this|up|with)\b[^`:;.!?]*?)?[,;.] (?:and |but )?"
    r"(?:remember to )?(?=from now on\b|in (?:the )?future\b|never \w+\W*\Z"
    r"|(?:we )?(?:always|never) (?!after|at|before|by|for|from|in|on|the|with)\w+ \S)",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\A(?:the )?(?:person|user|developer|maintainer|owner|team)s? (?:(?:always|really|strongly) )?"
    r"(?:(?P<no>(?:does not|doesn't|do not|don't) (?:want|like)|dislikes?|hates?|never wants)"
    r"|prefers?|wants?|expects?|insists? on) (?P<told>"
    r"(?P<not>not to )|(?:you|me|agents?|the agent) to |that (?:you|agents) )?(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BEING = re.compile(r"\Abe (?P<verb>us|writ|runn|test|call|keep)ing\b", re.IGNORECASE)
_VERBS = {"us": "use", "writ": "write", "runn": "run"}
_KEPT = re.compile(
    r"`[^`]*`|[\w./:@-]*[\d_/.@][\w./:@-]*|\b(?:no|not|never|\w+n't|without)\b", re.I
)


_FORBIDS = re.compile(
    r"(?P<do>[^;]+); (?:do not|don't|never) "
    r"(?!also|just|only|yet|.*\b(?:it|its|them|they|this|that|these|those)\b)(?P<never>[^;]+?)\.?\Z",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?P<verb>call|fetch|import|install|keep|pass|push|put|read|run|set|store|test|use|write) "
    r"(?P<what>`[^`]+`|[^`,;: ]+|[^,;:]{1,80} (?=(?P<at>at|from|in|on|to|with) )[^,;:]{1,80})"
    r"(?:, (?:and )?not|,? instead of|,? rather than) (?P<never>(?(at)(?P=at) )`[^`]+`),?"
    r"(?P<rest>(?:[.:;]| (?:and|for|in|when)\b).*|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def guardrail(text: str) -> str:
    """Return a rule as "Never Y; X" where it names Y behind; nothing is made up."""
    if found := _FORBIDS.match(text):
        begins = found["do"][: not found["do"][1:2].isupper()]
        return f"Never {found['never']}; {begins.lower()}{found['do'][len(begins) :]}."
    if found := _NOT.match(text):
        verb, what, never = found["verb"].lower(), found["what"], found["never"]
        kept = what[: what.index(f" {found['at']} ") + 1] if found["at"] else ""
        return f"Never {verb} {kept}{never}; {verb} {what}{found['rest']}"
    return ""


def as_instruction(text: str) -> str:
    """Return `text` in the imperative where its words allow it; else as it was said.

    No name, number, command or negation may be lost: where one would be, the quotation is kept.
    """
    text = _TASK.sub("", text, count=1)
    bare = _CHAT.sub("", text, count=1) if _says_no_more(text) else text
    match = _TOLD.match(bare)
    if match:
        rest = bare[match.end() :]
        rest = _BEING.sub(lambda found: _VERBS.get(found["verb"], found["verb"]), rest)
        denied = match["no"] or match["no2"]
        bare = f"{'do not ' if denied else ''}{rest}"
    bare = re.sub(r"\s+-+\s+(?=(?:it|that|this|because|since|otherwise)\b)", ": ", bare)
    bare = bare[:1].upper() + bare[1:] if bare[:1].isalpha() else bare
    return bare if _substance(bare) == _substance(text) else text


def as_wish(text: str) -> str:
    """Return "The person prefers X over Y" as "Prefer X over Y": evidence says whose wish."""
    wish = _WISH.match(text)
    if wish is None:
        return text
    what = wish["what"]
    if wish["told"]:
        return f"Do not {what}" if wish["no"] or wish["not"] else what[:1].upper() + what[1:]
    if what.startswith("to "):
        return f"{'Not wanted' if wish['no'] else 'Preferred'}: {what}"
    return f"{'Avoid' if wish['no'] else 'Prefer'} {what}"


def _says_no_more(text: str) -> bool:
    """Return whether only chat opens a sentence; in "no mocks in tests" the first word denies."""
    opening = _CHAT.match(text)
    return opening is not None and (
        not re.search(r"\bno\b(?!\s*[,.;:!])|\bagain\b(?!\s*[,.;:!])", opening[0], re.IGNORECASE)
    )


def _substance(text: str) -> list[str]:
    """Return the names, numbers, commands and negations of a sentence, however it denies."""
    bare = re.sub(r"\A(?:no|nope)\b[\s,.;:!-]+", "", text, flags=re.IGNORECASE)
    found = (one.lower() for one in _KEPT.findall(bare))
    return sorted("not" if one.endswith("n't") or one == "not" else one for one in found)
