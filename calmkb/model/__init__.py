"""The records that cross floors: frozen, checked when made, knowing nothing of files."""

from calmkb.model.checks import (
    FILES_LIMIT,
    ITEM_LIMIT,
    ITEMS_LIMIT,
    LINE_LIMIT,
    SUMMARY_LIMIT,
    check_characters,
    check_items,
    check_line,
    check_text,
    check_time,
    check_uuid,
    in_utc,
)
from calmkb.model.entries import (
    LEARNINGS,
    Entry,
    FrontValue,
    Section,
)
from calmkb.model.marks import (
    HELPED,
    Feedback,
    Helped,
    Resumption,
)
from calmkb.model.memories import (
    CATEGORIES,
    CONFIDENCES,
    GLOBAL_SCOPE,
    ORIGINS,
    Category,
    Confidence,
    Evidence,
    Memory,
    Origin,
    check_category,
)
from calmkb.model.proposals import (
    ACTIONS,
    Action,
    Decision,
    Proposal,
    Verdict,
    VerdictKind,
)
from calmkb.model.reflections import (
    Reflection,
    Rejection,
)
from calmkb.model.signals import (
    SIGNAL_STATUSES,
    SIGNAL_TYPES,
    Signal,
)
from calmkb.model.views import (
    Draft,
    Library,
    Place,
    Problem,
    SessionView,
    Theme,
)

Record = Entry | Memory | Reflection | Resumption | Feedback

__all__ = [
    "ACTIONS",
    "CATEGORIES",
    "CONFIDENCES",
    "FILES_LIMIT",
    "GLOBAL_SCOPE",
    "HELPED",
    "ITEMS_LIMIT",
    "ITEM_LIMIT",
    "LEARNINGS",
    "LINE_LIMIT",
    "ORIGINS",
    "SIGNAL_STATUSES",
    "SIGNAL_TYPES",
    "SUMMARY_LIMIT",
    "Action",
    "Category",
    "Confidence",
    "Decision",
    "Draft",
    "Entry",
    "Evidence",
    "Feedback",
    "FrontValue",
    "Helped",
    "Library",
    "Memory",
    "Origin",
    "Place",
    "Problem",
    "Proposal",
    "Record",
    "Reflection",
    "Rejection",
    "Resumption",
    "Section",
    "SessionView",
    "Signal",
    "Theme",
    "Verdict",
    "VerdictKind",
    "check_category",
    "check_characters",
    "check_items",
    "check_line",
    "check_text",
    "check_time",
    "check_uuid",
    "in_utc",
]
