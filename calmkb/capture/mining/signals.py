"""Learning signals in a transcript: what people correct, ask to be kept, repeat and praise.

Only a person's own words count, and what their words were about stands in `context`. The same
transcript gives the same signals, each with a key, so that capturing it again adds nothing.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.mining.lessons import LENGTH, lessons, prompt_at
from calmkb.capture.mining.praise import praises
from calmkb.capture.mining.prompts import own_words
from calmkb.capture.tool_calls.attempts import Attempt, attempts, shown, tool_name
from calmkb.capture.tool_calls.error_line import find_error_line, is_noise, normalised
from calmkb.capture.tool_calls.failures import remedy_of

LAST = 200
CONTENT, CONTEXT = LENGTH, 200
_COMMANDS = 3
_SEARCHES = 3
_FAILURES = 2
_BACK = 4
_SUBSTANTIAL = 50
_INSTEAD = re.compile(r"\buse\s+\S+.{0,40}?\binstead of\b|\binstead of\s+\S+.{0,40}?\buse\b", re.I)
_RUN = re.compile(r"\brun\b", re.IGNORECASE)
_TICKED = re.compile(r"`([^`\n]{2,200})`")
# `x = y`, `from x import y` and prose in ticks are no commands.
_COMMAND_LIKE = re.compile(
    r"(?!from\b|import\b|the\b)[a-z./~][\w./-]*(?:\s+(?!=|:=|\+=)[\w./:@\"'$<>|&{}*=,-]+)+\Z"
    r"|(?:make|pytest|ruff|mypy|tox|just)\Z"
)
_SEARCH_TOOLS = frozenset({"Grep", "Glob", "WebSearch", "Search"})
_SEARCH_COMMAND = re.compile(r"(?:rg|grep|find|fd|ag|git grep)\b")
_NOTHING = re.compile(
    r"\s*(?:no (?:matches|files|results)\b.*|0 (?:matches|results)\b.*|exit code 1)?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)

Fields = dict[str, Any]


def mine(transcript: Transcript, *, last: int = LAST) -> list[Fields]:
    """Return the fields of each signal in the last turns, in their order, none twice."""
    turns = transcript.turns[-last:]
    agent_spoke = len(transcript.turns) > last
    found: list[Fields] = []
    for place, turn in enumerate(turns):
        if turn.role == "person" and not turn.is_sidechain:
            found += _said_by_person(turns, place, agent_spoke)
        agent_spoke = agent_spoke or (turn.role == "agent" and not turn.is_sidechain)
    recent = Transcript(turns=turns, session_id=transcript.session_id)
    done = attempts(recent)
    found += [*_failures(done), *_searches(done)]
    return _keyed(found, transcript.session_id)


def _said_by_person(turns: Sequence[Turn], place: int, agent_spoke: bool) -> Iterator[Fields]:
    turn = turns[place]
    context = _before(turns, place)
    for lesson in lessons(prompt_at(turns, place)):
        if lesson.label == "convention":
            yield _signal("convention", 2, lesson.sentence, context, turn)
        elif agent_spoke:  # before the agent did anything there is nothing to correct
            sure = 3 if _INSTEAD.search(lesson.sentence) else 2
            yield _signal("correction", sure, lesson.sentence, context, turn)
    words = own_words(turn.text)
    if _RUN.search(words):
        commands = [c for c in _TICKED.findall(words) if _COMMAND_LIKE.match(c.strip())]
        for command in list(dict.fromkeys(commands))[:_COMMANDS]:
            yield _signal("command", 2, command.strip(), words, turn)
    if praises(words) and (action := _praised(turns, place)):
        yield _signal("pattern", 1, f"Praised: {action}", words, turn)


def _before(turns: Sequence[Turn], place: int) -> str:
    """Return what the agent had just done: its last call, else its last words."""
    for turn in reversed(turns[max(0, place - 12) : place]):
        if turn.is_sidechain:
            continue
        if turn.kind == "call":
            return f"after {tool_name(turn.tool)}: {turn.text}"
        if turn.role == "agent" and turn.text:
            return f"after saying: {turn.text}"
    return ""


def _praised(turns: Sequence[Turn], place: int) -> str:
    """Return the substantive action that praise right after it is about, or nothing."""
    for turn in reversed(turns[max(0, place - _BACK) : place]):
        if turn.role == "person" or turn.is_sidechain:
            return ""
        if turn.kind == "call":
            return f"{tool_name(turn.tool)} {turn.text}"
        if turn.role == "agent" and len(turn.text) > _SUBSTANTIAL:
            return turn.text
    return ""


def _failures(done: Sequence[Attempt]) -> Iterator[Fields]:
    """Yield one signal for each error that a tool met twice or more in a row."""
    run: list[int] = []
    for place, attempt in enumerate([*done, None]):
        same = attempt is not None and run and done[run[0]].tool == attempt.tool
        if attempt is not None and _failed(attempt) and (same or not run):
            run.append(place)
            continue
        if len(run) >= _FAILURES:
            yield from _repeated(done, run)
        run = [place] if attempt is not None and _failed(attempt) else []


def _failed(attempt: Attempt) -> bool:
    counts = attempt.failed and attempt.kind == "result" and not attempt.is_sidechain
    return counts and not is_noise(attempt.output)


def _repeated(done: Sequence[Attempt], run: Sequence[int]) -> Iterator[Fields]:
    groups: dict[str, list[int]] = {}
    for place in run:
        if line := find_error_line(done[place].output):
            groups.setdefault(normalised(line), []).append(place)
    if groups and max(map(len, groups.values())) < _FAILURES:
        # Different errors one after the other: the first is what set it off.
        groups = dict([next(iter(groups.items()))])
    for places in groups.values():
        first = done[places[0]]
        line = find_error_line(first.output).rstrip(".;:")
        what = shown(first.command) if first.is_shell and first.command else tool_name(first.tool)
        remedy = remedy_of(done, places[-1])
        text = f"{what} failed {len(run)} times: {line}" + (f"; {remedy}" if remedy else "")
        yield {
            "type": "failure",
            "confidence": 2,
            "content": clip(one_line(text), CONTENT),
            "context": clip(one_line(first.output), CONTEXT),
            "tags": [first.tool],
        }


def _searches(done: Sequence[Attempt]) -> Iterator[Fields]:
    """Yield one signal for three searches or more in a row that found nothing."""
    run: list[Attempt] = []
    for attempt in [*done, None]:
        if attempt is not None and _is_search(attempt) and _NOTHING.match(attempt.output):
            run.append(attempt)
            continue
        if attempt is not None and not _is_search(attempt) and run and attempt.only_looks:
            continue
        if len(run) >= _SEARCHES:
            asked = "; ".join(dict.fromkeys(clip(one.command, 60) for one in run if one.command))
            yield {
                "type": "project_friction",
                "confidence": 1,
                "content": clip(f"{len(run)} searches in a row found nothing: {asked}", CONTENT),
                "context": "",
                "tags": [run[0].tool],
            }
        run = []


def _is_search(attempt: Attempt) -> bool:
    return attempt.tool in _SEARCH_TOOLS or (
        attempt.is_shell and _SEARCH_COMMAND.match(attempt.command) is not None
    )


def _signal(kind: str, confidence: int, content: str, context: str, turn: Turn) -> Fields:
    return {
        "type": kind,
        "confidence": confidence,
        "content": clip(one_line(content), CONTENT),
        "context": clip(one_line(context), CONTEXT),
        "tags": [],
        "turn": turn.line,
    }


def _keyed(found: Sequence[Fields], session_id: str) -> list[Fields]:
    """Return the signals with their key and source, those said twice once."""
    keyed: dict[str, Fields] = {}
    for fields in found:
        said = f"{session_id}\0{fields['type']}\0{fields['content'].casefold()}"
        key = hashlib.sha256(said.encode(errors="replace")).hexdigest()[:16]
        source: Fields = {"hook": "PreCompact"}
        if turn := fields.pop("turn", 0):
            source["turn"] = turn
        more = {"session_id": session_id, "source": source, "meta": {"key": key}}
        keyed.setdefault(key, fields | more)
    return list(keyed.values())
