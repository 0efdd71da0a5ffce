"""The words of a proposal: which sentence represents a cluster, and what kind of learning it is."""

import re

from calmkb.model import Category, Confidence
from calmkb.model.words import short_line
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.statements.alone import why_not_alone
from calmkb.reflect.statements.mined import is_talk
from calmkb.reflect.statements.statements import Statement

_LONGEST = 400
_EPHEMERAL, _PASSING = 0.5, 0.2
_ABOUT_AS_NEAR, _AS_NEAR = 0.75, 0.95
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_ERROR = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure)?|errors?|crash\w*|hangs?|hung|broke\w*|flak[ey]\w*|exception|"
    r"traceback|time[sd]? ?out|refused|denied|missing|not found|cannot|can't|could not|"
    r"wrong\w*|rewr(?:ites?|ote|itten)|lost|stale|slow\w*)\b",
    re.IGNORECASE,
)
_CATEGORY_CUES: tuple[tuple[Category, re.Pattern[str]], ...] = (
    ("preference", re.compile(
        r"\b(?:prefer(?:s|red)?|^avoid(?=[^`]*$)|would rather|we like|please|"
        r"our (?:style|convention)|house rule|"
        r"(?:always|never) (?:use|write|name|put|add|mock))\b", re.IGNORECASE)),
    ("error", _ERROR),
    ("decision", re.compile(
        r"\b(?:decided|chose|chosen|agreed|settled on|instead of|rather than|trade-?off|we went)\b",
        re.IGNORECASE)),
    ("workflow", re.compile(
        r"`[^`]+`|\b(?:run|start|stop|build|install|deploy|before|after|first|then|command|script|"
        r"steps?|migrat\w+)\b", re.IGNORECASE)),
)  # fmt: skip
_RULE = re.compile(
    r"\b(?:always|never|use|don't|do not|must|needs?|instead|before|because)\b", re.I
)
_REASON = re.compile(r";|\bbecause\b|\bsince\b|\botherwise\b|,? or (?:it|they)\b")
_CLAUSE = re.compile(r"[,:] ")
_NAME = re.compile(r"`[^`\s]+`|(?<=`)[^`\s]+ [^`]+(?=`)")
_CHORE = re.compile(
    r"\A(?:then )?(?:commit|push|open|merge|review|confirm|reply|respond|wait|decide|finish"
    r"|continue|create (?:a|the) (?:draft )?(?:pr|pull request)|tag|release|deploy|hand|ask|tell"
    r"|notify|squash|ship)\b",
    re.IGNORECASE,
)
_OLD_DAYS = 45
_DEAR = 5
_MOST_TURNS = 999
_TIMES = re.compile(r"\b(\d{1,3})(?: times\b(?! (?:in|out of|as|the) )|x\b)", re.IGNORECASE)
_TURNS = re.compile(r"\b(\d{1,3}) (?:turns|attempts|tries|retries|commits)\b", re.IGNORECASE)
_LASTED = re.compile(
    r"\b(\d{1,3}(?:\.\d)?) ?(min(?:ute)?s?|h(?:ou)?rs?)\b(?! (?:ago|old))", re.IGNORECASE
)


def choose_statement(members: list[Statement], closeness: list[float]) -> Statement:
    """Return the member nearest to all the others; where that is a draw, the one that tells most.

    `closeness` is each member's mean similarity to the rest, 0 to 1. A sentence that says what to
    do weighs a little more than one that only says what happened, one that will not last
    much less. Of learnings about as near (of more than two: as near), the newest: it knows what
    the others did, and no later session may say the reverse of what is proposed.
    """
    worths = [_worth(member, level) for member, level in zip(members, closeness, strict=True)]
    best = max(range(len(members)), key=lambda i: (worths[i], *_telling(members[i]), -i))
    if not members[best].learning:
        return members[best]
    least = _AS_NEAR * max(closeness) if len(members) > 2 else 0
    near = [i for i, worth in enumerate(worths)
            if worth >= _ABOUT_AS_NEAR * worths[best] and closeness[i] >= least]  # fmt: skip
    return members[
        max(near or [best], key=lambda i: (members[i].date, worths[i], *_telling(members[i]), -i))
    ]


def _worth(member: Statement, closeness: float) -> float:
    bonus = 0.05 * bool(_RULE.search(member.text)) + 0.05 * member.friction
    talk = member.mined and is_talk(member.text)
    passing = talk or stable(member.text) != member.text or why_not_alone(member.text)
    loss = _PASSING if passing else 0.0
    loss = _EPHEMERAL if why_ephemeral(member.text) else loss
    return round(closeness + bonus - loss, 6)


def _telling(member: Statement) -> tuple[int, str]:
    return min(len(member.text), _LONGEST), member.text


def shorten(text: str) -> str:
    """Return `text`, cut after whole sentences to at most 400 characters."""
    if len(text) <= _LONGEST:
        return text
    kept = ""
    for sentence in _SENTENCE_END.split(text):
        if kept and len(kept) + 1 + len(sentence) > _LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return short_line(kept, _LONGEST)


def category_of(text: str) -> Category:
    """Return the category that the words of `text` point to; a plain statement is a fact."""
    return next((name for name, cue in _CATEGORY_CUES if cue.search(text)), "fact")


def category_of_learning(text: str) -> Category:
    """Return the category of what a learning says; its reason and single names decide nothing.

    What failed is told in its first clause: "Update the test first, see it fail" is no error.
    """
    said = _REASON.split(_NAME.sub("it", text), maxsplit=1)[0]
    found = category_of(said)
    if found != "error" or category_of(_CLAUSE.split(said, maxsplit=1)[0]) == "error":
        return found
    return category_of(_ERROR.sub("it", said))


def confidence_of(sessions: int) -> Confidence:
    """Return low for one session, medium for two, high for three or more."""
    return "high" if sessions >= 3 else "medium" if sessions == 2 else "low"


def importance_of(
    *,
    sessions: int,
    projects: int,
    friction: bool,
    learning: bool = False,
    said_by_person: bool = False,
    age_days: int = 0,
    turns: int = 0,
) -> float:
    """Return 0 to 1, mostly by recurrence: 0.4 for one session, 0.95 at most.

    `age_days` is how long before the newest statement of all it was last met, `turns` what it cost.
    """
    worth = 0.4 + 0.15 * (min(sessions, 4) - 1) + 0.05 * (projects > 1) + 0.05 * friction
    worth += 0.2 * learning
    worth += 0.05 * said_by_person + 0.05 * (turns >= _DEAR) + 0.05 * (turns >= 4 * _DEAR)
    worth -= 0.05 * (age_days > _OLD_DAYS) + 0.05 * (age_days > 4 * _OLD_DAYS)
    return round(min(max(worth, 0.05), 0.95), 2)


def risen(importance: float, sessions: int) -> float:
    """Return an importance after `sessions` more have said the same in other words."""
    return max(importance, round(min(importance + 0.15 * min(max(sessions, 0), 3), 0.95), 2))


def is_chore(text: str) -> bool:
    """Return whether it is a last step of any work: to commit it, push it, have it reviewed."""
    return _CHORE.match(text) is not None


def turns_lost(text: str) -> int:
    """Return the turns that a sentence says a thing has cost; 0 where it does not say.

    A repeated failure costs a turn each time, two minutes count as one.
    """
    turns = sum(int(n) for n in _TIMES.findall(text)) + sum(int(n) for n in _TURNS.findall(text))
    minutes = sum(float(n) * (60 if u[0] in "hH" else 1) for n, u in _LASTED.findall(text))
    return min(turns + int(minutes / 2), _MOST_TURNS)
