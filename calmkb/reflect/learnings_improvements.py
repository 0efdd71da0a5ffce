"""Improvements of the project as Markdown: what to mend, why, and how sure that is."""

from datetime import datetime

from calmkb.reflect.learnings import Learning
from calmkb.reflect.learnings_classes import PROJECT_CATEGORIES, project_category

IMPROVEMENTS = "# Improvements\n\n## Pending\n\n## Applied\n\n## Deferred\n"
_TITLE = 72
_IMPACTS = {"low": "Low", "medium": "Medium", "high": "High"}
_ACTIONS = {
    "Documentation": "Write it down where the next reader looks first, and link it.",
    "Naming": "Rename it, or record the name people search for.",
    "Project Structure": "Move it to where it is looked for, or say in the README where it is.",
    "Configuration": "Make the setting the default, or document it beside the command.",
    "Test Structure": "Make the tests say how they are run and where their data lies.",
}
_DEFAULT_ACTION = "Mend the cause, so that nobody needs to be told."


def improvement(learning: Learning, text: str, *, now: datetime) -> list[str]:
    """Return the lines of an entry under `## Pending`; `text` is one harmless line."""
    category = learning.category
    if category not in PROJECT_CATEGORIES:
        category = project_category(text)
    sessions = f"{learning.sessions} session{'' if learning.sessions == 1 else 's'}"
    return [
        f"### [{now:%Y-%m-%d}] {title_of(text)}",
        "",
        f"- **Category**: {category}",
        f"- **Impact**: {_IMPACTS[learning.confidence]}",
        f"- **Details**: {text}",
        f"- **Suggested action**: {_ACTIONS.get(category, _DEFAULT_ACTION)}",
        f"- **Confidence**: {learning.confidence} ({sessions})",
    ]


def title_of(text: str) -> str:
    """Return the beginning of `text`, whole words, without the full stop."""
    if len(text) <= _TITLE:
        return text.rstrip(".")
    head = text[: _TITLE - 1]
    return (head[: head.rfind(" ")] if " " in head[20:] else head).rstrip(" ,;:.`") + "…"


def holds(text: str, line: str) -> bool:
    """Tell whether the improvements name `line` already, in whatever section."""
    wanted = f"- **Details**: {line}"
    return any(one.rstrip() == wanted for one in text.split("\n"))
