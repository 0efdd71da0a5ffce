"""What the agent itself marked as found: a root cause, a decision, a conclusion."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from calmkb.capture.draft.quotation import quoted, without_markup
from calmkb.capture.formats.cleaning import sentences
from calmkb.capture.formats.turns import Turn
from calmkb.capture.tool_calls.attempts import SHELLS
from calmkb.capture.tool_calls.error_line import is_noise
from calmkb.model.sessions.said import FOUND, labelled

LIMIT = 240
CAUSES = 6
_FEW_WORDS = 6
_CAUSE = (
    r"root cause|(?:the |an? )?(?:(?:actual|real|core|main|underlying|original|exact|only)\s)?"
    r"(?:issue|problem|bug|cause|culprit|root of (?:the|this) (?:issue|problem))"
)
_RESULT = (
    r"key (?:finding|insight|discovery)|conclusion|decision|diagnosis|verdict|bottom line"
    r"|main finding|finding"
)
_LABEL = re.compile(
    rf"^[\W\d_]*(?:the\s+)?(?:(?P<cause>{_CAUSE})|(?P<result>{_RESULT}))s?(?:\s+identified|\s+found)?"
    r"(?:\*\*)?\s*(?P<mark>[:—]|(?:here\s)?(?:is|was)\b)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:(?:fail(?:s|ed|ing)?|broke|breaks|happen(?:s|ed|ing)?)\b[^.\n]{0,60}"
    r"\b(?:because|since|due to)\b|(?:it )?turns out\b|(?:the )?reason (?:is|was)\b|(?:is|was)"
    r" caused by\b|\bI (?:missed|forgot|overlooked|misread|misunderstood|was wrong|made a mistake"
    r"|wrongly|incorrectly|accidentally)\b|\bmy (?:\S+ ){0,3}(?:broke|was wrong|stripped|removed)"
    r"|\b(?:did|does)n't account for\b)",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:might|maybe|perhaps|could be|possibly|probably|let me|let's|I'll|likely|not sure"
    r"|I think|if)\b"
    r"|\?$|:$",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"(?:(?:good|great|perfect|ok|okay|all|now|the same|same|yes|right|you're|got|that"
    r"|there (?:are|is)|interestingly|both|still|these|ah|so)\b|I\b|we\b|our\b|need\b|\w+ing\b)"
    r"|.*\b(?:pre-?existing|still failing|seems?|progress|unrelated)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w{4,}")
_SHARED = 0.6
_FIRST = 3
_AFTER_LABEL = re.compile(r"^[\W\d_]*[\w' ]{3,40}(?:\*\*)?:(?:\*\*)?\s*$")
_MARKS = ("\n--- FAIL", "\nFAIL", "\nerror: ", "\nERROR: ", " ERROR task failed")
_COUNTED = re.compile(r"[1-9]\d* (?:tests? )?fail(?:ed|ures?)\b")


class Marked(NamedTuple):
    """A finding in the agent's words; `rank` 0 says most, `is_cause` tells a fault's cause."""

    text: str
    rank: int
    is_cause: bool


def marked_findings(turns: Sequence[Turn]) -> list[Marked]:
    """Return what the agent marked or said right after a failure; guesses are left out."""
    found: dict[str, Marked] = {}
    failed = False
    for turn in turns:
        if turn.is_sidechain:
            continue
        if turn.role == "tool" and turn.kind == "result":
            failed = _is_trouble(turn)
        elif turn.role == "agent" and not turn.kind:
            for one in (*_explained(turn.text if failed else ""), *_marked(turn.text)):
                found[one.text.casefold()] = one
            failed = False
    return list(found.values())


def best_finding(found: Sequence[Marked], shown: str) -> str:
    """Return the sentence with the finding that says most, of equals the last, unless `shown`."""
    fresh = [one for one in reversed(found) if one.rank <= 1 and one.text not in shown]
    best = min(fresh, key=lambda one: one.rank, default=None)
    return f"{labelled(FOUND, quoted(best.text, LIMIT))}." if best else ""


def cause_points(found: Sequence[Marked]) -> dict[str, str]:
    """Return the causes of trouble that the agent found, the last ones if they are many."""
    causes = [one for one in found if one.is_cause]
    once = [one for n, one in enumerate(causes) if not _is_repeated(one, causes[n + 1 :])]
    best = sorted(range(len(once)), key=lambda n: (once[n].rank, -n))[:CAUSES]
    return {labelled(FOUND, quoted(once[n].text, LIMIT)): FOUND for n in sorted(best)}


def _is_repeated(one: Marked, later: Sequence[Marked]) -> bool:
    """Return whether a later finding says most of this one: an agent repeats itself at the end."""
    words = set(_WORD.findall(one.text.casefold()))
    shared = (words & set(_WORD.findall(other.text.casefold())) for other in later)
    return any(len(both) >= _SHARED * len(words) for both in shared)


def _is_trouble(turn: Turn) -> bool:
    if turn.failed:
        return not is_noise(turn.text)
    return turn.tool in SHELLS and tells_failure(turn.text)


def _explained(text: str) -> Iterator[Marked]:
    """Yield what the agent says right after a failure, where it tells what is and not what next."""
    for sentence in sentences(text)[:_FIRST]:
        words = without_markup(sentence)
        if len(words.split()) >= _FEW_WORDS and not (_UNSURE.search(words) or _PLAIN.match(words)):
            yield Marked(words.removesuffix("."), 3, is_cause=True)
            return


def _marked(text: str) -> Iterator[Marked]:
    lines = sentences(text)
    for number, line in enumerate(lines):
        label = _LABEL.match(line)
        if label is None and not _TELLS.search(line):
            continue
        words = without_markup(line)
        if label and _AFTER_LABEL.match(line) and number + 1 < len(lines):
            words = f"{words} {without_markup(lines[number + 1])}"
        if len(words.split()) >= _FEW_WORDS and not _UNSURE.search(words) and "|" not in words[:3]:
            yield Marked(words.removesuffix("."), _rank(label), not (label and label["result"]))


def _rank(label: re.Match[str] | None) -> int:
    if label is None:
        return 2
    strong = label["result"] or "root" in label["cause"].lower()
    return 0 if strong else 1


def tells_failure(output: str) -> bool:
    """Tell a failed run: a pager after a pipe hides the exit code, but not the words."""
    text = f"\n{output}"
    return any(mark in text for mark in _MARKS) or (
        " fail" in text and _COUNTED.search(text) is not None
    )
