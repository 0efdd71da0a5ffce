"""Rows of the run journal as the dataclasses that leave it."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row

from calmkb.model import Run, RunEntry, RunSession


def session_of(row: Row[Any]) -> RunSession:
    """Return a session."""
    return RunSession(
        id=row.id, agent_type=row.agent_type, title=row.title, status=row.status,
        created_at=_utc(row.created_at), updated_at=_utc(row.updated_at),
    )  # fmt: skip


def run_of(row: Row[Any]) -> Run:
    """Return a run."""
    return Run(
        id=row.id, session_id=row.session_id, run_number=row.run_number,
        agent_type=row.agent_type, task=row.task, status=row.status, config=row.config,
        result=row.result, context_summary=row.context_summary, started_at=_utc(row.started_at),
        completed_at=_utc(row.completed_at) if row.completed_at else None,
        created_at=_utc(row.created_at),
    )  # fmt: skip


def entry_of(row: Row[Any]) -> RunEntry:
    """Return an entry."""
    return RunEntry(
        id=row.id, run_id=row.run_id, sequence_number=row.sequence_number,
        entry_type=row.entry_type, step_number=row.step_number, data=row.data,
        created_at=_utc(row.created_at),
    )  # fmt: skip


def _utc(moment: datetime) -> datetime:
    """Return a time in UTC: SQLite forgets the offset, PostgreSQL gives the session's."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
