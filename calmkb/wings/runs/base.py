"""The plain types that the rooms of this wing share, beside those of the model."""

from dataclasses import dataclass

from calmkb.wings.runs.model import RunSession


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is wanted."""

    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Archived:
    """An archived session, and the id of the journal entry made of it or nothing."""

    session: RunSession
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """A tool of a run that failed, and what it answered; the reason may be on any line."""

    tool: str
    output: str
