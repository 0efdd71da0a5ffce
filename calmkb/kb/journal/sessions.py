"""Reading what is there: sessions with their state, memories, reflections, problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index, ask_with_problems, find_records, only
from calmkb.model import Entry, Improvement, Memory, Problem, Record, Reflection, SessionView
from calmkb.store.index.index import Index
from calmkb.store.index.project_names import ProjectNames, project_names
from calmkb.store.index.queries import (
    Found,
    all_records,
    conflicting_edits,
    current_entry,
    links,
    record_ids,
)
from calmkb.store.local.state_files import all_logs


@dataclass(frozen=True, slots=True)
class Contents:
    """A knowledge base's records, newest first, with what could not be read.

    Of a memory that was edited in two places nobody has decided which words hold: one version is in
    `undecided`, none in `memories`.
    """

    sessions: tuple[SessionView, ...]
    memories: tuple[Memory, ...]
    reflections: tuple[Reflection, ...]
    problems: tuple[Problem, ...]
    improvements: tuple[Improvement, ...] = ()
    undecided: tuple[Memory, ...] = ()


def read_contents(kb: KnowledgeBase, *kinds: str) -> Contents:
    """Return all that `kb` holds, or only its records of `kinds`.

    A knowledge base that does not exist holds nothing.
    """

    def ask(index: Index) -> tuple[Any, ...]:
        covering = {} if kinds and "session" not in kinds else links(index, "reflection")
        found = all_records(index, *kinds), project_names(index), conflicting_edits(index)
        return *found, links(index, "successor"), covering

    (stored, names, conflicts, newer, covering), problems = ask_with_problems(
        kb, ask, look_at_all=True
    )
    doubled = tuple(
        Problem(paths[-1], 1, two_versions(identity, paths[0]))
        for identity, paths in conflicts.items()
    )
    kb.note(doubled)
    records = [_following(_named(record, names), newer) for record in stored]
    reflections = tuple(record for record in records if isinstance(record, Reflection))
    by_id = {record.id: record for record in reflections}
    logs = logs_of(kb) if not kinds or "session" in kinds else {}
    sessions = tuple(
        _reviewed(
            SessionView(entry=record, log_path=logs.get(record.id)),
            by_id.get(covering.get(record.id, "")),
        )
        for record in records
        if isinstance(record, Entry)
    )
    memories = tuple(record for record in records if isinstance(record, Memory))
    undecided = {memory.id: memory for memory in memories if memory.id in conflicts}
    memories = tuple(memory for memory in memories if memory.id not in undecided)
    improvements = tuple(record for record in records if isinstance(record, Improvement))
    return Contents(
        sessions, memories, reflections, (*problems, *doubled), improvements,
        tuple(undecided.values()),
    )  # fmt: skip


def two_versions(identity: str, first: str) -> str:
    """Say that a memory was edited in two places, where, and what decides."""
    return (
        f"is another version of the memory in {first}: it was edited in two places, so agents "
        f"read neither; decide with: calmkb memory resolve {identity[:8]}"
    )


def read_memories(kb: KnowledgeBase) -> tuple[Memory, ...]:
    """Return the memories, newest first; no other record is read."""
    return read_contents(kb, "memory").memories


def get_session(kb: KnowledgeBase, prefix: str) -> SessionView:
    """Return the session whose id begins with `prefix`; NotFoundError where none or many do."""
    views = views_of(kb, find_records(kb, prefix, "session"))
    found = [(view.entry.id, view) for view in views]
    return only("session", prefix, found, "not found; list them with: calmkb session list")


def entry_of_session(kb: KnowledgeBase, agent: str, session_id: str) -> Entry | None:
    """Return the entry with the newest words on a session of an agent, or None."""
    if not session_id or not kb.journal.is_dir():
        return None
    found = ask_index(kb, lambda index: current_entry(index, agent, session_id))
    return found.record if found and isinstance(found.record, Entry) else None


def views_of(kb: KnowledgeBase, found: Sequence[Found]) -> list[SessionView]:
    """Return what rows of the index hold of sessions, with the logs that are here."""
    names, logs = ask_index(kb, project_names), logs_of(kb)
    return [view_of(item, logs, names) for item in found]


def session_authors(kb: KnowledgeBase) -> dict[str, str]:
    """Return the person of each committed session, by its id; nothing where git does not tell."""
    from calmkb.store.git.authorship import committed_files, people_of
    from calmkb.store.git.repository import is_shallow

    repository = kb.repository_if_any
    if repository is None or is_shallow(repository) or not kb.journal.is_dir():
        return {}
    prefix = kb.prefix
    files = committed_files(repository, f"{prefix}/sessions")
    people = people_of(repository, {one.author for one in files.values()})
    return {
        identity: people[one.author]
        for path, kind, identity in kb.with_index(record_ids)
        if kind == "session" and (one := files.get(f"{prefix}/{path}")) and one.author in people
    }


def _reviewed(view: SessionView, by: Reflection | None) -> SessionView:
    if by is None:
        return view
    return replace(view, reflected_at=by.created_at, memories_created=by.memories_created)


def _named(record: Record, names: ProjectNames) -> Record:
    """Return a record with its project's name of today; the file stays as it is."""
    if isinstance(record, Entry):
        place = record.project_name, record.repository, record.working_directory
        name = names.name(*place)
        return record if name == record.project_name else replace(record, project_name=name)
    if isinstance(record, Memory) and record.scope != (name := names.name(record.scope)):
        return replace(record, scope=name)
    if isinstance(record, Improvement) and record.project != (name := names.name(record.project)):
        return replace(record, project=name)
    return record


def _following(record: Record, newer: Mapping[str, str]) -> Record:
    """Return a record that cites the newest words on each session; the file stays as it is."""
    if isinstance(record, Reflection):
        return replace(record, entries=_newest(record.entries, newer))
    if isinstance(record, Memory | Improvement) and newer:
        evidence = tuple(
            replace(one, source=newer.get(one.source, one.source)) for one in record.evidence
        )
        return replace(record, evidence=evidence, sources=_newest(record.sources, newer))
    return record


def _newest(ids: tuple[str, ...], newer: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(newer.get(one, one) for one in ids))


def view_of(found: Found, logs: dict[str, str], names: ProjectNames) -> SessionView:
    """Return what a row of the index holds of a session, by today's names of projects."""
    entry, reflection = _named(found.record, names), found.reflection
    assert isinstance(entry, Entry)  # noqa: S101 - only sessions were asked for
    view = SessionView(entry=entry, log_path=logs.get(entry.id), replaced_by=found.replaced_by)
    if reflection is None:
        return view
    at = datetime.fromisoformat(reflection["created_at"])
    return replace(view, reflected_at=at, memories_created=reflection["memories_created"])


def logs_of(kb: KnowledgeBase) -> dict[str, str]:
    """Return the paths of the session logs that are here, by the ids of their entries."""
    return {entry_id: str(path) for entry_id, path in all_logs(kb.environment.state).items()}
