"""Small records beside the others: a session taken up again, a next step that is done, a memory
that helped or harmed, a project by another name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from calmkb.errors import RecordError
from calmkb.model.checks import (
    ITEM_LIMIT,
    check_choice,
    check_length,
    check_line,
    check_text,
    check_time,
    check_uuid,
)
from calmkb.model.memories.memories import GLOBAL_SCOPE
from calmkb.model.sessions.entries import FrontValue, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """Somebody took up a session that was left to be continued; `entry` is its id."""

    id: str
    created_at: datetime
    entry: str
    resumed_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Resumption id")
        check_time(self.created_at, "Resumption created_at")
        check_uuid(self.entry, "entry")
        check_line(self.resumed_by, "resumed_by")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedStep:
    """Somebody said that a next step is done; `entry` is the id of a session that named it."""

    id: str
    created_at: datetime
    entry: str
    step: str
    finished_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Finished step id")
        check_time(self.created_at, "Finished step created_at")
        check_uuid(self.entry, "entry")
        check_text(self.step, "step", ITEM_LIMIT)
        check_line(self.finished_by, "finished_by")


Helped = Literal["helpful", "harmful", "kept"]
HELPED: tuple[Helped, ...] = ("helpful", "harmful")
"""What an agent or a person says after a session; `kept` is a person's answer in a review alone."""
KEPT: Helped = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Whether a memory helped in one session; `memory` is its id. Counted, never edited.

    `kept` says that a person was asked whether to retire it and keeps it; it counts as neither.
    """

    id: str
    created_at: datetime
    memory: str
    verdict: Helped
    note: str = ""
    given_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Feedback id")
        check_time(self.created_at, "Feedback created_at")
        check_uuid(self.memory, "memory")
        check_choice(self.verdict, "verdict", (*HELPED, KEPT))
        check_length(self.note, "note", ITEM_LIMIT)
        check_line(self.given_by, "given_by")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectAlias:
    """A person's decision that `aliases`, names or repositories, are the project called `name`."""

    id: str
    created_at: datetime
    name: str
    aliases: tuple[str, ...]
    decided_by: str = ""
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Project id")
        check_time(self.created_at, "Project created_at")
        for label, line in (("name", self.name), *(("aliases", one) for one in self.aliases)):
            if not line.strip():
                raise RecordError(f"{label} of a project is empty; name it")
            if line.strip().casefold() == GLOBAL_SCOPE:
                # A project's memories would reach every project, with no review of any.
                raise RecordError(f"{label} is {line!r}, which is not a project; give another name")
            check_line(line, label)
        check_line(self.decided_by, "decided_by")
