"""How moments of kept sessions are printed."""

import json
from collections.abc import Collection, Iterator
from typing import Any

import click

from calmkb.cli.base.json_io import fields_named
from calmkb.cli.base.layout import columns, wrapped
from calmkb.cli.base.text import clip, from_home, visible
from calmkb.kb.search.excerpts import excerpt
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import Moment, SessionFound

_BRIEF, _SPEAKER = 120, 20
"""Characters of a hit where a person looks through many, and of its line and speaker."""
_SIZES = (1_200, 400), (800, 400), (500, 200)
"""Characters of a moment and of the words beside it: of a session's best, its second, the rest."""


def brief_lines(found: SessionFound, query: str) -> str:
    """Return a session's address and each hit in two lines, what people and agents said first."""
    turns = [turn for one in found.moments for turn in one.turns if turn.line == one.line]
    lines = [_head(found, columns())]
    for turn in sorted(turns, key=lambda turn: turn.role == "tool"):
        first = " " * max(_SPEAKER, len(f"{turn.line:>6} {visible(_speaker(turn))}: "))
        words = wrapped(clip(excerpt(text_of(turn), query, _BRIEF), _BRIEF), first)
        lines.append(block_of(turn, "\n".join(line.strip() for line in words)))
    return "\n".join(lines)


def session_lines(found: SessionFound, query: str) -> str:
    """Return a session's address, the client's command for it, and its moments, each turn once."""
    lines = [_head(found)]
    shown: set[int] = set()
    for number, moment in enumerate(found.moments):
        lines += ["      …"] if number else []
        lines += _moment_lines(moment, query, _SIZES[min(number, len(_SIZES) - 1)], shown)
        shown |= {turn.line for turn in moment.turns}
    return "\n".join(lines)


def _head(found: SessionFound, width: int = 1_000) -> str:
    """Return the address of a session and the command that resumes it, below it if too long."""
    session = found.session
    address = f"{session.short_name}:{found.moments[0].line}"
    facts = "  ".join((address, session.ended[:10], session.project or session.agent))
    between = "  " if len(facts) + len(session.resume) + 2 <= width else "\n    "
    return f"{click.style(facts, bold=True)}{between}{visible(session.resume)}".rstrip()


def _moment_lines(
    moment: Moment, query: str, sizes: tuple[int, int], shown: Collection[int]
) -> Iterator[str]:
    """Yield a moment's turns: the hit in so many characters, the words beside it in one line."""
    for turn in moment.turns:
        if turn.line == moment.line:
            yield block_of(turn, excerpt(text_of(turn), query, sizes[0]))
        elif turn.line not in shown:
            yield block_of(turn, clip(excerpt(text_of(turn), query, sizes[1]), sizes[1]))


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
