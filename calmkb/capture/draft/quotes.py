"""What a person said in a session that the next one should know: quoted, never reworded."""

from collections.abc import Iterator, Sequence

from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted
from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.mining.corrections import Label
from calmkb.capture.mining.prompts import is_paste, own_sentences
from calmkb.capture.tool_calls.error_line import find_error_line
from calmkb.model.sessions.said import CORRECTED, REPORTED, RULE, labelled

QUOTE_LIMIT = 280

_KINDS: dict[Label, str] = {"correction": CORRECTED, "convention": RULE, "friction": REPORTED}
_FEW_WORDS = 3


def quoted_points(prompts: Sequence[PersonTurn]) -> dict[str, str]:
    """Return the corrections, rules and reports of trouble, each once with its kind, in order."""
    found: dict[str, str] = {}
    for one in prompts:
        for kind, words in _points(one):
            if len(words.split()) >= _FEW_WORDS or (" " in words and kind == REPORTED):
                found = _with(found, labelled(kind, quoted(words, QUOTE_LIMIT)), kind)
    return found


def _points(one: PersonTurn) -> Iterator[tuple[str, str]]:
    if one.is_machine:
        return
    text = one.turn.text
    for lesson in one.lessons:
        # Before the agent has done a thing there is nothing to correct: the words describe the
        # task.
        if one.agent_spoke or lesson.label == "convention":
            yield _KINDS[lesson.label], one_line(lesson.sentence)
    if one.lessons or not one.agent_spoke:
        return
    if is_paste(text):
        # The person shows what went wrong.
        yield REPORTED, one_line(find_error_line(text, sure=True))
    elif one.is_friction:
        yield REPORTED, one_line(_most(own_sentences(text)))


def _with(found: dict[str, str], point: str, kind: str) -> dict[str, str]:
    """Return the points with one more, unless it was said before; the fuller version stays."""
    words = _bare(point)
    near = next((known for known in found if words in _bare(known) or _bare(known) in words), None)
    if near is None:
        return found | {point: kind}
    fuller = (near, found[near]) if words in _bare(near) else (point, kind)
    return dict(fuller if known == near else (known, found[known]) for known in found)


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
