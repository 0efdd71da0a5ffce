"""`reflect`: proposals from what is not yet reflected on, and what a review makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmkb.documents import record_path, render
from calmkb.errors import CalmError, RecordError
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.sessions import read_contents
from calmkb.model import Decision, Memory, Problem, Record, Reflection, check_uuid
from calmkb.reflect.decisions import decide
from calmkb.reflect.proposals import Proposals, propose
from calmkb.reflect.statements import Statement, statements_of
from calmkb.store.logs import delete_logs


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits for a person: the sessions not reflected on, and what they propose."""

    entries: tuple[str, ...]
    statements: tuple[Statement, ...]
    proposals: Proposals
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Reflected:
    """What a review left; `entries` counts the sessions that are done with."""

    memories: tuple[Memory, ...]
    reflection: Reflection
    logs_deleted: int
    warning: str


@dataclass(frozen=True, slots=True)
class Marked:
    """How many entries were newly covered, and how many raw logs went."""

    marked_count: int
    logs_deleted: int


def pending(kb: KnowledgeBase) -> Pending:
    """Return the proposals of the sessions that no reflection has covered; changes nothing."""
    contents = read_contents(kb)
    statements = statements_of(contents.sessions)
    levels = kb.config.reflect
    made = propose(
        statements,
        contents.memories,
        contents.reflections,
        theme=levels.theme,
        duplicate=levels.duplicate,
    )
    entries = tuple(v.entry.id for v in contents.sessions if v.reflected_at is None)
    return Pending(entries, tuple(statements), made, contents.problems)


def apply(kb: KnowledgeBase, waiting: Pending, decisions: Sequence[Decision]) -> Reflected:
    """Commit the accepted memories and the reflection record in one act, then drop the raw logs.

    Raises CalmError on a decision that fits no open proposal, and where nothing was decided.
    """
    redactor = kb.redactor()
    cleaned = [
        replace(
            decision,
            text=redactor.text(decision.text).strip(),
            reason=redactor.line(decision.reason),
        )
        for decision in decisions
    ]
    outcome = decide(
        waiting.proposals,
        cleaned,
        waiting.statements,
        entries=waiting.entries,
        now=kb.world.now(),
        reviewer=kb.reviewer(),
        new_id=kb.world.new_id,
    )
    record = outcome.reflection
    if not (record.entries or record.memories or record.rejected):
        raise CalmError("nothing was decided, so nothing was written; accept or reject something")
    records: list[Record] = [*outcome.memories, record]
    files = {record_path(item): render(item).encode() for item in records}
    done = kb.save(files, _message(record), record.created_at)
    deleted = delete_logs(kb.world.state, record.entries)
    return Reflected(outcome.memories, record, deleted, done.warning)


def mark_reflected(
    kb: KnowledgeBase,
    entry_ids: Sequence[str],
    *,
    memories_created: int = 0,
    delete_logs_too: bool = True,
) -> Marked:
    """Record that a review elsewhere has covered these entries; known and new ones alone count.

    Raises RecordError on an id that is no UUID, a negative count, or no id at all.
    """
    if not entry_ids:
        raise RecordError("entry_ids is empty; give at least one id")
    for entry_id in entry_ids:
        check_uuid(entry_id, "entry id")
    if memories_created < 0:
        raise RecordError(f"memories_created is {memories_created}; it cannot be below 0")
    waiting = {v.entry.id for v in read_contents(kb).sessions if v.reflected_at is None}
    covered = tuple(dict.fromkeys(entry_id for entry_id in entry_ids if entry_id in waiting))
    if not covered:
        return Marked(0, 0)
    record = Reflection(
        id=kb.world.new_id(),
        created_at=kb.world.now(),
        entries=covered,
        memories_created=memories_created,
        reviewed_by=kb.reviewer(),
    )
    message = _message(record, memories_created)
    kb.save({record_path(record): render(record).encode()}, message, record.created_at)
    deleted = delete_logs(kb.world.state, covered) if delete_logs_too else 0
    return Marked(len(covered), deleted)


def _message(record: Reflection, created: int | None = None) -> str:
    memories = _counted(len(record.memories) if created is None else created, "memory", "memories")
    sessions = _counted(len(record.entries), "session", "sessions")
    subject = f"reflect: {memories} from {sessions}"
    return f"{subject}\n\nCalm-Reflection: {record.id}\n"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
