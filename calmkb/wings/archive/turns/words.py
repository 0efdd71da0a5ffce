"""What of a turn is indexed, what it is worth, and in which form its words are found."""

import math
import re
from binascii import crc32
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from calmkb.model.sessions.archive import KeptTurn

# Patterns are compiled when they are used first: a search by words needs one of them.
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_HUMPED = r"(?<![A-Za-z0-9])[A-Za-z][a-z0-9]*[A-Z][A-Za-z0-9]*"
# Chinese, Japanese and Korean put no space between words: each sign is indexed as one.
_SIGNS = r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
SPOKEN = ("person", "agent")
_WORD = r"[^\W_]+"
# Arguments are kept as JSON, where a line's end would stick to the word after it.
_ESCAPED = r"\\[nrt]"
_SAID, _DONE, _ANSWERED = 1.0, 0.8, 0.4
LEVELS = 255
_SHORT = 20
"""Characters of "yes" and the like, which every session repeats."""


def indexed(turn: KeptTurn) -> str:
    """Return the words of a turn, and the marks that narrow a search to it."""
    texts = (searchable(text) for text in _texts(turn))
    return "\n".join((*texts, *turn.files, *_marks(turn)))


def holds(turn: KeptTurn, phrase: Sequence[str]) -> bool:
    """Return whether these words stand in a turn one after the other."""
    asked = f" {' '.join(phrase)} "
    texts = (searchable(text) for text in (*_texts(turn), *turn.files))
    return any(asked in f" {' '.join(split_words(text))} " for text in texts)


def split_words(text: str) -> list[str]:
    """Return the words of a text as the index has them, but for their endings."""
    return re.findall(_WORD, signs_apart(text).casefold())


def _texts(turn: KeptTurn) -> Iterator[str]:
    yield turn.text
    if turn.kind == "call" and "\\" in turn.text:
        yield re.sub(_ESCAPED, " ", turn.text)
    if turn.change:
        yield turn.change


def level(turn: KeptTurn) -> int:
    """Return what a word is worth in a turn, up to LEVELS: more in words said, less in long texts.

    The index does not know how often a word is in a turn, so that length counts less than in BM25.
    """
    worth = _SAID if is_said(turn) else _DONE if turn.kind == "call" else _ANSWERED
    length = len(turn.text) + len(turn.change)
    return max(1, round(LEVELS * worth / (1 + 0.5 * math.log1p(length / 300))))


def sameness(turn: KeptTurn) -> int:
    """Return a number that words have in common with the same words elsewhere; 0 for short ones."""
    return crc32(turn.text.encode(errors="replace")) if len(turn.text) > _SHORT else 0


def is_said(turn: KeptTurn) -> bool:
    """Return whether a turn is a person's or an agent's own words."""
    return turn.role in SPOKEN and turn.kind in ("", "rejection")


def searchable(text: str) -> str:
    """Return a text with the parts of its names beside them: SilentError is found by both words."""
    humped = dict.fromkeys(name for name in re.findall(_HUMPED, text) if not name.isupper())
    parts = " ".join(re.sub(_HUMP, " ", name) for name in humped)
    return signs_apart(f"{text}\n{parts}" if parts else text)


def signs_apart(text: str) -> str:
    """Return a text with spaces around the signs of languages that put none."""
    return text if text.isascii() else re.sub(_SIGNS, r" \1 ", text)


@lru_cache(maxsize=4_096)
def mark(kind: str, value: str) -> str:
    """Return the word that narrows a search to a value, such as a tool."""
    return f"{kind}{crc32(value.casefold().encode(errors='replace')):08x}"


def file_mark(name: str) -> str:
    """Return the word that a turn has if one of its files ends in these folders and this name."""
    return mark("file", "/".join(_folders(name)))


def names_file(turn: KeptTurn, name: str) -> bool:
    """Return whether a turn's call is about a file, or its text names it."""
    own = _folders(name)
    in_text = name in turn.text or name in turn.change
    return in_text or any(_folders(path)[-len(own) :] == own for path in turn.files)


def _folders(name: str) -> list[str]:
    return [part for part in name.casefold().replace("\\", "/").split("/") if part not in ("", ".")]


def _marks(turn: KeptTurn) -> Iterable[str]:
    yield mark("who", turn.role)
    if turn.tool:
        yield mark("tool", turn.tool)
    if turn.failed or turn.kind == "error":
        yield mark("error", "")
    for name in turn.files:
        parts = _folders(name)
        for start in range(len(parts)):
            yield mark("file", "/".join(parts[start:]))
