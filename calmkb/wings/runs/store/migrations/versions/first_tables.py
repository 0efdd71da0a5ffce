"""Sessions, runs and entries, as the first steps were counted from: new tables are made whole."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing."""
