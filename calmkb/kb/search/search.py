"""`search` and `show`: a line for each record found, then whole records for those who ask."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_with_problems, find_records, only
from calmkb.model.words import counted
from calmkb.store.index.index import Index
from calmkb.store.index.project_names import ProjectNames, project_names
from calmkb.store.index.queries import Found, at_row, conflicting_edits, project_in
from calmkb.store.index.scan import respelled
from calmkb.store.index.schema import microseconds
from calmkb.store.index.search import CHARACTERS_A_TOKEN, Match
from calmkb.store.index.search import search as look
from calmkb.store.index.search_query import Wanted

if TYPE_CHECKING:
    from calmkb.model import Problem, Record
    from calmkb.store.caches.vectors import Embed

Kind = Literal["session", "memory", "reflection", "improvement"]
KINDS: tuple[Kind, ...] = get_args(Kind)
POOL = 60
"""How many of the best by words are looked at for their meaning."""


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
    """The records found, best first, and the files that could not be read.

    The last `vectors_missing` of the hits are ordered by words alone: one has no vector yet.
    `instead` are the words that were looked for where no record holds those of the query.
    """

    hits: tuple[Hit, ...]
    problems: "tuple[Problem, ...]"
    vectors_missing: int = 0
    instead: str = ""


@dataclass(frozen=True)
class Shown:
    """A record whole: its kind, its path below the journal, and its file's text."""

    kind: str
    path: str
    record: "Record"
    text: str


def search(
    kb: KnowledgeBase,
    query: str,
    *,
    kind: str = "",
    project: str = "",
    since: date | None = None,
    limit: int = 10,
    embed: "Embed | None" = None,
) -> Hits:
    """Return the records that hold words of `query`, best first, and the files not read.

    Where none does, its words are read as the nearest ones that records hold. With `embed`, the
    best are ordered by meaning too; their vectors are kept by content.
    """
    start = microseconds(datetime.fromisoformat(f"{since}T00:00:00+00:00")) if since else None

    def ask(index: Index) -> tuple[tuple[Hit, ...], int, str]:
        missing, names = 0, project_names(index)
        rows = names.rows_of(project) if project else None
        most = limit if embed is None else max(limit, POOL)
        wanted = Wanted(query, kind=kind, project=rows, since=start, limit=most)
        matches = look(index, wanted)
        instead = "" if matches else respelled(index.db, query)
        if instead:
            matches = look(index, replace(wanted, query=instead))
        found = [(at_row(index, match.row), match) for match in matches]
        if embed is not None:
            # Vectors and their cache cost a list nothing that is not asked for.
            from calmkb.kb.search.meaning import fused

            found, missing = fused(kb, instead or query, found, embed)
        undecided = conflicting_edits(index)
        found = [one for one in found if one[0].fields.get("id") not in undecided]
        by_words = max(0, len(found[:limit]) - (len(found) - missing)) if missing else 0
        return tuple(_hit(*pair, names) for pair in found[:limit]), by_words, instead

    (hits, missing, instead), problems = ask_with_problems(kb, ask)
    return Hits(hits, problems, missing, instead)


def show(kb: KnowledgeBase, ids: Sequence[str]) -> list[Shown]:
    """Return the records whose ids begin so, of any kind, in the order asked for.

    Raises NotFoundError naming every id that none or many records have.
    """
    if not kb.journal.is_dir():
        raise NotFoundError(f"there is no journal at {kb.journal}, so nothing to show")
    found, faults = list[Shown](), list[str]()
    for prefix in ids:
        named = [(one.fields["id"], one) for one in find_records(kb, prefix)]
        try:
            found.append(_whole(kb, only("record", prefix, named, "not found")))
        except NotFoundError as error:
            faults.append(str(error))
    if faults:
        raise NotFoundError("; ".join(faults) + "; find ids with: calmkb search WORDS")
    return found


def _whole(kb: KnowledgeBase, found: Found) -> Shown:
    text = (kb.journal / found.path).read_text(encoding="utf-8", errors="replace")
    return Shown(found.kind, found.path, found.record, text)


def _hit(found: Found, match: Match, names: ProjectNames) -> Hit:
    fields = found.fields
    project = fields.get("scope") or fields.get("project") or ""
    return Hit(
        id=fields["id"],
        kind=found.kind,
        created_at=datetime.fromisoformat(fields["created_at"]),
        project=project_in(fields, names) if "project_name" in fields else names.name(project),
        headline=_headline(found.kind, fields),
        snippet=match.snippet,
        tokens=-(-found.characters // CHARACTERS_A_TOKEN),
        score=round(match.score, 4),
    )


def _headline(kind: str, fields: dict[str, Any]) -> str:
    if kind == "reflection":
        made = counted(len(fields["memories"]), "memory", "memories")
        return f"{made}, {counted(len(fields['entries']), 'session')} reflected on"
    text: str = (
        fields.get("title")
        or fields.get("summary")
        or fields.get("text")
        or f"Took up {fields.get('entry')}"
    )
    return text.split("\n", 1)[0]


def fields_of(record: "Record") -> dict[str, Any]:
    """Return a record's fields as JSON knows them."""
    from calmkb.store.index.records import pack

    fields: dict[str, Any] = json.loads(pack(record, marked=False))
    return fields
