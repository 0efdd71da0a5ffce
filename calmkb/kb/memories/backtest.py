"""Did the trouble of memories and proposals come back? Told by the sessions since."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from calmkb.capture.tool_calls.cost import cost_of
from calmkb.errors import StoreError
from calmkb.kb.archive.place import archive_of, current_index
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.search.friction import SessionTexts, session_texts, troubles_of
from calmkb.model import Memory, Proposal
from calmkb.model.memories.backtest import Backtest, Cost, Occurrence
from calmkb.model.sessions.archive import KeptTurn
from calmkb.reflect.memories.backtest import Met, lesson_of
from calmkb.reflect.memories.backtest import backtest as judged
from calmkb.store.archive.session_file import read_turns
from calmkb.store.turns.sessions import sessions_named


def backtests(
    kb: KnowledgeBase,
    asked: Sequence[Memory | Proposal],
    contents: Contents,
    texts: SessionTexts | None = None,
    *,
    costs: bool = True,
) -> list[Backtest]:
    """Return the backtest of each, in their order, with the costs that kept sessions tell.

    Without `costs` it is by the records alone, so the same on every machine. `texts` are those of
    all sessions.
    """
    if not asked:
        return []
    sessions = {
        view.entry.id: Met(view.entry.created_at, view.entry.project_name, view.entry.session_id)
        for view in contents.sessions
    }
    mentioned = troubles_of(kb, asked, texts or session_texts(kb, contents.sessions))
    found = judged([lesson_of(one) for one in asked], mentioned, sessions)
    return _with_costs(kb, found) if costs else found


def _costs(
    kb: KnowledgeBase, quotes: Mapping[str, Iterable[str]]
) -> Iterator[tuple[tuple[str, str], Cost]]:
    """Yield what each quote's trouble cost its session, by both; a session is read once."""
    archive = archive_of(kb.environment)
    if not quotes or not archive.folder.is_dir():
        return
    with current_index(kb.environment, archive) as db:
        for number, name in enumerate(sorted(quotes), 1):
            kb.environment.report("Reading kept sessions", number, len(quotes))
            rows = [row for row in sessions_named(db, name) if name in (row.name, row.resume_id)]
            turns: Sequence[KeptTurn] = ()
            if rows:
                with contextlib.suppress(StoreError):  # it went to make room
                    turns = read_turns(archive.folder / rows[0].path)
            for quote in quotes[name]:
                if cost := cost_of(turns, quote):
                    yield (name, quote), cost


def _with_costs(kb: KnowledgeBase, found: Sequence[Backtest]) -> list[Backtest]:
    """Return the backtests with the costs that kept sessions tell.

    Where the copies cannot be read nothing is known of costs, and all else is reported.
    """
    quotes: dict[str, set[str]] = {}
    for test in found:
        for one in (*test.met, *test.met_since):
            if one.session_id:
                quotes.setdefault(one.session_id, set()).add(one.quote)
    costs: dict[tuple[str, str], Cost] = {}
    with contextlib.suppress(StoreError):
        costs.update(_costs(kb, quotes))

    def filled(met: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
        return tuple(replace(one, cost=costs.get((one.session_id, one.quote))) for one in met)

    return [replace(t, met=filled(t.met), met_since=filled(t.met_since)) for t in found]
