"""Did the trouble of memories and proposals come back? Told by the sessions since."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import Contents
from calmkb.kb.search.friction import SessionTexts, session_texts, troubles_of
from calmkb.model import Memory, Proposal
from calmkb.model.memories.backtest import Backtest, Occurrence
from calmkb.model.sessions.entries import threads
from calmkb.reflect.memories.backtest import Met
from calmkb.reflect.memories.backtest import backtest as judged


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
    entries = {view.entry.id: view.entry for view in contents.sessions}
    sessions = {
        name: Met(
            entries[name].created_at, entries[name].project_name, entries[name].session_id, thread
        )
        for name, thread in threads(entries.values()).items()
    }
    mentioned = troubles_of(kb, asked, texts or session_texts(kb, contents.sessions))
    found = judged(asked, mentioned, sessions)
    return _with_costs(kb, found) if costs else found


def _with_costs(kb: KnowledgeBase, found: Sequence[Backtest]) -> list[Backtest]:
    """Return the backtests with the costs that kept sessions tell.

    Where the copies cannot be read nothing is known of costs, and all else is reported.
    """
    quotes: dict[str, set[str]] = {}
    for test in found:
        for one in (*test.met, *test.met_since):
            if one.session_id:
                quotes.setdefault(one.session_id, set()).add(one.quote)
    costs = points.trouble_costs(kb, quotes)

    def filled(met: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
        return tuple(replace(one, cost=costs.get((one.session_id, one.quote))) for one in met)

    return [replace(t, met=filled(t.met), met_since=filled(t.met_since)) for t in found]
