"""What a session was for: the request behind a greeting, a plan's title, in the words it had."""

import re
from collections.abc import Iterator, Sequence

from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted, without_markup
from calmkb.capture.formats.cleaning import one_line, sentences
from calmkb.capture.formats.table import CLIENT_COMMAND
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.mining.prompts import is_paste, looks_pasted, own_words
from calmkb.capture.tool_calls.error_line import find_error_line

_FIRST_LIMIT, _MORE_LIMIT = 220, 120
_MORE = 2
_TALK = re.compile(
    r"^(?:hi|hello|hey|yes|yep|yeah|ok|okay|sure|no|nope|continue|go on|go ahead|do it|commit|push"
    r"|thanks|thank you|perfect|great|nice|try again|commit (?:this|it)|retry|please continue)\b"
    r"[\s\w,]{0,20}[.!]*$"
    r"|^(?:thanks|thank you)\b[^.!?]{0,40}[.!?]*$",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\s*(?:please\s+)?(?:implement|execute|carry out|follow)\s+(?:the|this)\s+(?:following\s+)?"
    r"plan\b[^\n]{0,30}\n+\s*#+\s*(?P<title>[^\n]+)\n",
    re.IGNORECASE,
)
_PLAN_TITLE = re.compile(r"^(?:implementation )?plan\s*[:—-]\s*", re.IGNORECASE)
_PROSE = re.compile(r"[^\W\d_]+ [^\W\d_]+ [^\W\d_]+|[^\x00-\x7f]{3}")
_WHY = re.compile(
    r"^#+\s*(?:\d+[.)]\s*)?(?:context|goal|problem|overview|summary|background|objective|purpose"
    r"|motivation)\b[^\n]*\n+(?P<text>(?!#)[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)


def goal(transcript: Transcript, prompts: Sequence[PersonTurn]) -> str:
    """Return the sentence that tells what was asked, first things first."""
    asked = [one_line(one) for one in requests(transcript.turns, prompts)]
    who = "Asked by a program" if _is_programs(transcript, prompts) else "Asked"
    if not asked:
        # Nothing but small talk, or nothing that was typed.
        prompt = prompts[0].turn.text if prompts else ""
        return f"{who}: {quoted(one_line(prompt), _FIRST_LIMIT)}."
    # After the first, the longer ones say more; shown in the order in which they were asked.
    rest = sorted(asked[1:], key=lambda text: -min(len(text), _MORE_LIMIT))[:_MORE]
    parts = [quoted(asked[0], _FIRST_LIMIT)]
    parts += [quoted(text, _MORE_LIMIT) for text in asked[1:] if text in rest]
    left = len(asked) - len(parts)
    return f"{who}: {'; then '.join(parts)}{f' (and {left} more)' if left else ''}."


def requests(
    turns: Sequence[Turn], prompts: Sequence[PersonTurn], most: int = _FIRST_LIMIT
) -> list[str]:
    """Return what was asked for, each request once and up to its length, small talk left out."""
    heard = {one.place: one for one in prompts}
    found: dict[str, None] = {}
    asked = False
    for place, turn in enumerate(turns):
        one = heard.get(place)
        if turn.kind == "command" and (
            " " in turn.text and CLIENT_COMMAND.match(turn.text) is None
        ):
            found.setdefault(one_line(turn.text))
        elif one is not None and not (asked and _is_no_request(one)):
            for text in _request(turn.text, one.is_machine, most):
                found.setdefault(text)
                asked = True
    return list(found)


def _is_no_request(one: PersonTurn) -> bool:
    """Tell what follows the first request and is none: a correction, a reason, an event, a log."""
    teaches = bool(one.lessons) and one.agent_spoke
    return teaches or one.is_machine or one.turn.kind == "rejection" or is_paste(one.turn.text)


def _is_programs(transcript: Transcript, prompts: Sequence[PersonTurn]) -> bool:
    return transcript.automated or (
        bool(prompts) and all(one.is_machine and one.turn.text.startswith("<") for one in prompts)
    )


def _request(prompt: str, is_machine: bool, most: int) -> Iterator[str]:
    if plan := _PLAN.match(prompt):
        yield _plan(plan["title"], prompt)
        return
    own = own_words(prompt)
    if not _PROSE.search(own[:most]) and (error := find_error_line(prompt, sure=True)):
        yield error
        return
    if _TALK.match(own):
        return
    parts = [(one, words) for one in sentences(own) if (words := without_markup(one))]
    if not parts:
        return
    # An item of a list goes on with no line before it.
    text, *more = (words if words[0] == one[0] else f"\n{words}" for one, words in parts)
    if more and text[-1].isalnum() and looks_pasted(own):  # a heading
        text, *more = more
    # One sentence often only leads up to the request; a review's or a log's say no more.
    while more and len(f"{text} {more[0]}") <= most and not looks_pasted(own):
        between = " " if text[-1].isalnum() and more[0][0].islower() else "\n"  # a wrapped line
        text = f"{text}{between}{more.pop(0)}"
        if is_machine and not text.endswith(":"):
            break
    if len(text.split()) > 1:
        yield text.strip().removesuffix(".")


def _plan(title: str, prompt: str) -> str:
    """Return a plan's title, with why it was made where it tells it."""
    name = _PLAN_TITLE.sub("", without_markup(title))
    why = _WHY.search(prompt)
    reason = next(iter(sentences(without_markup(why["text"]))), "") if why else ""
    return name if not reason or reason.endswith(":") else f"{name}: {reason.removesuffix('.')}"
