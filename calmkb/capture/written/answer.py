"""What a model wrote of a session, read as hostile input: a sentence without support is dropped."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calmkb.capture.condense import SessionLine
from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.written.question import ITEMS, LEARNINGS
from calmkb.errors import TranscriptError
from calmkb.system.agent_result import json_objects

SENTENCE, LEARNING = 600, 300
"""Characters of a sentence; a learning is as short as a wrap-up's."""
SHARED_WORDS = 0.5
"""The share of a sentence's words that its session must hold.

With the rule for names it keeps 88 % of what wrap-ups say of their own session and 14 % of what
they say of another one (908 sentences of 100 wrap-ups of one team; chosen on these, any line
cited).
"""
_LIMITS = {"summary": 4, "friction_points": ITEMS, "next_steps": ITEMS, "learnings": LEARNINGS}
_NEAR = 3
_CODE = re.compile(r"`([^`]+)`|[\"\u201c]([^\"\u201c\u201d]{2,})[\"\u201d]")
_NUMBER = re.compile(r"(?<![\w.])#?\d[\d.,]+\b")
_PART = re.compile(r"[^\W_]{2,}")
_WORD = re.compile(r"[^\W\d_][\w-]{3,}")
_STEM = 6


@dataclass(frozen=True, slots=True)
class Written:
    """The sentences that the session supports, and how many were dropped."""

    summary: str
    friction_points: tuple[str, ...]
    next_steps: tuple[str, ...]
    learnings: tuple[str, ...]
    dropped: int


def read_written(text: str, lines: Sequence[SessionLine]) -> Written:
    """Return what is sound in an answer; TranscriptError where no summary is left.

    `text` is the JSON object asked for, alone, in a fence or inside prose.
    """
    session = _Session(lines)
    row = next(json_objects(text, "summary"), None)
    if row is None:
        start = one_line(text)[:60] or "it is empty"
        raise TranscriptError(f"the answer holds no JSON object with a summary: {start}")
    kept, dropped = {}, 0
    for name, limit in _LIMITS.items():
        items = list(_items(row.get(name)))
        sound = [one for one, cited in items if session.supports(one, cited)]
        longest = LEARNING if name == "learnings" else SENTENCE
        sound = [one for one in sound if len(one) <= longest][:limit]
        kept[name] = tuple(dict.fromkeys(sound))
        dropped += len(items) - len(sound)
    if not kept["summary"]:
        raise TranscriptError("the answer has no summary that the session supports")
    return Written(
        summary=" ".join(kept["summary"]),
        friction_points=kept["friction_points"],
        next_steps=kept["next_steps"],
        learnings=kept["learnings"],
        dropped=dropped,
    )


class _Session:
    """The lines of a session, ready to be searched."""

    def __init__(self, lines: Sequence[SessionLine]) -> None:
        self._places = {line.number: place for place, line in enumerate(lines)}
        self._stems = [_stems(line.text) for line in lines]
        self._known = frozenset().union(*self._stems)
        self._parts = frozenset(part for line in lines for part in _parts(line.text))

    def supports(self, sentence: str, cited: Sequence[int]) -> bool:
        """Return whether the session holds names and most words, and a cited line bears on it."""
        places = [self._places[number] for number in cited if number in self._places]
        words = _stems(sentence)
        if not places or not words:
            return False
        if not all(part in self._parts for name in _names(sentence) for part in _parts(name)):
            return False
        if len(words & self._known) < SHARED_WORDS * len(words):
            return False
        return any(
            words & stems
            for place in places
            for stems in self._stems[max(0, place - _NEAR) : place + _NEAR]
        )


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.casefold()[:_STEM] for word in _WORD.findall(text))


def _parts(text: str) -> list[str]:
    """Return the letters and digits of which names, paths and numbers are made."""
    return [part.casefold() for part in _PART.findall(text)]


def _names(sentence: str) -> Iterator[str]:
    """Yield what must not be invented: code, quotations, numbers of two digits and more."""
    yield from ("".join(found) for found in _CODE.findall(sentence))
    yield from _NUMBER.findall(sentence)


def _items(value: object) -> Iterator[tuple[str, list[int]]]:
    """Yield each sentence with the lines it cites; what has another form is passed over."""
    for item in value if isinstance(value, list) else ():
        text = item.get("text") if isinstance(item, dict) else None
        cited = item.get("lines") if isinstance(item, dict) else None
        if isinstance(text, str) and (line := one_line(text)):
            numbers = cited if isinstance(cited, list) else []
            yield line, [one for one in numbers if type(one) is int]
