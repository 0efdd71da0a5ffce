"""A learning that a person approved, and what it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from calmkb.errors import RecordError
from calmkb.model.checks import (
    FILES_LIMIT,
    SUMMARY_LIMIT,
    check_choice,
    check_line,
    check_paths,
    check_text,
    check_time,
    check_uuid,
)
from calmkb.model.memories.enforcement import CHECKS_LIMIT, LEVELS, Level
from calmkb.model.sessions.entries import FrontValue, Section

Category = Literal["error", "decision", "fact", "workflow", "preference"]
CATEGORIES: tuple[Category, ...] = ("error", "decision", "fact", "workflow", "preference")
Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
Origin = Literal["person", "agent", "tool"]
ORIGINS: tuple[Origin, ...] = ("person", "agent", "tool")
GLOBAL_SCOPE = "global"
UNKNOWN_SCOPE = "?"
"""Where nobody has said yet where a learning holds: no project has this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A span of a source, as quoted to the reviewer. `date` is YYYY-MM-DD."""

    quote: str
    source: str = ""
    date: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A learning that a person approved, with the evidence it rests on.

    `paths` are globs from the top of the repository: where given, it holds for these files alone.
    `merged` are the ids of memories that went into this one. With `enforce`, `checks` are held
    against what agents do: each a line such as `never run npm`. `anchors` are what it speaks of,
    each with the blob of its file at the approval: `src/pay.ts:refund at 1f3a…`.
    """

    id: str
    created_at: datetime
    text: str
    category: Category
    importance: float = 0.5
    confidence: Confidence = "low"
    scope: str = GLOBAL_SCOPE
    origin: Origin = "person"
    approved_by: str = ""
    supersedes: str = ""
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    enforce: Level | Literal[""] = ""
    checks: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    why: str = ""
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[str, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Memory id")
        check_time(self.created_at, "Memory created_at")
        check_text(self.text, "Memory text", SUMMARY_LIMIT)
        check_choice(self.category, "Category", CATEGORIES)
        if not 0 <= self.importance <= 1:
            raise RecordError(f"Importance {self.importance} is outside 0 to 1")
        check_choice(self.confidence, "Confidence", CONFIDENCES)
        check_choice(self.origin, "Origin", ORIGINS)
        check_paths(self.paths, "paths", FILES_LIMIT)
        if self.enforce:
            check_choice(self.enforce, "Memory enforce", LEVELS)
        if len(self.checks) > CHECKS_LIMIT:
            raise RecordError(f"Memory checks are {len(self.checks)}, more than {CHECKS_LIMIT}")
        for check in self.checks:
            check_line(check, "checks")
        check_paths(self.anchors, "anchors", FILES_LIMIT)
        for merged in self.merged:
            check_uuid(merged, "merged")
        for name in ("scope", "approved_by", "supersedes"):
            check_line(getattr(self, name), name)


def scope_words(scope: str) -> str:
    """Return where a learning holds, as it is shown to a reviewer."""
    return "scope unknown" if scope == UNKNOWN_SCOPE else scope


@dataclass(frozen=True, slots=True)
class Approval:
    """What a record and git say of who approved it.

    `claimed` is its `approved_by`; `committed_by` who wrote it or merged it, empty where it is not
    committed as it is. `differs` where the two are not the same person.
    """

    claimed: str = ""
    committed_by: str = ""
    differs: bool = False

    @property
    def words(self) -> str:
        """Who approved, in words; where record and git differ, both."""
        if not self.differs:
            return self.claimed or self.committed_by
        committed = f"committed by {self.committed_by}" if self.committed_by else "not committed"
        return f"says {self.claimed}, {committed}" if self.claimed else committed


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory's confidence on a day: 0 to 1, and the same as a word."""

    value: float
    word: Confidence


@dataclass(frozen=True, slots=True)
class FeedbackCounts:
    """How often feedback says that a memory helped, and that it harmed."""

    helpful: int = 0
    harmful: int = 0
