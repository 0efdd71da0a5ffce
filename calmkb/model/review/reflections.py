"""What one review decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from calmkb.errors import RecordError
from calmkb.model.checks import check_time, check_uuid
from calmkb.model.sessions.entries import FrontValue, Section

ANY_EVIDENCE = "0" * 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A proposal that was rejected; `evidence` hashes what it rested on (16 hex digits).

    With ANY_EVIDENCE it was dismissed: it does not come back with new evidence either.
    """

    text: str
    evidence: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What one review decided. An entry is reflected when a reflection lists it.

    `merged` are the ids of memories that took the evidence of a proposal.
    """

    id: str
    created_at: datetime
    entries: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    memories_created: int = 0
    reviewed_by: str = ""
    merged: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Reflection id")
        check_time(self.created_at, "Reflection created_at")
        if self.memories_created < 0:
            raise RecordError(f"memories_created is {self.memories_created}; it cannot be below 0")
