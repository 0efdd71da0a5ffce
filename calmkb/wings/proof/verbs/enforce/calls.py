"""What agents did, and are about to do, as calls that checks are held against."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from calmkb.capture.formats.cleaning import whole_texts
from calmkb.capture.formats.fields import change_of, files_of, text_of
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.tool_calls.attempts import EDITS, SHELLS, Attempt, attempts
from calmkb.model.memories.enforcement import Call

_DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".adoc")


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

    After the last call of a turn in which code was changed comes the end of that turn.
    """
    turns = {turn.tool_use_id: turn for turn in transcript.turns if turn.kind == "call"}
    tops = tuple(one for one in (*transcript.folders, transcript.working_directory) if one)
    ran: list[str] | None = None
    changed = False
    made = attempts(transcript)
    prompts = [*(one.prompt for one in made[1:]), None]
    for attempt, following in zip(made, prompts, strict=False):
        turn = turns.get(attempt.use_id) or Turn(role="agent", text=attempt.command)
        if attempt.is_shell:
            passed = None if ran is None else tuple(ran)
            yield attempt, Call(command=turn.text, ran=passed, tops=tops)
            if ran is not None and attempt.ran and not attempt.failed:
                ran.append(turn.text)
        elif attempt.tool in EDITS:
            edit = _edit(next(iter(turn.files), ""), turn.change, tops)
            yield attempt, edit
            if _changes_code(attempt, edit):
                ran, changed = [], True
        else:
            yield attempt, Call()
        if following != attempt.prompt:
            if changed and attempt.kind == "result":  # else a person ended it
                yield attempt, Call(ends=True, ran=tuple(ran or ()))
            changed = False


def end_of_turn(transcript: Transcript) -> Call | None:
    """Return the end of the session's last turn, as a call; None where it changed no code."""
    last = None
    for attempt, call in past_calls(transcript):
        last = (attempt, call)
    if last is None or not last[1].ends:
        return None
    later = transcript.turns[last[0].place + 1 :]
    asked = any(turn.kind == "interruption" or turn.role == "person" for turn in later)
    return None if asked else last[1]


def passed_since_edit(transcript: Transcript) -> list[str] | None:
    """Return the commands that passed since a file was last changed; None where none was."""
    ran: list[str] | None = None
    for attempt, call in past_calls(transcript):
        if _changes_code(attempt, call):
            ran = []
        elif ran is not None and call.command and attempt.ran and not attempt.failed:
            ran.append(call.command)
    return ran


def _changes_code(attempt: Attempt, call: Call) -> bool:
    """Whether tests and linters may say something else now: a document changes nothing for them."""
    return attempt.is_edit and not call.path.endswith(_DOCUMENTS)


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
