"""What agents did, and are about to do, as calls that checks are held against."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any

from calmkb.capture.formats.cleaning import whole_texts
from calmkb.capture.formats.fields import change_of, files_of, text_of
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls.attempts import EDITS, SHELLS, Attempt, attempts
from calmkb.wings.proof.enforce.checks import Call


def call_of(tool: str, given: Mapping[str, Any], tops: Sequence[str]) -> Call:
    """Return the call of a tool with its input; paths are those below one of `tops`."""
    fields = dict(given)
    with whole_texts():
        change = change_of(fields)
    if tool in SHELLS:
        return Call(command=text_of(fields.get("command")), tops=tuple(tops))
    path = next(files_of(fields), "") if tool in EDITS else ""
    return _edit(path, change, tops)


def past_calls(transcript: Transcript) -> Iterator[tuple[Attempt, Call]]:
    """Yield a session's answered calls; the transcript must hold whole texts.

    After a turn's last call comes its end, but where a person ended it or the agent asks something.
    """
    turns = {turn.tool_use_id: turn for turn in transcript.turns if turn.kind == "call"}
    tops = tuple(one for one in (*transcript.folders, transcript.working_directory) if one)
    done: Call | None = None
    made = attempts(transcript)
    prompts = [*(one.prompt for one in made[1:]), None]
    for attempt, following in zip(made, prompts, strict=False):
        turn = turns.get(attempt.use_id) or Turn(role="agent", text=attempt.command)
        call = Call()
        if attempt.is_shell:
            call = Call(command=turn.text, tops=tops)
        elif attempt.tool in EDITS:
            call = _edit(next(iter(turn.files), ""), turn.change, tops)
        call = replace(call, previous=done, turn=attempt.prompt)
        yield attempt, call
        done = call if _passed(attempt, call) else done
        words = _last_words(transcript, attempt) if following != attempt.prompt else "?"
        if attempt.kind == "result" and (words or following is None) and words[-1:] != "?":
            yield attempt, Call(ends=True, previous=done, turn=attempt.prompt)


def _last_words(transcript: Transcript, last: Attempt) -> str:
    """Return what the agent said after the last call of a turn; "" where a person broke in."""
    later = takewhile(lambda turn: turn.role != "person", transcript.turns[last.place + 1 :])
    words = [turn.text for turn in later if turn.role == "agent" and not turn.kind]
    return words[-1].rstrip("*_ \n") if words else ""


def _passed(attempt: Attempt, call: Call) -> bool:
    return not attempt.failed and (bool(call.path) or bool(call.command and attempt.ran))


def end_of_turn(transcript: Transcript) -> Call | None:
    """Return the end of the session's last turn, as a call; None where it has not ended."""
    last = next(iter(deque(past_calls(transcript), maxlen=1)), None)
    if last is None or not last[1].ends:
        return None
    later = transcript.turns[last[0].place + 1 :]
    asked = any(turn.kind == "interruption" or turn.role == "person" for turn in later)
    return None if asked else last[1]


def last_passed(transcript: Transcript) -> Call | None:
    """Return the last call of a session that passed, with those before it."""
    last = next(iter(deque(past_calls(transcript), maxlen=1)), None)
    return last and (last[1] if _passed(*last) else last[1].previous)


def _edit(path: str, change: str, tops: Sequence[str]) -> Call:
    lines = change.split("\n")
    parts = {
        sign: "\n".join(line[2:] for line in lines if line.startswith(f"{sign} "))
        for sign in ("+", "-")
    }
    return Call(path=_below(path, tops), text=parts["+"], before=parts["-"])


def _below(path: str, tops: Sequence[str]) -> str:
    """Return a path from the top of the repository; "" for one that is outside."""
    if not path or not PurePath(path).is_absolute():
        return Path(path).as_posix() if path else ""
    for top in sorted(tops, key=len, reverse=True):
        if PurePath(path).is_relative_to(top):
            return PurePath(path).relative_to(top).as_posix()
    return ""
