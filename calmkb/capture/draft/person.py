"""What a person said in a session: each prompt with what it teaches, reports or is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmkb.capture.formats.turns import Turn
from calmkb.capture.mining.corrections import Finding
from calmkb.capture.mining.lessons import lessons, prompt_at
from calmkb.capture.mining.prompt_features import SEEN
from calmkb.capture.mining.prompt_model import judge


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
