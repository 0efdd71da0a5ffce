"""Sessions, runs and entries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    _sessions()
    _runs()
    _entries()


def downgrade() -> None:
    """Take them away, with all that is in them."""
    for table in ("run_entries", "runs", "run_sessions"):
        op.drop_table(table)


def _sessions() -> None:
    op.create_table(
        "run_sessions",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("agent_type", sa.String(200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_run", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="run_sessions_pkey"),
    )
    for name, columns in {
        "run_sessions_by_time": ["created_at", "id"],
        "run_sessions_by_status": ["status", "created_at", "id"],
        "run_sessions_by_agent": ["agent_type", "created_at", "id"],
    }.items():
        op.create_index(name, "run_sessions", columns)


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("session_id", sa.String(36), nullable=False),
        sa.Column("run_number", sa.Integer(), nullable=False),
        sa.Column("agent_type", sa.String(200), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("config", sa.JSON()),
        sa.Column("result", sa.JSON()),
        sa.Column("context_summary", sa.Text()),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.String(36), nullable=False),
        sa.Column("last_sequence", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="runs_pkey"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["run_sessions.id"], name="runs_of_run_sessions", ondelete="CASCADE"
        ),
    )
    op.create_index("runs_in_order", "runs", ["session_id", "run_number"], unique=True)
    op.create_index("runs_by_status", "runs", ["status", "owner"])


def _entries() -> None:
    op.create_table(
        "run_entries",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("run_id", sa.String(36), nullable=False),
        sa.Column("sequence_number", sa.BigInteger(), nullable=False),
        sa.Column("entry_type", sa.String(32), nullable=False),
        sa.Column("step_number", sa.Integer()),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="run_entries_pkey"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="run_entries_of_runs", ondelete="CASCADE"
        ),
    )
    numbers = ["run_id", "sequence_number"]
    op.create_index("run_entries_in_order", "run_entries", numbers, unique=True)
