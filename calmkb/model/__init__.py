"""The records that cross floors: frozen, checked when made, knowing nothing of files.

Each is loaded when it is first asked for: all of them take two interpreter starts, and the start
of a session needs three.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calmkb.model.approval import Approval
    from calmkb.model.checks import (
        COMMITS_LIMIT,
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
    from calmkb.model.continuations import Continuation
    from calmkb.model.entries import (
        CONTENT,
        Entry,
        FieldSpec,
        FrontValue,
        Section,
        SessionContent,
    )
    from calmkb.model.improvements import (
        IMPACTS,
        IMPROVEMENT_STATES,
        Impact,
        Improvement,
        ImprovementState,
    )
    from calmkb.model.learnings import split_why, with_why
    from calmkb.model.marks import (
        HELPED,
        KEPT,
        Feedback,
        FinishedStep,
        Helped,
        ProjectAlias,
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
    from calmkb.model.memory_health import (
        Helping,
        MemoryHealth,
        Rate,
        Standing,
    )
    from calmkb.model.projects import name_in_path, recorded_project
    from calmkb.model.proposals import (
        ACTIONS,
        Action,
        Decision,
        Insight,
        Proposal,
        Verdict,
        VerdictKind,
    )
    from calmkb.model.records import Record
    from calmkb.model.reflections import (
        Reflection,
        Rejection,
    )
    from calmkb.model.runs import (
        ENTRY_TYPES,
        RUN_STATUSES,
        SESSION_STATUSES,
        EntryType,
        Json,
        Message,
        Run,
        RunContext,
        RunEntry,
        RunSession,
        RunStatus,
        SessionStatus,
    )
    from calmkb.model.signals import (
        SIGNAL_STATUSES,
        SIGNAL_TYPES,
        Signal,
    )
    from calmkb.model.statistics import (
        Statistics,
    )
    from calmkb.model.views import (
        DigestPreview,
        Doubt,
        Draft,
        Library,
        NextStep,
        Place,
        PreviewedMemory,
        Problem,
        SessionView,
        Theme,
    )

_NAMES = {
    "approval": "Approval",
    "checks": (
        "COMMITS_LIMIT FILES_LIMIT ITEM_LIMIT ITEMS_LIMIT LINE_LIMIT SUMMARY_LIMIT "
        "check_characters check_items check_line check_text check_time check_uuid in_utc"
    ),
    "continuations": "Continuation",
    "entries": "CONTENT Entry FieldSpec FrontValue Section SessionContent",
    "improvements": "IMPACTS IMPROVEMENT_STATES Impact Improvement ImprovementState",
    "learnings": "split_why with_why",
    "marks": "HELPED KEPT Feedback FinishedStep Helped ProjectAlias Resumption",
    "memories": (
        "CATEGORIES CONFIDENCES GLOBAL_SCOPE ORIGINS Category Confidence Evidence Memory Origin "
        "check_category"
    ),
    "projects": "name_in_path recorded_project",
    "proposals": "ACTIONS Action Decision Insight Proposal Verdict VerdictKind",
    "records": "Record",
    "reflections": "Reflection Rejection",
    "runs": (
        "ENTRY_TYPES RUN_STATUSES SESSION_STATUSES EntryType Json Message Run RunContext "
        "RunEntry RunSession RunStatus SessionStatus"
    ),
    "signals": "SIGNAL_STATUSES SIGNAL_TYPES Signal",
    "statistics": "Statistics",
    "views": (
        "Draft Doubt Library NextStep Place Problem SessionView Theme DigestPreview PreviewedMemory"
    ),
    "memory_health": "Helping MemoryHealth Rate Standing",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "ACTIONS",
    "CATEGORIES",
    "COMMITS_LIMIT",
    "CONFIDENCES",
    "CONTENT",
    "ENTRY_TYPES",
    "FILES_LIMIT",
    "GLOBAL_SCOPE",
    "HELPED",
    "IMPACTS",
    "IMPROVEMENT_STATES",
    "ITEMS_LIMIT",
    "ITEM_LIMIT",
    "KEPT",
    "LINE_LIMIT",
    "ORIGINS",
    "RUN_STATUSES",
    "SESSION_STATUSES",
    "SIGNAL_STATUSES",
    "SIGNAL_TYPES",
    "SUMMARY_LIMIT",
    "Action",
    "Approval",
    "Category",
    "Confidence",
    "Continuation",
    "Decision",
    "DigestPreview",
    "Doubt",
    "Draft",
    "Entry",
    "EntryType",
    "Evidence",
    "Feedback",
    "FieldSpec",
    "FinishedStep",
    "FrontValue",
    "Helped",
    "Helping",
    "Impact",
    "Improvement",
    "ImprovementState",
    "Insight",
    "Json",
    "Library",
    "Memory",
    "MemoryHealth",
    "Message",
    "NextStep",
    "Origin",
    "Place",
    "PreviewedMemory",
    "Problem",
    "ProjectAlias",
    "Proposal",
    "Rate",
    "Record",
    "Reflection",
    "Rejection",
    "Resumption",
    "Run",
    "RunContext",
    "RunEntry",
    "RunSession",
    "RunStatus",
    "Section",
    "SessionContent",
    "SessionStatus",
    "SessionView",
    "Signal",
    "Standing",
    "Statistics",
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
    "name_in_path",
    "recorded_project",
    "split_why",
    "with_why",
]


def __getattr__(name: str) -> object:
    """Load the module of a record when its name is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"calmkb.model.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
