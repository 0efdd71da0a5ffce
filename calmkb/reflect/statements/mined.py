"""What a mined sentence must prove before it is proposed: it stands alone, and it holds tomorrow.

An import quotes what people typed and which calls failed. Most of that was about the moment. Better
no proposal than one that a reader must reject; `reflect --all` shows what was held, and why.
"""

import re

from calmkb.language.detect import ENGLISH, language
from calmkb.model.sessions.said import CORRECTED, FAILED, FIXED, FOUND, REFUSED, REPORTED, RULE

_QUESTION = re.compile(
    r"\?|\A(?:(?:can|could|should|shall|would|do|does|did|is|are|was|will|has|have)(?:n't)? "
    r"(?:we|you|it|this|that|there|the|all|i|they)\b|(?:why|what|who|where|how|wondering|q:)\b)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\A\W*(?:again|also|and|another|because|but|given|here|however|it|its|it's|looking|"
    r"(?:no|not)\b(?! (?:one|longer))|now|only|or|otherwise|same|she|he|so|still|such|"
    r"that|that's|the (?:first|second|third|last|other|one|same|above|previous|pattern here)|then|"
    r"there|these|they|this(?! (?:repo|project|code|team))|those|though|which|while)\b",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"\A\W*(?:ah|a+r+g+h+|anyway|cool|fine|great|hey|hm+|haha|i guess|lol|mean|nah|nice|nope|oh|ok|"
    r"okay|oops|right|sorry|sure|thanks|the thing|ugh|uh|well|wow|yeah|yep|yes)\b"
    r"|\b(?:i|i'm|i'd|i've|i'll|my|me|let's|lets)\b|[:;]-?[|)(]|[\u2600-\u27bf\U0001f300-\U0001faff]",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:task|step|phase|session|part|option|plan|item|point|pr|mr) ?#?\d+\b|#\d+"
    r"|\b[A-Z]{2,8}-\d+\b|https?://|\b20\d\d-\d\d"
    r"|\b(?:today|yesterday|tomorrow|(?<!\.)now(?!\()|currently|so far|"
    r"this (?:time|pr|mr|branch|commit|change|plan|file|function|test|part|one|case|session)|"
    r"(?:the|your|our) (?:plan|pr)|in here|the review|first commit|next task|"
    r"just (?:merged|reset|did|now))\b",
    re.IGNORECASE,
)
# "It" and its like, before anything was named that they could refer to.
_POINTS = re.compile(
    r"\b(?:it|its|them|they|this(?! (?:repo|project|code|team))|these|those|here|"
    r"that(?= (?:one|is|was|way|part|file|again)\b)|above|below)\b|\bthat\W*\Z",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:(]|\s[-\u2013\u2014]\s|\.\s|\b(?:because|since|so that|otherwise)\b")
_RULE = re.compile(
    r"\b(?:always|never(?! mind)|everywhere|wherever|whenever|every ?time|"
    r"must(?: not|n't)?|prefer|avoid|make sure|for consistency|convention|house rule|policy|"
    r"in this (?:repo\w*|project|code ?base|team)|"
    r"we (?:always|never|only|use|follow|keep|should (?:always|never|not|use|"
    r"be using|avoid|prefer))|(?:should|need to|have to) (?:always |never )?(?:run|use) `)"
    r"|\Ause\b.*\b(?:instead of|not|rather than)\b|\Aplease (?:please |always |never )",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"\b(?:do not|don't|dont)(?! (?:worry|need|want))\b", re.IGNORECASE)
# What is forbidden for a reason holds tomorrow; without one it was an order for that moment.
_REASON = re.compile(
    r"\b(?:because|since|otherwise|so that)\b"
    r"|\A[^,;:\u2013\u2014]+[,;:\u2013\u2014] (?!(?:and|as|but|do|don't|either|for|if|instead|just|"
    r"only|or|please|then|unless|when|which|until)\b)\w+ \w+",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"\A(?:please )?(?:run|use|keep|write|put|test|commit|push|format|name|pin|prefer|check|"
    r"lint|build)\b(?!.*\b(?:fail(?:s|ed|ing|ure)?|error)\b)",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\A(?P<what>.{1,200}?) failed(?: \(\d+ times\))?: (?P<error>.+?)"
    r"(?:; (?:it worked after (?P<after>`[^`]+`)"
    r"|(?P<other>`[^`]+`) worked|(?P<again>it passed .*)))?\.?\Z"
)
# What would teach to bypass a safeguard, or to lose work.
_RISKY = re.compile(
    r"\s(?:-f|--force\S*|--no-verify|--no-gpg-sign|--hard|--soft|-rf|-fr)\b|\b(?:rm|mv|sudo|kill|"
    r"pkill|killall|chmod|checkout|stash|reset|rebase|pull|fetch|read-tree|clean|sleep|echo|cd)\s"
)
_PLACE = re.compile(
    r"\A(?:(?:[\w.@~-]*/)*[\w.@-]+\.\w{1,5}(?::\d+){0,2}|(?:\(eval\)|[/\w]*sh)(?:: line |:)\d+): "
)
_NAME, _FEW_WORDS = re.compile(r"`[^`]+`"), 5
_FOLDERS = re.compile(r"(?<![\w.])~/(?:[\w.@-]+/)+")
_NO_RULE = {
    FOUND: "what an agent found in one session, no rule",
    REPORTED: "a report of trouble or a pasted error, no rule",
    REFUSED: "a rejected call, no rule",
}
_FEWEST, _MOST = 3, 40
_SAID_OFTEN = 3


def why_held(text: str, kind: str, sessions: int) -> str:
    """Return why a mined statement is not proposed, or nothing where it has proved itself.

    `kind` is as what the draft keeps it (`model.sessions.said`).
    """
    if kind in ("", FAILED, FIXED):
        return _why_failure_held(text)
    if kind not in (CORRECTED, RULE):
        return _NO_RULE[kind]
    if language(text) != ENGLISH:  # the words below are English
        return "" if kind == RULE and not _QUESTION.search(text) else "not said as a rule"
    return _not_alone(text) or _not_durable(text, sessions)


def is_task(text: str) -> bool:
    """Say whether a sentence is about one piece of work: its number, its link, its day."""
    return _TASK.search(text) is not None


def is_talk(text: str) -> bool:
    """Say whether a sentence is a question, or talk of the moment between a person and an agent."""
    return _QUESTION.search(text) is not None or _CHAT.search(text) is not None


def is_failure(text: str) -> bool:
    """Say whether a mined statement is a failure as the log shows it."""
    return _FAILURE.match(text) is not None


def remedy_sentence(text: str) -> str:
    """Return a failure and what helped as an instruction; the text itself where nothing helped.

    Every name, number and command of it is kept, but not where on a machine its files lay.
    """
    found = _FAILURE.match(text)
    remedy = found and (found["after"] or found["other"])
    if not found or not remedy:
        return text
    first = _without_retry(remedy, found["what"])
    verb = "use" if found["other"] and first == remedy else "run"
    error = _FOLDERS.sub("\u2026/", found["error"].rstrip("."))
    return f"If {found['what']} fails with \u201c{error}\u201d, {verb} {first}."


def fault_of(text: str, *, named: bool = False) -> str:
    """Return what went wrong in a failure as the log shows it, any other text as it is.

    The command, the place and the remedy differ by session; so do names in code, which are left out
    unless they are to be `named`.
    """
    found = _FAILURE.match(text)
    if not found:
        return text
    error = _PLACE.sub("", found["error"])
    bare = _NAME.sub("\u2026", error)
    error = error if named or len(bare.split()) < _FEW_WORDS else bare
    return error if " " in error else f"{error} fails"


def _without_retry(remedy: str, failed: str) -> str:
    """Return a remedy without the failed command that it runs again after itself."""
    start, again, rest = remedy.strip("`").rpartition(f" && {failed.strip('`')}")
    return f"`{start}`" if again and not rest else remedy


def _why_failure_held(text: str) -> str:
    found = _FAILURE.match(text)
    if not found:
        return "a plan or a remark of one session, no rule"
    remedy = found["after"] or found["other"]
    if not remedy:
        return "a failure without a remedy"
    if _RISKY.search(remedy) or "\u2026" in text:
        return "a remedy that may do harm or is cut off"
    return ""


def _not_alone(text: str) -> str:
    """Return why a sentence cannot be understood without what was said around it."""
    if _QUESTION.search(text):
        return "a question"
    if text.rstrip().endswith(("\u2026", "...", ":")) or text.count("`") % 2:
        return "cut off"
    if _CHAT.search(text):
        return "talk of one session"
    first = _CLAUSE.split(text, maxsplit=1)[0]
    back = _BACK.match(text) or _POINTS.search(first)
    return "refers back to what was said before" if back else ""


def _not_durable(text: str, sessions: int) -> str:
    """Return why a sentence that can be understood says nothing for the next session."""
    if is_task(text):
        return "about the task at hand"
    words = len(text.split())
    repeated = sessions >= _SAID_OFTEN and _IMPERATIVE.match(text)
    if words > _MOST or (words < _FEWEST + 1 and not repeated):
        return "too short or too long to act on"
    forbidden = _FORBIDS.search(text) and _REASON.search(text)
    return "" if repeated or forbidden or _RULE.search(text) else "not said as a rule"
