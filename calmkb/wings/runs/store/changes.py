"""Changes to sessions and runs, each within one transaction."""

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from calmkb.errors import NotFoundError, RunConflictError
from calmkb.wings.runs.model import Run, RunSession
from calmkb.wings.runs.store import values
from calmkb.wings.runs.store.entries import not_running
from calmkb.wings.runs.store.tables import RUNS, SESSIONS, run_of, session_of
from calmkb.wings.runs.store.writing import Transaction


def add_session(transaction: Transaction, *, session: RunSession) -> RunSession:
    """Add a session."""
    transaction.connection.execute(insert(SESSIONS).values(asdict(session)))
    return session


def archive_session(
    transaction: Transaction, *, session_id: str, now: Callable[[], datetime]
) -> RunSession:
    """Archive a session; RunConflictError while one of its runs is running."""
    session = session_of(_locked_session(transaction, session_id))
    if session.status == "archived":
        return session
    _refuse_running(transaction, session_id)
    archived = replace(session, status="archived", updated_at=now())
    changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
    transaction.connection.execute(
        changed.values(status=archived.status, updated_at=archived.updated_at)
    )
    return archived


def reopen_session(transaction: Transaction, *, session_id: str) -> None:
    """Undo the archiving of a session of which no entry could be made."""
    undone = update(SESSIONS).where(SESSIONS.c.id == session_id, SESSIONS.c.entry_id.is_(None))
    transaction.connection.execute(undone.values(status="active"))


def set_entry(transaction: Transaction, *, session_id: str, entry_id: str) -> RunSession:
    """Keep which journal entry was made of a session; the first one stays."""
    session = session_of(_locked_session(transaction, session_id))
    if session.entry_id:
        return session
    changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
    transaction.connection.execute(changed.values(entry_id=entry_id))
    return replace(session, entry_id=entry_id)


def delete_session(transaction: Transaction, *, session_id: str) -> None:
    """Delete a session, its runs and their entries; RunConflictError while one is running."""
    _locked_session(transaction, session_id)
    _refuse_running(transaction, session_id)
    runs = select(RUNS.c.id).where(RUNS.c.session_id == session_id).order_by(RUNS.c.id)
    # Locked in the order in which entries are written, so that no two wait for each other.
    for row in transaction.connection.execute(runs.with_for_update()):
        transaction.touch(row.id)
    transaction.connection.execute(delete(SESSIONS).where(SESSIONS.c.id == session_id))


def add_run(
    transaction: Transaction, *, run_id: str, session_id: str, fields: dict[str, Any], now: datetime
) -> Run:
    """Add the next run of a session; RunConflictError where the session is archived."""
    row = _locked_session(transaction, session_id)
    if row.status != "active":
        raise RunConflictError(f"session {session_id} is archived; begin a new one")
    number = row.last_run + 1
    changed = update(SESSIONS).where(SESSIONS.c.id == session_id)
    transaction.connection.execute(changed.values(last_run=number, updated_at=now))
    added = insert(RUNS).values(
        id=run_id, session_id=session_id, run_number=number, agent_type=row.agent_type,
        status="running", started_at=now, created_at=now, **fields,
    )  # fmt: skip
    return run_of(transaction.connection.execute(added.returning(*RUNS.c)).one())


def ask_to_cancel(transaction: Transaction, *, run_id: str, now: datetime) -> Run:
    """Ask the process that owns a running run to cancel it; an error where it does not run."""
    asked = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.status == "running")
    row = transaction.connection.execute(
        asked.values(cancel_asked_at=now).returning(*RUNS.c)
    ).first()
    if row is None:
        raise not_running(transaction, run_id)
    return run_of(row)


def set_context_summary(transaction: Transaction, *, run_id: str, summary: str) -> None:
    """Keep the summary of earlier runs that a run was given."""
    changed = update(RUNS).where(RUNS.c.id == run_id).values(context_summary=summary)
    if not transaction.connection.execute(changed).rowcount:
        raise NotFoundError(f"run {run_id!r} not found")


def set_usage(transaction: Transaction, *, run_id: str, usage: dict[str, Any] | None) -> None:
    """Keep what a running run has used so far."""
    changed = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.status == "running")
    if not transaction.connection.execute(changed.values(usage=usage)).rowcount:
        raise not_running(transaction, run_id)


def finish_run(
    transaction: Transaction, *, run_id: str, ending: dict[str, Any], now: Callable[[], datetime]
) -> Run:
    """End a running run; an error says why where it does not run."""
    changed = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.status == "running")
    ended = changed.values(**ending, completed_at=now()).returning(*RUNS.c)
    row = transaction.connection.execute(ended).first()
    if row is None:
        raise not_running(transaction, run_id)
    transaction.touch(run_id)
    return run_of(row)


def _refuse_running(transaction: Transaction, session_id: str) -> None:
    running = select(RUNS.c.id).where(RUNS.c.session_id == session_id, RUNS.c.status == "running")
    if row := transaction.connection.execute(running.limit(1)).first():
        raise RunConflictError(f"session {session_id} has a running run, {row.id}; cancel it first")


def _locked_session(transaction: Transaction, session_id: str) -> Row[Any]:
    known = SESSIONS.c.id == values.id_of(session_id, "session")
    row = transaction.connection.execute(select(SESSIONS).where(known).with_for_update()).first()
    if row is None:
        raise NotFoundError(f"session {session_id!r} not found")
    return row
