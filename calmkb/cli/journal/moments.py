"""How moments of kept sessions are printed."""

import json
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import click

from calmkb.cli.base.json_io import fields_named
from calmkb.cli.base.layout import columns, wrapped
from calmkb.cli.base.text import clip, from_home, visible
from calmkb.kb.search.excerpts import excerpt
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import SessionFound

_BRIEF, _SPEAKER = 120, 20
"""Characters of a hit where a person looks through many, and of its line and speaker."""
_HIT, _BESIDE = 500, 250
"""Characters of a turn that was found, and of one beside it, where a program reads."""


def session_lines(
    found: Sequence[SessionFound], query: str, room: int = 1_500, *, brief: bool = False
) -> str:
    """Return sessions with their best turns, in about `room` characters, those of tools last.

    The best of each session come first, then other hits, then what is beside them, which a person
    who looks through many does not see.
    """
    heads = [_head(session, columns() if brief else 1_000) for session in found]
    room -= sum(map(len, heads))
    shown: list[dict[tuple[bool, int], str]] = [{} for _ in found]
    turns = [((turn.line != one.line, number > 0, -one.score), place, turn)
             for place, session in enumerate(found)
             for number, one in enumerate(session.moments) for turn in one.turns]  # fmt: skip
    for (is_beside, *_), place, turn in sorted(turns, key=itemgetter(0)):
        size = _BRIEF if brief else _BESIDE if is_beside else _HIT
        words = " ".join(excerpt(text_of(turn), query, size).split())
        block = block_of(turn, _two_lines(turn, words) if brief else words)
        key = turn.role == "tool" or turn.kind == "call", turn.line
        if key not in shown[place] and len(block) < room and not (brief and is_beside):
            shown[place][key] = block
            room -= len(block) + 1
    blocks = ([texts[key] for key in sorted(texts)] for texts in shown)
    return "\n\n".join("\n".join([head, *own]) for head, own in zip(heads, blocks, strict=True))


def _two_lines(turn: KeptTurn, words: str) -> str:
    first = " " * max(_SPEAKER, len(f"{turn.line:>6} {visible(_speaker(turn))}: "))
    return "\n".join(line.strip() for line in wrapped(clip(words, _BRIEF), first))


def _head(found: SessionFound, width: int) -> str:
    """Return the address of a session and the command that resumes it, below it if too long."""
    session = found.session
    address = f"{session.short_name}:{found.moments[0].line}"
    facts = "  ".join((address, session.ended[:10], session.project or session.agent))
    between = "  " if len(facts) + len(session.resume) + 2 <= width else "\n    "
    return f"{click.style(facts, bold=True)}{between}{visible(session.resume)}".rstrip()


def session_row(found: SessionFound) -> dict[str, Any]:
    """Return a session and its moments as JSON has them."""
    session = found.session
    return {
        "session": session.name, "agent": session.agent, "project": session.project,
        "ended_at": session.ended, "score": found.score, "resume": session.resume,
        "moments": [
            {"line": one.line, "score": one.score, "turns": [turn_row(turn) for turn in one.turns]}
            for one in found.moments
        ],
    }  # fmt: skip


def turn_row(turn: KeptTurn) -> dict[str, Any]:
    """Return a turn as JSON has it."""
    row = fields_named(turn, "line", "role", "kind", "tool", "text", "failed")
    return row | ({"change": turn.change} if turn.change else {})


def turn_line(turn: KeptTurn) -> str:
    """Return a turn with its line's number and its speaker."""
    return block_of(turn, text_of(turn))


def block_of(turn: KeptTurn, text: str) -> str:
    """Return a turn with its speaker before it and its line's number, indented below."""
    color = {"person": "cyan", "agent": "green"}.get(turn.role) if turn.kind != "call" else None
    who = click.style(
        f"{turn.line:>6} {visible(_speaker(turn))}: ", fg="red" if turn.failed else color
    )
    return who + visible(from_home(text)).replace("\n", "\n    ")


def _speaker(turn: KeptTurn) -> str:
    if turn.role == "tool":
        return f"{turn.tool or 'tool'} {'✗' if turn.failed else '◂'}"
    return turn.role if turn.kind != "call" else f"{turn.tool} ▸"


def text_of(turn: KeptTurn) -> str:
    """Return what a turn says or does, with the files that it names."""
    text = _arguments(turn.text) if turn.kind == "call" and turn.text[:1] == "{" else turn.text
    files = ", ".join(name for name in turn.files if name not in text)
    return f"{text} ({files})" if files else text


def _arguments(text: str) -> str:
    """Return the longest text among a call's arguments, such as a plan, if that is most of them."""
    try:
        longest = max((one for one in json.loads(text).values() if isinstance(one, str)), key=len)
    except (ValueError, RecursionError):  # no text, or JSON that was cut or nested too deep
        return text
    return longest if 2 * len(longest) > len(text) else text
