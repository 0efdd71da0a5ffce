"""`reflect`: proposals from what is not yet reflected on, and what a review makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calmkb.documents import record_path, render
from calmkb.errors import CalmError
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.sessions import read_contents
from calmkb.model import Decision, Memory, Problem, Record, Reflection
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


def _message(record: Reflection) -> str:
    memories = _counted(len(record.memories), "memory", "memories")
    sessions = _counted(len(record.entries), "session", "sessions")
    subject = f"reflect: {memories} from {sessions}"
    return f"{subject}\n\nCalm-Reflection: {record.id}\n"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
