"""What a person said in a session that the next one should know: quoted, never reworded."""

from collections.abc import Iterator, Sequence

from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted
from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.mining.corrections import Label
from calmkb.capture.mining.prompts import is_paste, own_sentences
from calmkb.capture.tool_calls.error_line import find_error_line

QUOTE_LIMIT = 280

_LEADS: dict[Label, str] = {
    "correction": "Corrected",
    "convention": "Rule given",
    "friction": "Reported",
}
_FEW_WORDS = 3


def quoted_points(prompts: Sequence[PersonTurn]) -> list[str]:
    """Return the corrections, rules and reports of trouble, each once, in their order."""
    found: list[str] = []
    for one in prompts:
        for point in _points(one):
            _add(found, point)
    return found


def _points(one: PersonTurn) -> Iterator[str]:
    if one.is_machine:
        return
    text = one.turn.text
    for lesson in one.lessons:
        # Before the agent has done a thing there is nothing to correct: the words describe the
        # task.
        if one.agent_spoke or lesson.label == "convention":
            yield from _point(_LEADS[lesson.label], lesson.sentence)
    if one.lessons or not one.agent_spoke:
        return
    if is_paste(text):
        # The person shows what went wrong.
        error = find_error_line(text, sure=True)
        yield from _point("Reported", error if " " in error else "")
    elif one.is_friction:
        yield from _point("Reported", _most(own_sentences(text)))


def _point(lead: str, words: str) -> Iterator[str]:
    words = one_line(words)
    if len(words.split()) >= _FEW_WORDS or (words and " " in words and lead == "Reported"):
        yield f"{lead}: {quoted(words, QUOTE_LIMIT)}"


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
    return point.split(": ", 1)[1].strip('"“”…').casefold()


def _most(sentences: Sequence[str]) -> str:
    """Return as many of the first sentences as a quotation holds."""
    words = ""
    for one in sentences:
        if words and len(words) + len(one) > QUOTE_LIMIT:
            break
        words = f"{words} {one}".strip()
    return words
