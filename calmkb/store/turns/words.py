"""What of a turn is indexed, in which column, and in which form its words are found."""

import re
from binascii import crc32
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from calmkb.model.archive import KeptTurn

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_HUMPED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][a-z0-9]*[A-Z][A-Za-z0-9]*")
# Chinese, Japanese and Korean put no space between words: each sign is indexed as one.
_SIGNS = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
SPOKEN = ("person", "agent")


class Columns(NamedTuple):
    """A row of the full text."""

    said: str = ""
    did: str = ""
    got: str = ""
    files: str = ""
    marks: str = ""


def columns_of(turn: KeptTurn, project: str, repository: str) -> Columns:
    """Return the texts of a turn by what they are: words, a call, or what a tool answered."""
    text = searchable(turn.text)
    files = " ".join(turn.files)
    marks = " ".join(_marks(turn, project, repository))
    if is_said(turn):
        return Columns(said=text, marks=marks)
    if turn.kind == "call":
        return Columns(did=f"{text}\n{searchable(turn.change)}", files=files, marks=marks)
    return Columns(got=text, files=files, marks=marks)


def is_said(turn: KeptTurn) -> bool:
    """Return whether a turn is a person's or an agent's own words."""
    return turn.role in SPOKEN and turn.kind in ("", "rejection")


def searchable(text: str) -> str:
    """Return a text with the parts of its names beside them: SilentError is found by both words."""
    humped = dict.fromkeys(name for name in _HUMPED.findall(text) if not name.isupper())
    parts = " ".join(_HUMP.sub(" ", name) for name in humped)
    return signs_apart(f"{text}\n{parts}" if parts else text)


def signs_apart(text: str) -> str:
    """Return a text with spaces around the signs of languages that put none."""
    return text if text.isascii() else _SIGNS.sub(r" \1 ", text)


@lru_cache(maxsize=4_096)
def mark(kind: str, value: str) -> str:
    """Return the word that narrows a search to a value, such as a tool."""
    return f"{kind}{crc32(value.casefold().encode(errors='replace')):08x}"


def _marks(turn: KeptTurn, project: str, repository: str) -> Iterable[str]:
    yield mark("who", turn.role)
    yield mark("project", project)
    if repository:
        yield mark("repository", repository)
    if turn.tool:
        yield mark("tool", turn.tool)
    if turn.failed or turn.kind == "error":
        yield mark("error", "")
