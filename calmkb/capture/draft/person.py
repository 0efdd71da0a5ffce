"""What a person said in a session: each prompt with what it is, and what is quoted of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calmkb.capture.draft.quotation import quoted
from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.formats.turns import Turn
from calmkb.capture.mining.corrections import Finding, Label
from calmkb.capture.mining.lessons import lessons, prompt_at
from calmkb.capture.mining.prompt_features import SEEN
from calmkb.capture.mining.prompt_model import judge
from calmkb.capture.mining.prompts import is_paste, own_sentences
from calmkb.capture.tool_calls.error_line import find_error_line
from calmkb.model.sessions.said import CORRECTED, REPORTED, RULE, labelled

QUOTE_LIMIT = 280
_KINDS: dict[Label, str] = {"correction": CORRECTED, "convention": RULE}
_FEW_WORDS = 3


@dataclass(frozen=True, slots=True)
class PersonTurn:
    """One turn of a person; `place` is its place among the turns.

    `is_machine` tells text that nobody typed; `is_friction` a trouble that the person met, where
    the words teach nothing.
    """

    turn: Turn
    place: int
    lessons: tuple[Finding, ...]
    is_friction: bool
    is_machine: bool
    agent_spoke: bool


def person_turns(turns: Sequence[Turn]) -> list[PersonTurn]:
    """Return every prompt and reason of a person in its order."""
    found: list[PersonTurn] = []
    agent_spoke = False
    for place, turn in enumerate(turns):
        if turn.role == "person":
            prompt = prompt_at(turns, place)
            prompt = replace(prompt, text=prompt.text[:SEEN])
            is_event = turn.text.startswith("<")
            if teaches := () if is_event else tuple(lessons(prompt)):
                found.append(PersonTurn(turn, place, teaches, False, False, agent_spoke))
            else:
                judged = judge(prompt)
                is_machine = is_event or judged.is_machine
                found.append(
                    PersonTurn(turn, place, (), judged.is_friction, is_machine, agent_spoke)
                )
        agent_spoke = agent_spoke or (turn.role == "agent" and not turn.is_sidechain)
    return found


def quoted_points(prompts: Sequence[PersonTurn]) -> dict[str, str]:
    """Return the corrections, rules and reports of trouble, each once with its kind, in order."""
    found: dict[str, str] = {}
    for one in prompts:
        for kind, words in _points(one):
            if len(words.split()) >= _FEW_WORDS or (" " in words and kind == REPORTED):
                found.setdefault(labelled(kind, quoted(words, QUOTE_LIMIT)), kind)
    return found


def _points(one: PersonTurn) -> Iterator[tuple[str, str]]:
    if one.is_machine:
        return
    text = one.turn.text
    for lesson in one.lessons:
        # Before the agent has done a thing there is nothing to correct: the words are the task.
        if one.agent_spoke or lesson.label == "convention":
            yield _KINDS[lesson.label], one_line(lesson.sentence)
    if one.lessons or not one.agent_spoke:
        return
    if is_paste(text):
        # The person shows what went wrong.
        yield REPORTED, one_line(find_error_line(text, sure=True))
    elif one.is_friction:
        yield REPORTED, one_line(_most(own_sentences(text)))


def _most(sentences: Sequence[str]) -> str:
    """Return as many of the first sentences as a quotation holds."""
    words = ""
    for one in sentences:
        if words and len(words) + len(one) > QUOTE_LIMIT:
            break
        words = f"{words} {one}".strip()
    return words
