"""What enforced memories stopped, warned of or let pass on this machine: ids and checks, no call.

One line of JSON each in `checks.jsonl`; a call itself is not kept, for it may hold what is secret.
"""

import contextlib
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from calmkb.errors import StoreError
from calmkb.model.memories.enforcement import Stopped
from calmkb.store.local.state_files import add_rows, record_of, rows_in

if TYPE_CHECKING:  # a client waits for what notes what fired
    from calmkb.kb.base.knowledge_base import KnowledgeBase

NAME = "checks.jsonl"


@dataclass(frozen=True, slots=True)
class FiredCheck:
    """One call that broke a memory's check, and its outcome: block, warn, or passed by a person.

    `at` is an ISO time with its offset, `session` the client's id.
    """

    memory: str
    knowledge_base: str
    session: str
    at: str
    check: str
    outcome: Literal["block", "warn", "passed"]


def note_fired(state: Path, fired: FiredCheck) -> None:
    """Append one line; a full disk loses it, for the client waits for an answer."""
    with contextlib.suppress(StoreError):
        add_rows(state / NAME, [asdict(fired)], durable=False)


def stopped(kb: "KnowledgeBase") -> dict[str, Stopped]:
    """Return by memory what its checks stopped here; a line that is no such row is passed over."""
    rows: dict[str, list[FiredCheck]] = defaultdict(list)
    for row in rows_in(kb.environment.own / NAME):
        one = record_of(FiredCheck, row)
        if one and one.knowledge_base == str(kb.root):
            rows[one.memory].append(one)
    return {memory: _sum(some) for memory, some in rows.items()}


def _sum(rows: list[FiredCheck]) -> Stopped:
    count = [one.outcome for one in rows].count
    return Stopped(
        blocked=count("block"),
        warned=count("warn"),
        passed=count("passed"),
        sessions=len({one.session for one in rows}),
        last=max(one.at for one in rows)[:10],
    )
