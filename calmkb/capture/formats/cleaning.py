"""Texts made fit to read: no escapes, no control characters, no tags of the client."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from calmkb.model.words import clip as clip

_HEAD, _TAIL = 2_500, 1_500
_WHOLE, _BRIEF, _OUTSIDE = 16, 1 / 4, 1 / 64
_LARGE = 64 * 1024 * 1024
_scale: ContextVar[float] = ContextVar("scale", default=1)
_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and cursor moves
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # links and titles
    r"|\x1b[@-Z\\-_]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_TAGS = (
    "system-reminder|ide_[a-z_]+|task-notification|local-command-[a-z]+|command-[a-z]+"
    "|bash-[a-z]+|calmkb-context|session_context|hook_context|user-prompt-submit-hook|new-diagnostics|system-notification|agent-notification"
)
_OPENING = re.compile(rf"<({_TAGS})\b[^<>]{{0,200}}>", re.IGNORECASE)
_STRAY_TAG = re.compile(rf"</?({_TAGS}|tool_use_error)\b[^>]*>", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<=[\w)\]`\"'*%][.!?…])[\"')\]`*]*\s+(?=\S)|\n+"
    # Chinese and Japanese put no space after a sentence.
    r"|(?<=[\u3002\uff01\uff1f])\s*(?=[^\s\u300d\u300f\uff09\u3002\uff01\uff1f])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no)|(?:^|\s)[A-Za-z]|^\s*\d{1,2})\.$", re.IGNORECASE
)


def clean(text: str) -> str:
    """Return `text` without escapes, control characters, lone surrogates and reminder blocks."""
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _STRAY_TAG.sub("", without_echoes(_CONTROL.sub("", text))).strip()


def without_echoes(text: str) -> str:
    """Return `text` without the blocks that the client wraps in tags of its own."""
    collector: list[str] = []
    place = 0
    lower = text.lower()
    unclosed: set[str] = set()
    for opening in _OPENING.finditer(text):
        name, at = opening[1].lower(), opening.start()
        if at < place or name in unclosed:
            continue
        closing = lower.find(f"</{name}", opening.end())
        if closing >= 0:
            collector.append(text[place:at])
            place = lower.find(">", closing) + 1 or len(text)
        elif not text[text.rfind("\n", 0, at) + 1 : at].strip():
            # It opens a line: cut off by a limit, and the client's to its end.
            return "".join([*collector, text[place:at]])
        else:
            # In the middle of a line it is a person writing about the tag.
            unclosed.add(name)
    return "".join([*collector, text[place:]])


def one_line(text: str) -> str:
    """Return the cleaned text with every run of white space as one space."""
    return " ".join(clean(text).split())


@dataclass(slots=True)
class Window:
    """The lines of a file that are read whole: those after `after` until `room` bytes are read.

    What is outside is cut short. `last` is the last line inside, `more` whether others follow it.
    """

    after: int = 0
    room: int = sys.maxsize
    last: int = 0
    more: bool = False

    def at(self, line: int, size: int) -> None:
        """Read a line of `size` bytes whole if it is inside; the first ones are read twice."""
        inside = self.after < line <= self.last or (line > self.after and self.room > 0)
        self.more |= line > self.after and not inside
        if inside and line > self.last:
            self.room, self.last = self.room - size, line
        _scale.set(_WHOLE if inside else _OUTSIDE)


_window: ContextVar[Window | None] = ContextVar("window", default=None)


@contextmanager
def whole_texts(window: Window | None = None) -> Iterator[None]:
    """Read transcripts with texts of sixteen times the length: to keep them, not to judge them."""
    before, around = _scale.set(_WHOLE), _window.set(window)
    try:
        yield
    finally:
        _scale.reset(before)
        _window.reset(around)


@contextmanager
def fitting_texts(size: int) -> Iterator[None]:
    """Read a file of `size` bytes; of a large one with shorter texts, unless they are kept."""
    before = _scale.set(_BRIEF if size > _LARGE and not is_whole() else _scale.get())
    try:
        yield
    finally:
        _scale.reset(before)


def at_line(number: int, size: int) -> None:
    """Say that a line of a file is read next: outside a window its texts are cut short."""
    if window := _window.get():
        window.at(number, size)


def is_whole() -> bool:
    """Return whether what is read is kept: what a call writes is wanted too."""
    return _scale.get() > 1


def scaled(limit: int) -> int:
    """Return a limit of characters as it is for what is being read."""
    return int(limit * _scale.get())


def clip_middle(text: str, factor: int = 1) -> str:
    """Keep the beginning and the end of a long text: errors are at either."""
    head, tail = scaled(_HEAD) * factor, scaled(_TAIL) * factor
    if len(text) <= head + tail:
        return text
    return f"{text[:head]}\n…\n{text[-tail:]}"


def sentences(text: str) -> list[str]:
    """Split into sentences: at full stops before a capital, and at every line end."""
    found: list[str] = []
    for piece in _SENTENCE_END.split(text):
        if found and _ABBREVIATION.search(found[-1]) and "\n" not in piece:
            found[-1] = f"{found[-1]} {piece.strip()}"
        elif piece.strip():
            found.append(piece.strip())
    return found
