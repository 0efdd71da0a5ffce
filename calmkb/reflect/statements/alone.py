"""Whether a sentence that somebody wrote as a lesson can be read by one who was not there.

Looser than what a mined sentence must prove (`mined`): of 228 learnings of agents' wrap-ups that
gate would hold back 30, for words such as "here" and "its"; this one two ("Use `x` instead.").
"""

import re

_QUESTION = re.compile(r"\?\s*\Z")
_CUT_OFF = re.compile(r"(?:\u2026|\.\.\.|:)\s*\Z")
_OPENS = re.compile(
    r"\A\W*(?:it|its|it's|that|that's|these|those|they|he|she|"
    r"this(?! (?:is an? |repo|project|code|team|service|app|suite))|"
    r"also|and|but|however|so|then|otherwise|instead)\b(?!`)",
    re.IGNORECASE,
)
_DANGLES = re.compile(r"\binstead[.!]?\s*\Z", re.IGNORECASE)
_SPEAKER = re.compile(r"(?<![`'\"\w])(?:I|I'm|I'd|I've|I'll|[Mm]y)\b(?![`/])")
_WORK = re.compile(r"\b(?:task|step|phase) ?#?\d+\b|\b[A-Z]{2,8}-\d+\b|\b(?:PR|MR) ?#?\d+\b")
_CODE = re.compile(r"`[^`]*`")


def why_not_alone(text: str) -> str:
    """Return why the sentence says nothing by itself, or nothing where it does."""
    bare = _CODE.sub("`x`", text)
    if _QUESTION.search(bare):
        return "a question"
    if _CUT_OFF.search(bare) or text.count("`") % 2:
        return "cut off"
    if _OPENS.match(bare) or (_DANGLES.search(bare) and bare.count(".") + bare.count(";") < 2):
        return "refers back to what was said before"
    if _SPEAKER.search(bare):
        return "written in the first person"
    return "about one piece of work" if _WORK.search(bare) else ""
