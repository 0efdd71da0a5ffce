"""The records that cross floors: frozen, checked when made, knowing nothing of files.

Read `sessions.entries` and `memories.memories` first. Each module is loaded when one of its names
is first asked for: all of them take two interpreter starts, and the start of a session needs three.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # ruff: noqa: F403 - what of these is exported says the table
    from calmkb.model.checks import *
    from calmkb.model.marks import *
    from calmkb.model.memories.memories import *
    from calmkb.model.records import *
    from calmkb.model.review.improvements import *
    from calmkb.model.review.proposals import *
    from calmkb.model.review.reflections import *
    from calmkb.model.review.signals import *
    from calmkb.model.sessions.entries import *
    from calmkb.model.views import *

_NAMES = {
    "checks": (
        "COMMITS_LIMIT FILES_LIMIT ITEM_LIMIT ITEMS_LIMIT LINE_LIMIT SUMMARY_LIMIT "
        "check_characters check_choice check_items check_line check_text check_time check_uuid "
        "in_utc name_in_path recorded_project"
    ),
    "marks": "HELPED KEPT Feedback FinishedStep Helped ProjectAlias Resumption",
    "memories.memories": (
        "CATEGORIES CONFIDENCES GLOBAL_SCOPE ORIGINS Approval Category Confidence Evidence "
        "FeedbackCounts Memory Origin Standing UNKNOWN_SCOPE scope_words"
    ),
    "records": "Record",
    "review.improvements": "IMPACTS IMPROVEMENT_STATES Impact Improvement ImprovementState",
    "review.proposals": "ACTIONS Action Decision Proposal Verdict VerdictKind",
    "review.reflections": "Reflection Rejection",
    "review.signals": "SIGNAL_STATUSES SIGNAL_TYPES Signal",
    "sessions.entries": (
        "CONTENT Entry FieldSpec FrontValue Section SessionContent split_why with_why"
    ),
    "views": (
        "Continuation Draft Doubt Library NextStep Place Problem SessionView Statistics Theme "
        "DigestPreview PreviewedMemory"
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load the module of a record when its name is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"calmkb.model.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
