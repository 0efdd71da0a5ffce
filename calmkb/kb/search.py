"""`search` and `show`: a line for each record found, then whole records for those who ask."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from calmkb.errors import NotFoundError
from calmkb.kb.base import KnowledgeBase
from calmkb.model import Entry, Memory, Problem, Record, Reflection
from calmkb.store.index import Index, with_index
from calmkb.store.index_queries import Found, at_row, with_prefix
from calmkb.store.index_records import microseconds, pack
from calmkb.store.search import CHARACTERS_A_TOKEN, Match, Wanted
from calmkb.store.search import search as look

SHOWN_OF_ID = 8


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A record found: enough to choose by; `tokens` is what showing it whole costs to read."""

    id: str
    kind: str
    created_at: datetime
    project: str
    headline: str
    snippet: str
    tokens: int
    score: float


@dataclass(frozen=True)
class Hits:
    """The records found, best first, and the files that could not be read."""

    hits: tuple[Hit, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Shown:
    """A record whole: its kind, its path below the journal, and its file's text."""

    kind: str
    path: str
    record: Record
    text: str


def search(
    kb: KnowledgeBase,
    query: str,
    *,
    kind: str = "",
    project: str = "",
    since: date | None = None,
    limit: int = 10,
) -> list[Hit]:
    """Return the records that hold words of `query`, best first."""
    asked = search_with_problems(kb, query, kind=kind, project=project, since=since, limit=limit)
    return list(asked.hits)


def search_with_problems(
    kb: KnowledgeBase,
    query: str,
    *,
    kind: str = "",
    project: str = "",
    since: date | None = None,
    limit: int = 10,
) -> Hits:
    """Return what `search` does, and the files that could not be read."""
    if not kb.journal.is_dir():
        return Hits((), ())
    start = microseconds(datetime.fromisoformat(f"{since}T00:00:00+00:00")) if since else None
    wanted = Wanted(query, kind=kind, project=project, since=start, limit=limit)

    def ask(index: Index) -> Hits:
        hits = tuple(_hit(at_row(index, match.row), match) for match in look(index, wanted))
        return Hits(hits, index.problems())

    return with_index(kb.journal, ask)


def show(kb: KnowledgeBase, ids: Sequence[str]) -> list[Shown]:
    """Return the records whose ids begin so, of any kind, in the order asked for.

    Raises NotFoundError naming every id that none or many records have.
    """
    if not kb.journal.is_dir():
        raise NotFoundError(f"there is no journal at {kb.journal}, so nothing to show")
    found = with_index(kb.journal, lambda index: [_find(index, prefix) for prefix in ids])
    faults = [item for item in found if isinstance(item, str)]
    if faults:
        raise NotFoundError("; ".join(faults) + "; find ids with: calmkb search WORDS")
    return [_whole(kb, item) for item in found if isinstance(item, Found)]


def _find(index: Index, prefix: str) -> Found | str:
    """Return the one record that `prefix` names, or what is wrong with it."""
    wanted = prefix.strip().lower()
    found = with_prefix(index, wanted) if wanted else []
    if not found:
        return f"record {prefix!r} not found"
    if len(found) > 1:
        shown = ", ".join(item.record.id[: len(wanted) + SHOWN_OF_ID] for item in found[:4])
        return f"record {prefix!r} is not unique ({shown}); give more of the id"
    return found[0]


def _whole(kb: KnowledgeBase, found: Found) -> Shown:
    text = (kb.journal / found.path).read_text(encoding="utf-8", errors="replace")
    return Shown(found.kind, found.path, found.record, text)


def _hit(found: Found, match: Match) -> Hit:
    record = found.record
    return Hit(
        id=record.id,
        kind=found.kind,
        created_at=record.created_at,
        project=_project(record),
        headline=_headline(record),
        snippet=match.snippet,
        tokens=-(-found.characters // CHARACTERS_A_TOKEN),
        score=round(match.score, 4),
    )


def _project(record: Record) -> str:
    if isinstance(record, Entry):
        return record.project_name
    return record.scope if isinstance(record, Memory) else ""


def _headline(record: Record) -> str:
    if isinstance(record, Entry):
        return record.summary.split("\n", 1)[0]
    if isinstance(record, Memory):
        return record.text.split("\n", 1)[0]
    if isinstance(record, Reflection):
        return f"{len(record.memories)} memories from {len(record.entries)} sessions"
    return f"Session {record.entry[:SHOWN_OF_ID]} taken up"


def fields_of(record: Record) -> dict[str, Any]:
    """Return a record's fields as JSON knows them."""
    fields: dict[str, Any] = json.loads(pack(record, marked=False))
    return fields
