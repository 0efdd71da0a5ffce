"""What lists and single views ask of the index."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from calmkb.store.index.index import Index
from calmkb.store.index.project_names import ProjectFilter, ProjectNames, project_names
from calmkb.store.index.schema import microseconds

if TYPE_CHECKING:
    from calmkb.model import Continuation, Record
    from calmkb.store.journal import Stored

_NEWEST = "ORDER BY r.created DESC, r.id DESC, r.path DESC"
_SELECT = (
    "SELECT r.row, r.kind, r.record, r.path, r.characters, f.row, f.record, s.id FROM records r "
    "LEFT JOIN records f ON f.row = r.reflection LEFT JOIN records s ON s.row = r.successor"
)

_CURRENT = "r.successor IS NULL"
"""Of a session that was kept more than once, the entry with the newest words."""
_CONTINUED = '"needs_continuation": true'
"""As `pack` writes it; inside a text the quotes would be escaped."""
_WITH_COMMITS = '"commits": ["'


@dataclass(frozen=True)
class Found:
    """A row: a record's fields, path and length, and those of the reflection that covers it.

    `replaced_by` is the id of the entry with newer words on the same session, if there is one.

    Lists take what they show from the fields: the records' classes cost them ten milliseconds.
    """

    kind: str
    path: str
    characters: int
    fields: dict[str, Any]
    reflection: dict[str, Any] | None
    replaced_by: str = ""

    @property
    def record(self) -> "Record":
        """The record itself."""
        return _record(self.kind, self.fields)


def newest_sessions(
    index: Index,
    *,
    unreflected: bool = False,
    project: ProjectFilter | None = None,
    directory: str | None = None,
    limit: int,
) -> list[Found]:
    """Return the sessions that fit, newest first, each once."""
    tests: list[str] = ["r.kind = 'session'", _CURRENT]
    values: list[object] = []
    if unreflected:
        tests.append("r.reflection IS NULL")
    if project is not None:
        test, wanted = project.test()
        tests.append(test)
        values += wanted
    if directory is not None:
        tests.append("r.directory = ?")
        values.append(directory)
    asked = f"{_SELECT} WHERE {' AND '.join(tests)} {_NEWEST} LIMIT ?"
    return [_found(row) for row in _verified(index, asked, [*values, limit])]


def left_to_be_continued(
    index: Index, *, project: ProjectFilter | None = None
) -> "tuple[Continuation, ...]":
    """Return the sessions that were left to be continued and not taken up, newest first."""
    values: list[object] = []
    tests = f"r.kind = 'session' AND {_CURRENT} AND instr(r.record, '{_CONTINUED}')"
    if project is not None:
        test, wanted = project.test()
        tests, values = f"{tests} AND {test}", [*values, *wanted]
    asked = f"{_SELECT} WHERE {tests} {_NEWEST}"
    found = [_found(row) for row in _verified(index, asked, values)]
    taken = resumed_sessions(index) if found else set()
    left = [one.fields for one in found if one.fields["needs_continuation"]]
    names = project_names(index) if left else ProjectNames()
    return tuple(_continuation(fields, names) for fields in left if fields["id"] not in taken)


def resumed_sessions(index: Index) -> set[str]:
    """Return the ids of the sessions that were taken up."""
    asked = "SELECT record FROM records WHERE kind = 'resumption'"
    return {json.loads(text)["entry"] for (text,) in index.db.execute(asked)}


def with_prefix(index: Index, prefix: str, *, kind: str | None = None) -> list[Found]:
    """Return the records whose id begins with `prefix`, newest first, at most five."""
    tests = "r.id >= ? AND r.id < ?" + (" AND +r.kind = ?" if kind else "")
    values = [prefix, prefix + "\U0010ffff", *([kind] if kind else [])]
    asked = f"{_SELECT} WHERE {tests} {_NEWEST} LIMIT 5"
    found = [_found(row) for row in _verified(index, asked, values)]
    # Two machines that import one session give it the same id: the newer words alone are found.
    return [one for one in found if one.replaced_by != one.fields["id"]]


def current_entry(index: Index, agent: str, session_id: str) -> Found | None:
    """Return the entry with the newest words on a session of an agent, or None."""
    asked = f"{_SELECT} WHERE r.session = ? AND {_CURRENT}"
    rows = _verified(index, asked, [f"{agent}\0{session_id}"])
    return _found(rows[0]) if rows else None


def sessions_with_commits(index: Index, session_ids: Sequence[str] = ()) -> list[Found]:
    """Return the sessions that name commits, or that are one of those of an agent; newest first."""
    wanted = [f'"session_id": {json.dumps(one)}' for one in session_ids] or [_WITH_COMMITS]
    tests = " OR ".join("instr(r.record, ?)" for _ in wanted)
    asked = f"{_SELECT} WHERE r.kind = 'session' AND {_CURRENT} AND ({tests}) {_NEWEST}"
    return [_found(row) for row in _verified(index, asked, wanted)]


def sessions_with_entry(index: Index, agent: str, session_ids: Sequence[str]) -> set[str]:
    """Return those sessions of an agent that an entry is about."""
    asked = f"SELECT session FROM records WHERE session IN ({', '.join('?' * len(session_ids))})"  # noqa: S608
    rows = index.db.execute(asked, [f"{agent}\0{one}" for one in session_ids])
    return {key.partition("\0")[2] for (key,) in rows}


def count_unreflected(index: Index, project: ProjectFilter, since: datetime) -> int:
    """Return how many sessions of a project since then no reflection has covered."""
    test, values = project.test()
    asked = (
        "SELECT count(*) FROM records r WHERE r.kind = 'session' "  # noqa: S608
        f"AND r.reflection IS NULL AND {_CURRENT} AND r.created >= ? AND {test}"
    )
    count: int = index.db.execute(asked, [microseconds(since), *values]).fetchone()[0]
    return count


def at_row(index: Index, row: int) -> Found:
    """Return the record that a search found."""
    asked = f"{_SELECT} WHERE r.row = ?"
    return _found(index.db.execute(asked, (row,)).fetchone())


def all_records(index: Index, *kinds: str) -> list["Record"]:
    """Return every record, or every one of `kinds`, newest first; each session once."""
    fits = f"AND r.kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    asked = f"SELECT r.kind, r.record FROM records r WHERE {_CURRENT} {fits} {_NEWEST}"  # noqa: S608
    return [_record(kind, json.loads(text)) for kind, text in index.db.execute(asked, kinds)]


def links(index: Index, name: Literal["successor", "reflection"]) -> dict[str, str]:
    """Return by id the entry that replaces an older one, or the reflection on an entry."""
    asked = f"SELECT o.id, n.id FROM records o JOIN records n ON n.row = o.{name}"  # noqa: S608
    return dict(index.db.execute(f"{asked} WHERE o.{name} IS NOT NULL").fetchall())


def stored_records(index: Index, *kinds: str) -> list["Stored"]:
    """Return the records of `kinds` with their paths, in path order."""
    from calmkb.store.journal import Stored

    fits = f"kind IN ({', '.join('?' * len(kinds))})"
    asked = f"SELECT path, kind, record FROM records WHERE {fits} ORDER BY path"  # noqa: S608
    rows = index.db.execute(asked, kinds)
    return [Stored(path, _record(kind, json.loads(text))) for path, kind, text in rows]


def record_ids(index: Index) -> list[tuple[str, str, str]]:
    """Return path, kind and id of every record, in path order; no record is read."""
    asked = "SELECT path, kind, id FROM records ORDER BY path"
    rows: list[tuple[str, str, str]] = index.db.execute(asked).fetchall()
    return rows


def memory_paths(index: Index) -> dict[str, list[tuple[str, str]]]:
    """Return by id where the memories lie and whom they name as approver."""
    found: dict[str, list[tuple[str, str]]] = {}
    asked = "SELECT id, path, record FROM records WHERE kind = 'memory' ORDER BY path"
    for identity, path, record in index.db.execute(asked):
        found.setdefault(identity, []).append((path, json.loads(record).get("approved_by", "")))
    return found


def conflicting_edits(index: Index) -> dict[str, list[str]]:
    """Return by id the files of memories that were edited in two places, the older place first.

    Those made at one moment are versions of one memory; a copy by hand mostly is another one.
    """
    found: dict[str, list[str]] = {}
    asked = (
        "SELECT id, path FROM records WHERE kind = 'memory' AND id IN (SELECT id FROM records "
        "WHERE kind = 'memory' GROUP BY id HAVING count(*) > 1 AND min(created) = max(created)) "
        "ORDER BY length(path), path"
    )
    for identity, path in index.db.execute(asked):
        found.setdefault(identity, []).append(path)
    return found


def _verified(index: Index, asked: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Return the rows, none of them from a file that changed since it was read.

    Each round reads what changed, so the last is right but for an edit within this millisecond.
    """
    rows: list[tuple[Any, ...]] = []
    for _ in range(5):
        rows = index.db.execute(asked, values).fetchall()
        if index.verify([number for row in rows for number in (row[0], row[5]) if number]):
            break
    return rows


def project_in(fields: dict[str, Any], names: ProjectNames) -> str:
    """Return the name of a session's project, by its fields."""
    place = fields["project_name"], fields["repository"], fields["working_directory"]
    return names.name(*place)


def _continuation(fields: dict[str, Any], names: ProjectNames) -> "Continuation":
    from calmkb.model import Continuation

    return Continuation(
        id=fields["id"],
        created_at=datetime.fromisoformat(fields["created_at"]),
        project_name=project_in(fields, names),
        summary=fields["summary"],
        next_steps=tuple(fields["next_steps"]),
    )


def _found(row: tuple[Any, ...]) -> Found:
    _, kind, record, path, characters, _, reflection, successor = row
    covering = json.loads(reflection) if reflection else None
    return Found(kind, path, characters, json.loads(record), covering, successor or "")


def _record(kind: str, fields: dict[str, Any]) -> "Record":
    from calmkb.errors import RecordError
    from calmkb.store.index.records import unpack

    try:
        return unpack(kind, fields)
    except RecordError as error:
        raise ValueError(f"the index holds a broken record: {error}") from error
