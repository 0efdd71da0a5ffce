"""What a sentence says for good and what only held that day: line numbers, hashes, dates, places.

"The bug was on line 234 of user.py" helps nobody next week; "async context managers must be awaited
even in decorators" does. What can be taken out is taken out; what then says nothing is held back.
"""

import re

_GAP = "\0"  # no record holds it; it marks where something was taken out
_FILE = r"[\w.@+~-]*(?:[/\\][\w.@+~-]+)*\.(?!(?:com|org|net|io|dev|local)\b)[A-Za-z]\w{0,5}"
_HEX = r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ONE_HASH = rf"`?(?<![\w./-])(?:{_UUID}|{_HEX})(?![\w./-])`?"
_DAY = r"20\d\d-[01]\d-[0-3]\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
_NUMBERED = r"\blines?\s+~?\d+(?:\s*(?:-|to|and|,)\s*\d+)*"
# Each behind what a text must hold for it to fit: most hold none, and a look for that is cheap.
_TAKEN_OUT = tuple(
    (sign, re.compile(pattern, re.IGNORECASE))
    for sign, pattern in (
        ("(", rf"\s\((?:see\s+)?(?:#\d+|[A-Z]{{2,8}}-\d+|PR\s*#?\d+|{_NUMBERED}[\s\w,]*)\)"),
        ("20", rf"\b(?:(?:on|since|as of|from|until|dated)\s+)?(?<![\w/-]){_DAY}(?![\w-])"),
        ("ne", rf"\b(?:(?:at|on|in|see|around)\s+)?{_NUMBERED}(?!\s+(?:of|in)\s)"),
        ("", rf"(?:\b(?:in|at|since|by|see)\s+)?(?:\b(?:commits?|sha|rev(?:ision)?|build)\s+)?"
             rf"{_ONE_HASH}(?:,\s*{_ONE_HASH})*"),
    )
)  # fmt: skip
_AT_LINE = re.compile(rf"({_FILE})(?::L?\d+(?:[:-]\d+)?|#L\d+(?:-L\d+)?)(?![\w.])")
_LINE_OF = re.compile(rf"\b(?:(?:at|on|in)\s+)?{_NUMBERED}\s+(?:of|in)(?=\s)", re.IGNORECASE)
# Only whose folder it is goes: a path may be the lesson, and a command without its path is broken.
_HOME = re.compile(
    r"(?<![\w./~])(?:file://)?(?:(?:/mnt/[a-z])?/(?:home|Users)/[\w.@+-]+|/root|/workspaces)(?=/)"
    r"|\b[A-Za-z]:\\Users\\[\w.@+~-]+(?=\\)"
)
# Where one person keeps repositories: `~/Projects/shop/api` is `shop/api` to everybody.
_CHECKOUTS = re.compile(
    r"(?<![\w./~])~/(?:(?:Projects?|src|code|dev|work|workspace|repos?|git|worktrees|Documents|Desktop|"
    r"Developer|github(?:\.com)?)/)+(?=\w)",
    re.IGNORECASE,
)
_GAPS = (
    (re.compile(rf"[(\[`*]*{_GAP}[)\]`*]*:?\s*(?=[.,;:!?)]|\Z)"), _GAP),
    (re.compile(rf"\(\s*{_GAP}\s*\)|\[\s*{_GAP}\s*\]|`\s*{_GAP}\s*`"), _GAP),
    (re.compile(rf"\A\W*{_GAP}[\s\W]*(?=[\w`\"'(])"), _GAP),
    (re.compile(rf"\s*{_GAP}(?=\s|[.,;:!?)]|\Z)"), ""),
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_SMALL = frozenset(
    """the and was for are has had that this with from into but its it's were been when while
    then than there here line lines file files bug error fix fixed issue problem see again found
    still now today yesterday happened got get did does done failed fails""".split()
)
_RULE = re.compile(r"\b(?:use|never|always|don't|do not|must|run|prefer|avoid|set)\b", re.I)
_POINTED = re.compile(rf"{_NUMBERED}|{_FILE}(?::|#L)\d+", re.IGNORECASE)
_STATUS = re.compile(
    r"\A\W*(?:(?:last updated|updated|date|author|status|version)\b\W*[:*].{0,80}"
    r"|(?:wip|todo|tbd|n/?a|none|done|nothing|all (?:tests )?(?:pass(?:ed|ing)?|green|good)"
    r"|no (?:issues|friction|problems|surprises|blockers)))\W*\Z",
    re.IGNORECASE,
)
_LEAST = 3
_LONGEST = 1_000
"""Characters that are looked at: a lesson is shorter, and some patterns take the square of it."""


def stable(text: str) -> str:
    """Return `text` without line numbers, hashes, dates and tickets; a home folder becomes `~`.

    Idempotent; to the letter where there is nothing to take out, and of a text that is too long
    for a lesson.
    """
    if len(text) > _LONGEST:
        return text
    kept = _once(text)
    while kept != text:
        text, kept = kept, _once(kept)
    return kept


def _once(text: str) -> str:
    cut = _HOME.sub("~", text) if "/" in text or ":\\" in text else text
    cut = _CHECKOUTS.sub("", cut) if "~/" in cut else cut
    if ":" in cut or "#" in cut:
        cut = _AT_LINE.sub(r"\1", cut)
    lowered = cut.lower()
    if "ne" in lowered:
        cut = _LINE_OF.sub("in", cut)
    for sign, pattern in _TAKEN_OUT:
        if sign in lowered:
            cut = pattern.sub(_GAP, cut)
    if _GAP not in cut:
        return cut
    at_start = re.match(rf"\W*{_GAP}", cut) is not None
    for pattern, left in _GAPS:
        cut = pattern.sub(left, cut)
    cut = " ".join(cut.replace(_GAP, "").split()).strip()
    return cut[:1].upper() + cut[1:] if at_start else cut


def why_ephemeral(text: str) -> str:
    """Return why `text` says nothing that lasts, or nothing where it does."""
    text = text[:_LONGEST]
    if _STATUS.match(text):
        return "a note of the day, no lesson"
    kept = stable(text)
    told = re.sub(rf"`?{_FILE}`?", " ", kept)  # which file it was is no lesson by itself
    words = [word for word in _WORD.findall(told) if word.casefold() not in _SMALL]
    if len(words) >= _LEAST - bool(_RULE.search(kept)):
        return ""
    if _POINTED.search(text):
        return "names a line of a file and little else"
    if kept != text:
        return "names a date, a hash or a place and little else"
    return "too short to act on"
