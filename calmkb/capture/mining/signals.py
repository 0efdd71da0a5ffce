"""Learning signals in a transcript: what people correct, ask to be kept, repeat and praise.

Only a person's own words count, and what their words were about is in `context`. The same
transcript gives the same signals, each with a key, so that capturing it again adds nothing.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.capture.formats.cleaning import clip, one_line
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.mining.correction_patterns import REPROOF
from calmkb.capture.mining.lessons import LENGTH, lessons, prompt_at
from calmkb.capture.mining.prompts import own_words
from calmkb.capture.tool_calls.attempts import Attempt, attempts, tool_name
from calmkb.capture.tool_calls.failures import failures, statement
from calmkb.language.detect import ENGLISH, language

_STRONG = re.compile(
    r"\b(?:perfect(?:ly)?|exactly|that's it|nailed it|spot on|love (?:it|this)|brilliant"
    r"|excellent|awesome|amazing)\b",
    re.IGNORECASE,
)
_MODERATE = re.compile(
    r"\b(?:great|nice|looks? good|lgtm|that works|works (?:now|well|great)|good (?:approach|job"
    r"|work|catch|idea)|much better|well done|cool|neat)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:but|however|although|except|not|isn't|doesn't|don't|can you|could you|would be"
    r"|if|still|instead)\b|\?",
    re.IGNORECASE,
)
_SHORT = 14
_OPENING = 60

LAST = 200
CONTENT, CONTEXT = LENGTH, 200
_COMMANDS = 3
_SEARCHES = 3
_NAME = 60
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
    return _keyed(found, transcript)


def _said_by_person(turns: Sequence[Turn], place: int, agent_spoke: bool) -> Iterator[Fields]:
    turn = turns[place]
    context = _before(turns, place)
    for lesson in lessons(prompt_at(turns, place)):
        sure = 2 if language(lesson.sentence) == ENGLISH else 1
        reproves = agent_spoke and REPROOF.search(lesson.sentence)
        if lesson.label == "convention" and not reproves:
            yield _signal("convention", sure, lesson.sentence, context, turn)
        elif agent_spoke:  # before the agent did anything there is nothing to correct
            sure += bool(_INSTEAD.search(lesson.sentence))
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
    """Yield a signal for each error that a command met twice or more, or that a step resolved."""
    for failure in failures(done):
        if failure.first.is_sidechain or not failure.is_signal:
            continue
        if not (text := statement(failure, limit=CONTENT)):
            continue
        yield {
            "type": "failure",
            "confidence": 2,
            "content": text,
            "context": clip(one_line(failure.first.output), CONTEXT),
            "tags": [failure.first.tool],
            "about": f"{failure.first.use_id}\0{failure.ending.remedy}",
        }


def _searches(done: Sequence[Attempt]) -> Iterator[Fields]:
    """Yield one signal for three searches or more in a row that found nothing."""
    run: list[Attempt] = []
    # After an edit an agent looks whether what it removed or is about to write is there.
    edited = next((place for place, one in enumerate(done) if one.is_edit), len(done))
    for attempt in [*done[:edited], None]:
        if attempt is not None and _is_search(attempt) and _NOTHING.match(attempt.output):
            run.append(attempt)
            continue
        if attempt is not None and not _is_search(attempt) and run and attempt.only_looks:
            continue
        names = dict.fromkeys(one.command for one in run if one.command)
        if len(names) >= _SEARCHES:
            asked = "; ".join(f"`{name}`" for name in names if len(name) <= _NAME)
            yield {
                "type": "project_friction",
                "confidence": 1,
                "content": clip(f"{len(names)} searches in a row found nothing: {asked}", CONTENT),
                "context": "",
                "tags": [run[0].tool],
                "about": f"{run[0].use_id}\0{len(names)}",
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
        "at": turn.timestamp,
    }


def _keyed(found: Sequence[Fields], transcript: Transcript) -> list[Fields]:
    """Return the signals with their key and source, those said twice once.

    A resumed or forked session holds words and calls of another one: a failure is known by its
    call, what a person said by the time when it was said first.
    """
    keyed: dict[str, Fields] = {}
    session_id = transcript.session_id
    spoken = [(one_line(one.text).casefold(), one.timestamp)
              for one in transcript.turns if one.role == "person"]  # fmt: skip
    for fields in found:
        about, last, words = fields.pop("about", ""), fields.pop("at", None), fields["content"]
        at = next((at for text, at in spoken if words.casefold() in text), last)
        content_key = f"{at or session_id}\0{fields['type']}\0{words.casefold()}"
        marked = content_key if about.startswith("\0") or not about else about
        key = hashlib.sha256(marked.encode(errors="replace")).hexdigest()[:16]
        source: Fields = {"hook": "PreCompact"}
        if turn := fields.pop("turn", 0):
            source["turn"] = turn
        more = {"session_id": session_id, "source": source, "meta": {"key": key}}
        keyed.setdefault(key, fields | more)
    return list(keyed.values())


def praises(words: str) -> bool:
    """Return whether a person's own words praise: early, in few words, and without a `but`."""
    sentence = re.split(r"[.!\n]", words.strip(), maxsplit=1)[0]
    if _TURNS.search(sentence):
        return False
    opening = words[:_OPENING]
    if _STRONG.search(opening):
        return len(sentence.split()) <= _SHORT
    return bool(_MODERATE.search(opening)) and len(sentence.split()) <= _SHORT // 2
