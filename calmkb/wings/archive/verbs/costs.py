"""What troubles cost the sessions that met them, by the turns that are kept."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence

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
    archive = archive_of(kb.environment)
    if not quotes or not archive.folder.is_dir():
        return found
    with contextlib.suppress(StoreError), current_index(kb.environment, archive) as db:
        for number, name in enumerate(sorted(quotes), 1):  # so that a session is read once
            kb.environment.report("Reading kept sessions", number, len(quotes))
            rows = [row for row in sessions_named(db, name) if name in (row.name, row.resume_id)]
            turns: Sequence[KeptTurn] = ()
            if rows:
                with contextlib.suppress(StoreError):  # it went to make room
                    turns = read_turns(archive.folder / rows[0].path)
            costs = {(name, quote): cost_of(turns, quote) for quote in quotes[name]}
            found.update({key: cost for key, cost in costs.items() if cost})
    return found
