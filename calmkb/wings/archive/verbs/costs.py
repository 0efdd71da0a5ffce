"""What troubles cost the sessions that met them, by the turns that are kept."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.memories.backtest import Cost
from calmkb.model.sessions.archive import KeptTurn
from calmkb.wings.archive.kept.session_file import read_turns
from calmkb.wings.archive.turn_cost import cost_of
from calmkb.wings.archive.turns.sessions import sessions_named
from calmkb.wings.archive.verbs.place import archive_of, current_index


def trouble_costs(
    kb: KnowledgeBase, quotes: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], Cost]:
    """Return by session and quote what the quote's trouble cost; nothing is known of the others.

    Where the copies cannot be read nothing is known of any.
    """
    found: dict[tuple[str, str], Cost] = {}
    with contextlib.suppress(StoreError):
        found.update(_costs(kb, quotes))
    return found


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
