"""Something to fix in a project, which a person agreed to, and the outcome of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from calmkb.model.checks import (
    ITEM_LIMIT,
    SUMMARY_LIMIT,
    check_choice,
    check_length,
    check_line,
    check_text,
    check_time,
    check_uuid,
)
from calmkb.model.memories.memories import CONFIDENCES, Confidence, Evidence
from calmkb.model.sessions.entries import FrontValue, Section

ImprovementState = Literal["pending", "applied", "deferred"]
IMPROVEMENT_STATES: tuple[ImprovementState, ...] = ("pending", "applied", "deferred")
Impact = Literal["low", "medium", "high"]
IMPACTS: tuple[Impact, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """What could be better in a project: pending, until somebody applies or defers it.

    `details` say what is wrong, `action` what would fix it, `reason` why the confidence is what it
    is. `sources` are ids of signals or sessions.
    """

    id: str
    created_at: datetime
    title: str
    details: str
    category: str = ""
    impact: Impact = "low"
    action: str = ""
    confidence: Confidence = "low"
    reason: str = ""
    project: str = ""
    state: ImprovementState = "pending"
    approved_by: str = ""
    evidence: tuple[Evidence, ...] = ()
    sources: tuple[str, ...] = ()
    extra: Mapping[str, FrontValue] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        check_uuid(self.id, "Improvement id")
        check_time(self.created_at, "Improvement created_at")
        check_text(self.title, "title", ITEM_LIMIT)
        check_text(self.details, "details", SUMMARY_LIMIT)
        check_length(self.action, "action", ITEM_LIMIT)
        check_choice(self.state, "state", IMPROVEMENT_STATES)
        check_choice(self.impact, "impact", IMPACTS)
        check_choice(self.confidence, "confidence", CONFIDENCES)
        for name in ("title", "category", "reason", "project", "approved_by"):
            check_line(getattr(self, name), name)
