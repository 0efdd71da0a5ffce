"""What a run used: its model, tokens and cost, and the project that it was for."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("runs", sa.Column("usage", sa.JSON()))
    op.add_column("runs", sa.Column("project", sa.Text()))


def downgrade() -> None:
    """Remove the columns."""
    op.drop_column("runs", "usage")
    op.drop_column("runs", "project")
