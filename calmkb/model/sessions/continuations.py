"""A session that was left to be continued, as a hand-over shows it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Continuation:
    """A session that waits to be continued: a small part of its entry."""

    id: str
    created_at: datetime
    project_name: str
    summary: str
    next_steps: tuple[str, ...]
