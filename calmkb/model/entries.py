"""A session as it is kept: what was done, friction, what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from calmkb.model.checks import (
    FILES_LIMIT,
    SUMMARY_LIMIT,
    check_items,
    check_line,
    check_paths,
    check_text,
    check_time,
    check_uuid,
    raise_together,
)

LEARNINGS = "Learnings"
"""The heading of a session's own proposals: bullets that a reflection reads beside the friction."""

FrontValue = str | list["FrontValue"] | dict[str, "FrontValue"]
"""A front-matter value: every scalar is text, so that nothing is guessed from its look."""


@dataclass(frozen=True, slots=True)
class Section:
    """A `## heading` and the text below it that no field of the record claims."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One session: what was done, friction, what comes next. Never rewritten.

    `files` were changed in it: paths from the top of the project's repository, `/` between parts.
    """

    id: str
    created_at: datetime
    summary: str
    project_name: str
    working_directory: str = ""
    friction_points: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    agent: str = ""
    session_id: str = ""
    needs_continuation: bool = False
    files: tuple[str, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        lines = ("project_name", "working_directory", "agent", "session_id")
        raise_together(
            [
                (check_uuid, (self.id, "Entry id")),
                (check_time, (self.created_at, "Entry created_at")),
                (check_text, (self.summary, "Summary", SUMMARY_LIMIT)),
                (check_items, (self.friction_points, "Friction points")),
                (check_items, (self.next_steps, "Next steps")),
                (check_paths, (self.files, "files", FILES_LIMIT)),
                *((check_line, (getattr(self, name), name)) for name in lines),
            ]
        )
