"""Improvements of a project as items of its Markdown list: added, and moved between sections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmkb.model import Confidence, Impact, Improvement
from calmkb.model.words import counted
from calmkb.reflect.signals.classify import PROJECT_CATEGORIES, project_category
from calmkb.reflect.signals.learnings import Learning
from calmkb.reflect.signals.outline import BLOCK_MARK, outline
from calmkb.reflect.signals.sections import add_entry

SECTIONS = {"pending": "Pending", "applied": "Applied", "deferred": "Deferred"}
"""The heading that an improvement of each state is listed under."""
IMPROVEMENTS = "# Improvements\n\n## Pending\n\n## Applied\n\n## Deferred\n"
Plain = Callable[[str], str]
_ITEM_LEVEL = 3
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
        title=title_of(text),
        category=category,
        impact=learning.confidence,
        action=_ACTIONS.get(category, _DEFAULT_ACTION),
        confidence=learning.confidence,
        reason=counted(learning.sessions, "session"),
    )


def title_of(text: str) -> str:
    """Return the beginning of `text`, whole words, without the full stop."""
    if len(text) <= _TITLE:
        return text.rstrip(".")
    head = text[: _TITLE - 1]
    return (head[: head.rfind(" ")] if " " in head[20:] else head).rstrip(" ,;:.`") + "…"


def entry(record: Improvement, plain: Plain) -> list[str]:
    """Return the lines of an item: its heading, its parts, and a comment with the record's id.

    `plain` makes one harmless line of each text.
    """
    reason = f" ({record.reason})" if record.reason else ""
    parts = {
        "Category": plain(record.category),
        "Impact": record.impact.capitalize(),
        "Details": plain(record.details),
        "Suggested action": plain(record.action),
        "Confidence": plain(record.confidence + reason),
    }
    return [
        f"### [{record.created_at:%Y-%m-%d}] {plain(record.title)}",
        "",
        *(f"- **{label}**: {text}" for label, text in parts.items() if text),
        f"{_comment(record.id)} -->",
    ]


def holds(text: str, line: str) -> bool:
    """Return whether an item of the list has `line` as its details, in whatever section."""
    return f"- **Details**: {line}" in (one.rstrip() for one in text.split("\n"))


def move_item(text: str, record: Improvement) -> str:
    """Return `text` with the item of `record`, and all notes in it, in the section of its state.

    Unchanged where no item has the record's comment, where it is in that section already, or where
    its end cannot be found.
    """
    lines = text.split("\n")
    found = outline(lines)
    at = _line_of(lines, found.hidden, record.id)
    above = [one for one in found.headings if one.line < at and one.level <= _ITEM_LEVEL]
    if not above or above[-1].level != _ITEM_LEVEL or found.end < len(lines):
        return text
    section = next((one.title for one in reversed(above) if one.level < _ITEM_LEVEL), "")
    wanted = SECTIONS[record.state]
    if section.casefold() == wanted.casefold():
        return text
    first = above[-1].line
    after = _end_of_item(lines, [h.line for h in found.headings if h.level <= _ITEM_LEVEL], at)
    item = _without_last_blanks([line.removesuffix("\r") for line in lines[first:after]])
    before, rest = lines[:first], lines[after:]
    if not any(rest):
        before = _without_last_blanks(before)
    return add_entry("\n".join([*before, *rest]), wanted, item)


def _without_last_blanks(lines: list[str]) -> list[str]:
    count = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    return lines[:count]


def _end_of_item(lines: Sequence[str], headings: Sequence[int], at: int) -> int:
    """Return the line of the next heading of a level, or of a managed block, or the last line."""
    blocks = (number for number in range(at, len(lines)) if BLOCK_MARK.match(lines[number]))
    last = len(lines) - (lines[-1] == "")
    return min([last, *(line for line in headings if line > at), *blocks])


def _line_of(lines: Sequence[str], hidden: frozenset[int], identity: str) -> int:
    """Return the line of a record's comment, -1 where there is none."""
    comment = _comment(identity)
    numbers = (n for n, line in enumerate(lines) if line.lstrip().startswith(comment))
    return next((number for number in numbers if number not in hidden), -1)


def _comment(identity: str) -> str:
    return f"<!-- calmkb:improvement {identity}"
