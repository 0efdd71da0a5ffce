"""Improvements of a project as items of its Markdown list."""

from collections.abc import Callable
from dataclasses import dataclass

from calmkb.model import Confidence, Impact, Improvement
from calmkb.model.words import clip, counted
from calmkb.reflect.signals.classify import PROJECT_CATEGORIES, project_category
from calmkb.reflect.signals.learnings import Learning

PENDING = "Pending"
"""The heading that a new improvement is listed under; a person moves it to the others."""
IMPROVEMENTS = f"# Improvements\n\n## {PENDING}\n\n## Applied\n\n## Deferred\n"
Plain = Callable[[str], str]
_TITLE = 72
_ACTIONS = {
    "Documentation": "Write it down where the next reader looks first, and link it.",
    "Naming": "Rename it, or record the name people search for.",
    "Project Structure": "Move it to where people look, or document its place in the README.",
    "Configuration": "Make the setting the default, or document it beside the command.",
    "Test Structure": "Document how to run the tests and where their data is.",
}
_DEFAULT_ACTION = "Fix the cause, so that nobody needs to be warned."


@dataclass(frozen=True, slots=True)
class Suggested:
    """The improvement that a learning suggests, and how certain it is."""

    title: str
    category: str
    impact: Impact
    action: str
    confidence: Confidence
    reason: str


def suggested(learning: Learning, text: str) -> Suggested:
    """Return the improvement that a learning suggests; `text` is one harmless line."""
    category = learning.category
    if category not in PROJECT_CATEGORIES:
        category = project_category(text)
    return Suggested(
        title=clip(text.rstrip("."), _TITLE), category=category, impact=learning.confidence,
        action=_ACTIONS.get(category, _DEFAULT_ACTION), confidence=learning.confidence,
        reason=counted(learning.sessions, "session"),
    )  # fmt: skip


def entry(record: Improvement, plain: Plain) -> list[str]:
    """Return the lines of an item: its heading, its parts, and a comment with the record's id.

    `plain` makes one harmless line of each text.
    """
    reason = f" ({record.reason})" if record.reason else ""
    parts = {
        "Category": plain(record.category), "Impact": record.impact.capitalize(),
        "Details": plain(record.details), "Suggested action": plain(record.action),
        "Confidence": plain(record.confidence + reason),
    }  # fmt: skip
    return [
        f"### [{record.created_at:%Y-%m-%d}] {plain(record.title)}",
        "",
        *(f"- **{label}**: {text}" for label, text in parts.items() if text),
        f"<!-- calmkb:improvement {record.id} -->",
    ]


def holds(text: str, line: str) -> bool:
    """Return whether an item of the list has `line` as its details, in whatever section."""
    return f"- **Details**: {line}" in (one.rstrip() for one in text.split("\n"))
