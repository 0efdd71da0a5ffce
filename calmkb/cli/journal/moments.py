"""How moments and threads of kept sessions are printed."""

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.json_io import fields_named
from calmkb.cli.base.text import clip, visible
from calmkb.kb.base.points import open_thread
from calmkb.kb.search.excerpts import excerpt
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import Moment, SessionFound, Thread

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Detail, Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_SIZES = (1_200, 400), (800, 400), (500, 200)
"""Characters of a moment and of the words beside it: of a session's best, its second, the rest."""
_FOLDED = 3
"""Lines of a tool's answer that a thread shows; a change is shown to twenty."""
_CHANGE = 20


def page(kb: "KnowledgeBase", name: str, detail: "Detail") -> "Page":
    """Return a kept session, or what is around a line of it."""
    one = open_thread(kb.environment, name, around=detail.around)
    row = {"session": one.session.name, "agent": one.session.agent, "line": one.line,
           "project": one.session.project, "resume": one.session.resume,
           "turns": [turn_row(turn) for turn in one.turns]}  # fmt: skip
    return row, "\n".join(thread_lines(one, unfolded=detail.tools))


def session_lines(found: SessionFound, query: str) -> str:
    """Return a session's address, the client's command for it, and its moments, each turn once."""
    session = found.session
    address = f"{session.short_name}:{found.moments[0].line}"
    facts = (address, session.ended[:10], session.project or session.agent)
    head = click.style("  ".join(facts), bold=True)
    lines = [f"{head}  {visible(session.resume)}".rstrip()]
    shown: set[int] = set()
    for number, moment in enumerate(found.moments):
        lines += ["      …"] if number else []
        lines += _moment_lines(moment, query, _SIZES[min(number, len(_SIZES) - 1)], shown)
        shown |= {turn.line for turn in moment.turns}
    return "\n".join(lines)


def _moment_lines(
    moment: Moment, query: str, sizes: tuple[int, int], shown: Collection[int]
) -> Iterator[str]:
    """Yield a moment's turns: the hit in so many characters, the words beside it in one line."""
    for turn in moment.turns:
        if turn.line == moment.line:
            yield _block(turn, excerpt(_text(turn), query, sizes[0]))
        elif turn.line not in shown:
            yield _block(turn, clip(excerpt(_text(turn), query, sizes[1]), sizes[1]))


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


def thread_lines(thread: Thread, *, unfolded: bool) -> Iterator[str]:
    """Yield a session's turns as a page that reads well: tools folded, changes as such."""
    session = thread.session
    name = session.name if thread.line == 0 else f"{session.name}:{thread.line}"
    facts = (name, session.agent, session.project, session.ended[:10])
    yield click.style("  ".join(one for one in facts if one), bold=True)
    if len(thread.turns) < thread.all_turns:
        yield f"{len(thread.turns)} of {thread.all_turns} turns; all: calmkb show {session.name}"
    yield ""
    for turn in thread.turns:
        if turn.role == "system" and turn.kind in ("echo", ""):
            continue
        yield from _turn_lines(turn, unfolded=unfolded)
    if session.resume:
        yield f"Go on with it in the client: {session.resume}"


def turn_line(turn: KeptTurn) -> str:
    """Return a turn with its line's number and its speaker."""
    return _block(turn, _text(turn))


def _turn_lines(turn: KeptTurn, *, unfolded: bool) -> Iterator[str]:
    text = visible(_text(turn))
    if turn.role in ("person", "agent") and turn.kind != "call":
        yield _block(turn, text)
        yield ""
        return
    lines = text.split("\n")
    most = len(lines) if unfolded else 1 if turn.kind == "call" else _FOLDED
    yield _block(turn, "\n".join(lines[:most]) + _more(len(lines) - most))
    changed = turn.change.split("\n") if turn.change else []
    most = len(changed) if unfolded else _CHANGE
    for line in changed[:most]:
        color = {"-": "red", "+": "green"}.get(line[:1])
        yield click.style(f"    {visible(line)}", fg=color)
    if more := _more(len(changed) - most):
        yield more.lstrip("\n")


def _more(lines: int) -> str:
    return f"\n    … {lines} more lines: --tools" if lines > 0 else ""


def _block(turn: KeptTurn, text: str) -> str:
    """Return a turn with its speaker before it and its line's number, indented below."""
    who = turn.role if turn.kind != "call" else f"{turn.tool} ▸"
    if turn.role == "tool":
        who = f"{turn.tool or 'tool'} ✗" if turn.failed else f"{turn.tool or 'tool'} ◂"
    color = {"person": "cyan", "agent": "green"}.get(turn.role) if turn.kind != "call" else None
    head = click.style(f"{turn.line:>6} {visible(who)}: ", fg="red" if turn.failed else color)
    return head + visible(text).replace("\n", "\n    ")


def _text(turn: KeptTurn) -> str:
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
