"""What a person said in a session that the next one should know: quoted, never reworded."""

import re
from collections.abc import Iterator, Sequence

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Turn
from calmkb.capture.mining.corrections import Label, find
from calmkb.capture.mining.prompts import is_paste, own_sentences
from calmkb.capture.tool_calls.error_line import find_error_line

QUOTE_LIMIT = 280

_LEADS: dict[Label, str] = {
    "correction": "Corrected",
    "convention": "Rule given",
    "friction": "Reported",
}
_FEW_WORDS = 3
_SHORT = 5
# A tool call rejected with these words was the wrong one; without, it was merely not yet due.
_OBJECTS = re.compile(
    r"(?<![\w/-])(?:why|not|no|don't|instead|rather|better|other way|should|wrong|already|only"
    r"|never"
    r"|just)(?![\w/-])",
    re.IGNORECASE,
)


def quoted_points(turns: Sequence[Turn]) -> list[str]:
    """Return the corrections, rules and reports of trouble, each once, in their order."""
    found: list[str] = []
    for turn, agent_spoke in _prompts(turns):
        point = _rejection(turn) if turn.kind == "rejection" else _point(turn.text, agent_spoke)
        if point:
            _add(found, point)
    return found


def _prompts(turns: Sequence[Turn]) -> Iterator[tuple[Turn, bool]]:
    agent_spoke = False
    for turn in turns:
        if turn.role == "person":
            yield turn, agent_spoke
        agent_spoke = agent_spoke or (turn.role == "agent" and not turn.is_sidechain)


def _add(found: list[str], point: str) -> None:
    """Add the point unless it was said before; the fuller of two versions stays."""
    words = _bare(point)
    for place, known in enumerate(found):
        if words in _bare(known):
            return
        if _bare(known) in words:
            found[place] = point
            return
    found.append(point)


def _bare(point: str) -> str:
    return point.split(": ", 1)[1].strip('"…').casefold()


def _point(text: str, agent_spoke: bool) -> str:
    found = find(text)
    if found is None and agent_spoke and is_paste(text):
        # The person shows what went wrong.
        error = find_error_line(text, sure=True)
        return f'Reported: "{clip(error, QUOTE_LIMIT)}"' if " " in error else ""
    # Before the agent has done a thing there is nothing to correct: the words describe the task.
    if found is None or (not agent_spoke and found.label != "convention"):
        return ""
    quote = _quote(text, found.sentence)
    return f"{_LEADS[found.label]}: {quote}" if quote else ""


def _rejection(turn: Turn) -> str:
    found = find(turn.text)
    if found is not None and (quote := _quote(turn.text, found.sentence)):
        return f"{_LEADS[found.label]}: {quote}"
    words = [one for one in own_sentences(turn.text) if _OBJECTS.search(one)]
    quote = _quote(turn.text, words[0]) if words else ""
    return f"{turn.tool or 'Tool call'} rejected: {quote}" if quote else ""


def _quote(text: str, sentence: str) -> str:
    """Return the sentence, with a neighbour where it is too short to be understood alone."""
    words = own_sentences(text)
    if len(sentence.split()) <= _SHORT and sentence in words:
        place = words.index(sentence)
        start = place if place + 1 < len(words) else max(place - 1, 0)
        sentence = " ".join(words[start : start + 2])
    if len(sentence.split()) < _FEW_WORDS:
        return ""
    return '"' + clip(one_line(sentence).replace('"', "'"), QUOTE_LIMIT) + '"'
