"""Cancelling from any process, and the entry that was made of a session."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("runs", sa.Column("cancel_asked_at", sa.DateTime(timezone=True)))
    op.add_column("run_sessions", sa.Column("entry_id", sa.String(36)))


def downgrade() -> None:
    """Remove the columns."""
    op.drop_column("runs", "cancel_asked_at")
    op.drop_column("run_sessions", "entry_id")
