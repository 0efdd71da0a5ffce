"""What a trouble cost a session: from the call that met it to the one that got past it."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from calmkb.capture.tool_calls.attempts import SHELLS
from calmkb.capture.tool_calls.commands import task_of
from calmkb.capture.tool_calls.error_line import ends_in_failure, find_error_line
from calmkb.model.memories.backtest import Cost
from calmkb.model.sessions.archive import KeptTurn

_NEAR = 15  # calls within which a failure is the same attempt, and a success is its end
_PAUSE = timedelta(minutes=5)  # the most that counts between two turns: after it, somebody was away
_SHARE, _WITH_COMMAND = 0.6, 0.3
"""Of an error's words, how many a quote must have: fewer where it names the command too."""
_LEAST = 2
_NAME = re.compile(r"`([^`]{3,80})`|\b([A-Za-z]\w*(?:[A-Z_./-]\w+)+)")
_WORD = re.compile(r"[^\W_][\w./-]{2,}")
_CODE = re.compile(r"`([^`]+)`")
_SAID = 24  # letters of a quote by which a person's message is recognised


@dataclass(frozen=True, slots=True)
class _Call:
    """A call with its answer: places of both among the turns, what was called, what went wrong."""

    start: int
    end: int
    task: str
    error: str
    words: str


def cost_of(turns: Sequence[KeptTurn], quote: str) -> Cost | None:
    """Return what the trouble that a `quote` tells of cost; None where it is not found in `turns`.

    A failure costs from its first call to the next that passes, within 15 calls; a correction from
    the person's words to their next. Each stretch counts once, pauses as five minutes at most.
    """
    stretches = list(_failures(turns, quote)) or list(_correction(turns, quote))
    if not stretches:
        return None
    spent = [turns[start : end + 1] for start, end in stretches]
    return Cost(
        sum(turn.kind == "call" for stretch in spent for turn in stretch),
        round(sum((_lasted(stretch) for stretch in spent), timedelta()) / timedelta(minutes=1), 1),
        sum(turn.tokens for stretch in spent for turn in stretch),
    )


def _failures(turns: Sequence[KeptTurn], quote: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of each stretch in which a call failed as quoted."""
    calls = list(_calls(turns))
    words, named = _words(quote), [task_of(one) for one in _CODE.findall(quote)]
    names = {one or other for one, other in _NAME.findall(quote)}
    met = [n for n, one in enumerate(calls) if one.error and _tells(one, words, named, names)]
    while met:
        first = last = met.pop(0)
        while met and met[0] - last <= _NEAR:
            last = met.pop(0)
        after = range(last + 1, min(last + _NEAR, len(calls) - 1) + 1)
        same = (n for n in after if calls[n].task == calls[last].task and not calls[n].error)
        yield calls[first].start, calls[next(same, last)].end


def _tells(call: _Call, words: set[str], named: Sequence[str], names: set[str]) -> bool:
    error = _words(call.error)
    shared = len(error & words)
    least = _WITH_COMMAND if any(one and one in call.task for one in named) else _SHARE
    return shared >= max(_LEAST, least * len(error)) or (
        sum(name in call.words for name in names) >= _LEAST
    )


def _calls(turns: Sequence[KeptTurn]) -> Iterator[_Call]:
    """Yield the answered calls; of several at once, the answers come in the order of the calls."""
    waiting: dict[str, deque[int]] = {}
    for place, turn in enumerate(turns):
        if turn.kind == "call":
            waiting.setdefault(turn.tool, deque()).append(place)
        elif turn.kind == "result" and waiting.get(turn.tool):
            start = waiting[turn.tool].popleft()
            shell = turn.tool in SHELLS
            failed = turn.failed or (shell and ends_in_failure(turn.text))
            text = turns[start].text
            task = task_of(text) if shell else text
            yield _Call(
                start,
                place,
                task,
                find_error_line(turn.text) if failed else "",
                f"{text}\n{turn.text}",
            )


def _correction(turns: Sequence[KeptTurn], quote: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a person's words, and of the last turn before their next."""
    letters = _letters(quote)
    if len(letters) < _SAID:
        return
    people = [n for n, turn in enumerate(turns) if turn.role == "person"]
    for number, place in enumerate(people):
        if letters[:200] in _letters(turns[place].text):
            following = people[number + 1] if number + 1 < len(people) else len(turns)
            yield place, following - 1
            return


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _words(text: str) -> set[str]:
    return {word.casefold().strip(".") for word in _WORD.findall(text)}


def _lasted(stretch: Sequence[KeptTurn]) -> timedelta:
    times = [turn.at for turn in stretch if turn.at]
    gaps = (later - earlier for earlier, later in pairwise(times))
    return sum((min(max(gap, timedelta()), _PAUSE) for gap in gaps), timedelta())
