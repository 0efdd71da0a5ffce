"""Kept sessions over MCP in two steps: a line a moment with its cost, then the turns around one."""

from collections.abc import Iterator

from pydantic import BaseModel

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.points import find_moments, open_thread
from calmkb.kb.search.excerpts import excerpt
from calmkb.kb.text import show_invisible
from calmkb.model.sessions.archive import KeptTurn
from calmkb.model.sessions.kept import MomentsWanted, SessionFound, Thread
from calmkb.model.words import short_line

MOMENTS = 3  # moments of each session, on average: a line is 50 tokens
_LINE = 200
_AROUND = 4
_TURN, _THREAD = 2_000, 12_000
"""Characters of a turn and of all turns that `get` gives: 3,000 tokens at most."""
_CHARACTERS_A_TOKEN = 4


class MomentRow(BaseModel):
    """A turn of an earlier session; `id` opens it with `get`, for about `tokens`."""

    id: str
    date: str
    who: str
    line: str
    tokens: int


def moment_rows(kb: KnowledgeBase, wanted: MomentsWanted) -> list[MomentRow]:
    """Return the best moments of kept sessions, a line each."""
    found = find_moments(kb, wanted, meaning=True)
    return [row for one in found for row in _rows(one, wanted.query)]


def thread_text(kb: KnowledgeBase, address: str) -> str:
    """Return the turns around a line of a session, cut to a bound."""
    thread = open_thread(kb.environment, address, around=_AROUND)
    lines = [f"{thread.session.name} ({thread.session.ended[:10]})", *_lines(thread)]
    text = "\n\n".join(lines)
    return text if len(text) <= _THREAD else f"{text[:_THREAD]}…"


def _rows(found: SessionFound, query: str) -> Iterator[MomentRow]:
    for moment in found.moments:
        cost = min(_THREAD, sum(min(_TURN, len(turn.text)) for turn in moment.turns))
        line = show_invisible(excerpt(moment.hit.text, query, _LINE))
        yield MomentRow(
            id=f"{found.session.short_name}:{moment.line}",
            date=found.session.ended[:10],
            who=moment.hit.role,
            line=short_line(line, _LINE),
            tokens=-(-cost // _CHARACTERS_A_TOKEN),
        )


def _lines(thread: Thread) -> Iterator[str]:
    """Yield the turns, the one that was asked for first: it is there however much is cut."""
    asked = [turn for turn in thread.turns if turn.line == thread.line]
    others = [turn for turn in thread.turns if turn.line != thread.line and turn.role != "system"]
    yield from (_line(turn) for turn in (*asked, *others))


def _line(turn: KeptTurn) -> str:
    text = f"{turn.text}\n{turn.change}".strip()
    cut = text if len(text) <= _TURN else f"{text[:_TURN]}…"
    who = f"{turn.role} {turn.tool}".strip()
    return show_invisible(f"[{turn.line}] {who}: {cut}")
