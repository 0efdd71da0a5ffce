"""A kept session as `calmkb show` prints it: around a line, whole, or as Markdown."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.text import visible
from calmkb.cli.journal.moments import block_of, text_of, turn_row
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import Thread
from calmkb.wings.archive.verbs.threads import open_thread

if TYPE_CHECKING:
    from calmkb.cli.journal.show import Detail, Page
    from calmkb.kb.base.knowledge_base import KnowledgeBase

_FOLDED = 3  # lines of a tool's answer that a thread shows; a change is shown to twenty
_CHANGE = 20


def page(kb: "KnowledgeBase", name: str, detail: "Detail") -> "Page":
    """Return a kept session, or what is around a line of it."""
    one = open_thread(kb.environment, name, around=detail.around)
    row = {"session": one.session.name, "agent": one.session.agent, "line": one.line,
           "project": one.session.project, "resume": one.session.resume,
           "turns": [turn_row(turn) for turn in one.turns]}  # fmt: skip
    lines = _markdown(one) if detail.markdown else _thread_lines(one, unfolded=detail.tools)
    return row, "\n".join(lines)


def _thread_lines(thread: Thread, *, unfolded: bool) -> Iterator[str]:
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


def _markdown(thread: Thread) -> Iterator[str]:
    """Yield a session's turns as Markdown: a heading a speaker, what tools did as code."""
    session = thread.session
    yield f"# Session {visible(session.name)}"
    facts = (session.agent, session.project, session.started[:16].replace("T", " "))
    yield f"\n{visible(', '.join(one for one in facts if one))}"
    for turn in thread.turns:
        text = visible(text_of(turn))
        if turn.role in ("person", "agent") and turn.kind != "call":
            yield f"\n## {turn.role.capitalize()}\n\n{text}"
        elif turn.role == "tool" or turn.kind == "call":
            done = "" if turn.kind == "call" else " failed" if turn.failed else " answered"
            code = f"{text}\n{visible(turn.change)}".strip()
            fence = "`" * (max(map(len, re.findall("`{3,}", code)), default=2) + 1)
            yield f"\n{visible(turn.tool) or 'Tool'}{done}:\n\n{fence}\n{code}\n{fence}"


def _turn_lines(turn: KeptTurn, *, unfolded: bool) -> Iterator[str]:
    text = visible(text_of(turn))
    if turn.role in ("person", "agent") and turn.kind != "call":
        yield block_of(turn, text)
        yield ""
        return
    lines = text.split("\n")
    most = len(lines) if unfolded else 1 if turn.kind == "call" else _FOLDED
    yield block_of(turn, "\n".join(lines[:most]) + _more(len(lines) - most))
    changed = turn.change.split("\n") if turn.change else []
    most = len(changed) if unfolded else _CHANGE
    for line in changed[:most]:
        color = {"-": "red", "+": "green"}.get(line[:1])
        yield click.style(f"    {visible(line)}", fg=color)
    if more := _more(len(changed) - most):
        yield more.lstrip("\n")


def _more(lines: int) -> str:
    return f"\n    … {lines} more lines: --tools" if lines > 0 else ""
