"""The tables of the run journal, the same on SQLite and on PostgreSQL, and their rows."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
)

from calmkb.wings.runs.model import Run, RunEntry, RunSession

VERSION_TABLE = "run_tables_version"
"""The table with the migration that a database is at; our own, since a database may be shared."""
SETUP_LOCK = 0x63616C6D6B62  # PostgreSQL's advisory lock for changing the tables
METADATA = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_of_%(referred_table_name)s",
    }
)

SESSIONS = Table(
    "run_sessions",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("agent_type", String(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("updated_at", DateTime(timezone=True), nullable=False),
    # How many runs it has had: the next one's number, given out with the row locked.
    Column("last_run", Integer, nullable=False, server_default="0"),
    # The journal entry that was made of it: archiving again makes no second one.
    Column("entry_id", String(36)),
    Index("run_sessions_by_time", "created_at", "id"),
    Index("run_sessions_by_status", "status", "created_at", "id"),
    Index("run_sessions_by_agent", "agent_type", "created_at", "id"),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column(
        "session_id", String(36), ForeignKey("run_sessions.id", ondelete="CASCADE"), nullable=False
    ),
    Column("run_number", Integer, nullable=False),
    Column("agent_type", String(200), nullable=False),
    Column("task", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("config", JSON(none_as_null=True)),
    Column("result", JSON(none_as_null=True)),
    Column("context_summary", Text),
    Column("usage", JSON(none_as_null=True)),
    Column("project", Text),
    Column("started_at", DateTime(timezone=True), nullable=False),
    Column("completed_at", DateTime(timezone=True)),
    Column("created_at", DateTime(timezone=True), nullable=False),
    # Whose run it is: a process that can be told alive from dead.
    Column("owner", String(36), nullable=False),
    # How many entries it has: the next one's number, given out with the row locked.
    Column("last_sequence", BigInteger, nullable=False, server_default="0"),
    # Set by any process; the one that owns the run looks for it.
    Column("cancel_asked_at", DateTime(timezone=True)),
    Index("runs_in_order", "session_id", "run_number", unique=True),
    Index("runs_by_status", "status", "owner"),
)

ENTRIES = Table(
    "run_entries",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("run_id", String(36), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("sequence_number", BigInteger, nullable=False),
    Column("entry_type", String(32), nullable=False),
    Column("step_number", Integer),
    Column("data", JSON, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Index("run_entries_in_order", "run_id", "sequence_number", unique=True),
)


def session_of(row: Row[Any]) -> RunSession:
    """Return a session from its row."""
    return RunSession(**_values(row, _SESSION))


def run_of(row: Row[Any]) -> Run:
    """Return a run from its row."""
    return Run(**_values(row, _RUN))


def entry_of(row: Row[Any]) -> RunEntry:
    """Return an entry from its row."""
    return RunEntry(**_values(row, _ENTRY))


def _values(row: Row[Any], names: tuple[str, ...]) -> dict[str, Any]:
    found = {name: getattr(row, name) for name in names}
    for name, value in found.items():  # SQLite forgets the offset, PostgreSQL gives the session's
        if isinstance(value, datetime):
            found[name] = value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    return found


_SESSION, _RUN, _ENTRY = (
    tuple(field.name for field in fields(kind)) for kind in (RunSession, Run, RunEntry)
)
