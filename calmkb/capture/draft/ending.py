"""How a session ended: done, tests red, cut off by a limit or the person, a question left."""

import re
from collections.abc import Sequence

from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted, without_markup
from calmkb.capture.formats.cleaning import clip, one_line, sentences
from calmkb.capture.formats.turns import Turn
from calmkb.capture.tool_calls.attempts import tool_name

_LIMIT = 260
_QUESTION_LIMIT = 200
_SENTENCES = 2
_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_LAYOUT = re.compile(r"^\s*(?:#{1,6}\s.*|\|.*|[-=*_]{3,}|★.*|`★.*)$", re.MULTILINE)
_FAREWELL = re.compile(
    r"^(?:thanks|thank you|thx|great|perfect|nice|cool|ok|okay|bye|good|lgtm|done|awesome"
    r"|looks good)\b.{0,40}$",
    re.IGNORECASE,
)


def ending(turns: Sequence[Turn], prompts: Sequence[PersonTurn], failing: str) -> str:
    """Return one sentence on the end; `failing` is the check that was red at last, or nothing."""
    main = [turn for turn in turns if not turn.is_sidechain and not _is_aside(turn)]
    if not main:
        return ""
    answer = _last_answer(main)
    so_far = f"; the last answer was {quoted(answer, _LIMIT)}" if answer else ""
    if cut := _cut_off(main, prompts):
        red = f", with {failing} failing" if failing else ""
        return f"{cut}{red}{so_far}."
    if asked := open_question(turns):
        return _asking(asked, answer, failing)
    if failing:
        return f"Ended with {failing} failing{so_far}."
    if main[-1].role == "tool" or main[-1].kind == "call":
        return f"{_broken_off(main[-1])}{so_far}."
    return f"Ended with: {quoted(answer, _LIMIT)}." if answer else ""


def _asking(asked: str, answer: str, failing: str) -> str:
    opening = f"{quoted(answer, _LIMIT)} and " if answer and asked not in answer else ""
    more = f" ({failing} was failing)" if failing else ""
    return f"Ended with: {opening}the question {quoted(asked, _QUESTION_LIMIT)}{more}."


def open_question(turns: Sequence[Turn]) -> str:
    """Return the question with which the agent left the session to the person, or nothing."""
    main = [turn for turn in turns if not turn.is_sidechain and not _is_aside(turn)]
    if not main or not _is_words(main[-1]):
        return ""
    closing = [without_markup(one) for one in sentences(_prose(main[-1].text))[-_SENTENCES:]]
    return next((one for one in reversed(closing) if one.endswith("?")), "")


def _cut_off(main: Sequence[Turn], prompts: Sequence[PersonTurn]) -> str:
    last = main[-1]
    match last.kind:
        case "error":
            return f"Stopped by an error, {quoted(last.text, _LIMIT)}"
        case "interruption" | "rejection":
            return _interrupted(main[-3:])
        case "compaction":
            return "Ended when the conversation was compacted"
    if last.role != "person" or _FAREWELL.match(last.text):
        return ""
    machine = bool(prompts) and prompts[-1].turn is last and prompts[-1].is_machine
    words = quoted(one_line(last.text), _QUESTION_LIMIT)
    return f"Ended before an answer to {'an event' if machine else words}"


def _interrupted(last: Sequence[Turn]) -> str:
    refused = [turn.tool for turn in last if turn.kind == "rejection" and turn.tool]
    call = f" when {tool_name(refused[-1])} was refused" if refused else ""
    reasons = [one.text for one in last if (one.role, one.kind) == ("person", "rejection")]
    reason = next(filter(None, reversed(reasons)), "")
    words = f" with the words {quoted(one_line(reason), _QUESTION_LIMIT)}" if reason else ""
    return f"Interrupted by the person{call}{words}"


def _broken_off(turn: Turn) -> str:
    outcome = ", which failed" if turn.failed else ""
    return f"Broke off after a call of {tool_name(turn.tool) or 'a tool'}{outcome}"


def _is_aside(turn: Turn) -> bool:
    """Tell what says nothing of the end: the client's echoes, leaving, "No response requested."."""
    if turn.kind == "command":
        return True
    if turn.kind == "error":
        return "No response requested" in turn.text
    if turn.role == "person" and turn.kind == "" and _FAREWELL.match(turn.text):
        return True
    return turn.kind == "echo" or (turn.role == "agent" and not turn.kind and not turn.text)


def _is_words(turn: Turn) -> bool:
    return turn.role == "agent" and not turn.kind


def _prose(text: str) -> str:
    return _LAYOUT.sub("", _FENCE.sub("", text))


def _last_answer(main: Sequence[Turn]) -> str:
    """Return how the agent's last words begin, however short, without code, tables and headings."""
    last = next((turn for turn in reversed(main) if _is_words(turn)), None)
    if last is None:
        return ""
    words = " ".join(map(without_markup, sentences(_prose(last.text))))
    return clip(words or one_line(without_markup(last.text)), _LIMIT).removesuffix(".")
