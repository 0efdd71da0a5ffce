"""The few turns of a kept session that whoever goes on with it needs, within a number of tokens."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calmkb.kb.base.environment import Environment
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import HandOver
from calmkb.wings.archive.verbs.threads import kept_session

CHARACTERS_A_TOKEN = 4
TOKENS = 1_500
_FILES, _LAST_PROMPTS = 12, 4
_END, _PROMPT, _OTHER = 1_600, 700, 400
"""Characters of an agent's last words, of a prompt, and of any other turn."""
_AROUND = 30  # what a line's number, its speaker and its end take


def hand_over(environment: Environment, prefix: str, *, tokens: int = TOKENS) -> HandOver:
    """Return the hand-over of the kept session whose name begins so; NotFoundError where none."""
    session, turns = kept_session(environment, prefix)
    chosen: dict[tuple[int, int], KeptTurn] = {}
    left = tokens * CHARACTERS_A_TOKEN
    for turn, most in _by_worth(turns):
        place, cut = (turn.line, turn.part), _clip(turn.text, most)
        cost = len(cut) + _AROUND
        if place not in chosen and cost <= left:
            chosen[place] = replace(turn, text=cut)
            left -= cost
    changed = Counter(name for turn in turns if turn.change for name in turn.files)
    files = tuple(name for name, _ in changed.most_common(_FILES))
    spent = tokens * CHARACTERS_A_TOKEN - left + sum(map(len, files))
    whole = sum(len(turn.text) + len(turn.change) for turn in turns)
    return HandOver(
        session,
        tuple(chosen[place] for place in sorted(chosen)),
        files,
        -(-spent // CHARACTERS_A_TOKEN),
        -(-whole // CHARACTERS_A_TOKEN),
    )


def _by_worth(turns: Sequence[KeptTurn]) -> Iterator[tuple[KeptTurn, int]]:
    """Yield turns with their limits: how it ended, what was asked, what was refused, the rest."""
    own = [turn for turn in turns if turn.text.strip() and not turn.side]
    prompts = [turn for turn in own if turn.role == "person"]
    words = [turn for turn in own if turn.role == "agent" and not turn.kind]
    yield from ((turn, _END) for turn in words[-1:])
    yield from ((turn, _PROMPT) for turn in (*prompts[-1:], *prompts[:1]))
    yield from ((turn, _OTHER) for turn in reversed(own) if turn.kind == "rejection")
    yield from ((turn, _OTHER) for turn in prompts[-_LAST_PROMPTS:-1][::-1])
    yield from ((turn, _OTHER) for turn in reversed(_answers(own)))
    yield from ((turn, _OTHER) for turn in reversed(prompts))


def _answers(turns: Sequence[KeptTurn]) -> list[KeptTurn]:
    """Return the agent's last words before each prompt: what it says it has done."""
    found, last = [], None
    for turn in turns:
        if turn.role == "person" and last:
            found.append(last)
            last = None
        elif turn.role == "agent" and not turn.kind:
            last = turn
    return found


def _clip(text: str, most: int) -> str:
    """Return the beginning of a text and its end, where conclusions are."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3].rstrip()} … {text[-most // 3 :].lstrip()}"
