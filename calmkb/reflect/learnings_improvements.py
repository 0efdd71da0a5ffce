"""Improvements of a project as Markdown items: what to mend, why, and how sure that is."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmkb.model import Confidence, Impact, Improvement
from calmkb.reflect.learnings import Learning
from calmkb.reflect.learnings_classes import PROJECT_CATEGORIES, project_category

SECTIONS = {"pending": "Pending", "applied": "Applied", "deferred": "Deferred"}
"""The heading that an improvement of each state stands under."""
IMPROVEMENTS = "# Improvements\n\n## Pending\n\n## Applied\n\n## Deferred\n"
LABELS = {
    "category": "Category",
    "impact": "Impact",
    "details": "Details",
    "action": "Suggested action",
    "confidence": "Confidence",
}
Plain = Callable[[str], str]
_TITLE = 72
_ACTIONS = {
    "Documentation": "Write it down where the next reader looks first, and link it.",
    "Naming": "Rename it, or record the name people search for.",
    "Project Structure": "Move it to where it is looked for, or say in the README where it is.",
    "Configuration": "Make the setting the default, or document it beside the command.",
    "Test Structure": "Make the tests say how they are run and where their data lies.",
}
_DEFAULT_ACTION = "Mend the cause, so that nobody needs to be told."
TICK = r"(?:\[[xX]\]|[✓✔✅☑]\ufe0f?)"
_BESIDE = re.compile(rf"\A(?:{TICK}|\[ \]|\[\d{{4}}-\d\d-\d\d\])|{TICK}\Z|(?:\A|\s)#+\Z")
_TILDES = 4
_SURE = re.compile(r"(low|medium|high)\s*(?:\((.*)\))?\s*\Z", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Words:
    """An improvement as a file tells it: its state, and one line for each of its parts."""

    state: str
    title: str
    category: str
    impact: str
    details: str
    action: str
    confidence: str

    @property
    def mark(self) -> str:
        """What these words are known by later: 16 hex digits."""
        parts = (self.state, self.title, self.category, self.impact, self.details, self.action)
        text = "\0".join((*parts, self.confidence))
        return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Suggested:
    """What a learning suggests to mend, and how sure that is."""

    title: str
    category: str
    impact: Impact
    action: str
    confidence: Confidence
    reason: str


def suggested(learning: Learning, text: str) -> Suggested:
    """Return what to make of a learning; `text` is one harmless line."""
    category = learning.category
    if category not in PROJECT_CATEGORIES:
        category = project_category(text)
    return Suggested(
        title=title_of(text),
        category=category,
        impact=learning.confidence,
        action=_ACTIONS.get(category, _DEFAULT_ACTION),
        confidence=learning.confidence,
        reason=f"{learning.sessions} session{'' if learning.sessions == 1 else 's'}",
    )


def words_of(record: Improvement, plain: Plain) -> Words:
    """Return a record as a file tells it, `plain` making one harmless line of each part."""
    reason = f" ({record.reason})" if record.reason else ""
    return Words(
        state=record.state,
        title=bare_title(plain(record.title)),
        category=plain(record.category),
        impact=record.impact,
        details=plain(record.details),
        action=plain(record.action),
        confidence=plain(record.confidence + reason),
    )


def entry(record: Improvement, plain: Plain) -> list[str]:
    """Return the lines of an item: heading, parts, and a comment that it is known by."""
    words = words_of(record, plain)
    parts = (part_line(name, getattr(words, name)) for name in LABELS)
    heading = heading_line(f"{record.created_at:%Y-%m-%d}", words.title)
    return [heading, "", *(line for line in parts if line), mark_line(record.id, words.mark)]


def heading_line(date: str, title: str) -> str:
    """Return the heading of an item; nothing is written for a `date` that there is not."""
    return f"### [{date}] {title}" if date else f"### {title}"


def part_line(name: str, value: str) -> str:
    """Return the line of one part, "" where it has no value."""
    shown = value.capitalize() if name == "impact" else value
    return f"- **{LABELS[name]}**: {shown}" if value else ""


def mark_line(identity: str, mark: str) -> str:
    """Return the comment that an item is known by, and what it said when it was last in step."""
    return f"<!-- calmkb:improvement {identity} {mark} -->"


def bare_title(text: str) -> str:
    """Return a title without what a heading would be read to say beside it: ticks, number signs."""
    before = None
    while text != before:
        before, text = text, _BESIDE.sub("", text.strip()).strip()
        if len(text) > _TILDES and text.startswith("~~") and text.endswith("~~"):
            text = text[2:-2]
    return text or "Untitled"


def sureness(text: str) -> tuple[Confidence, str] | None:
    """Return the confidence and its reason in `low (1 session)`, None where it is none."""
    found = _SURE.match(text.strip())
    if not found:
        return None
    words: dict[str, Confidence] = {"low": "low", "medium": "medium", "high": "high"}
    return words[found[1].lower()], (found[2] or "").strip()


def title_of(text: str) -> str:
    """Return the beginning of `text`, whole words, without the full stop."""
    if len(text) <= _TITLE:
        return text.rstrip(".")
    head = text[: _TITLE - 1]
    return (head[: head.rfind(" ")] if " " in head[20:] else head).rstrip(" ,;:.`") + "…"


def holds(text: str, line: str) -> bool:
    """Tell whether the improvements name `line` already, in whatever section."""
    return part_line("details", line) in _stripped(text.split("\n"))


def _stripped(lines: Sequence[str]) -> set[str]:
    return {line.rstrip() for line in lines}
