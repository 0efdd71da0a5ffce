"""Claude Code's task lists, old (TodoWrite) and new (TaskCreate, TaskUpdate), as one list."""

import re
from collections.abc import Mapping
from typing import Any

from calmkb.capture.formats.cleaning import one_line
from calmkb.capture.formats.fields import text_of
from calmkb.capture.formats.turns import PlanItem

_NUMBER = re.compile(r"[Tt]ask #(\w+)")
_ITEMS = 200

Plan = tuple[PlanItem, ...]


class PlanCollector:
    """Follows the calls that change the task list, and returns the list after each."""

    def __init__(self) -> None:
        self._tasks: dict[str, PlanItem] = {}
        self._awaited: dict[str, PlanItem] = {}

    def call(self, name: str, given: Mapping[str, Any], use_id: str) -> Plan | None:
        """Return the whole list after this call; None if the call leaves it alone."""
        if name == "TodoWrite":
            return _todos(given.get("todos"))
        if name == "TaskCreate":
            subject = one_line(text_of(given.get("subject")) or text_of(given.get("description")))
            if subject and len(self._awaited) < _ITEMS:
                self._awaited[use_id] = PlanItem(text=subject)
            return None
        if name == "TaskUpdate":
            return self._update(given)
        return None

    def result(self, use_id: str, text: str, failed: bool) -> Plan | None:
        """Return the list once the client has numbered a new task; None for any other result."""
        item = self._awaited.pop(use_id, None)
        if item is None or failed:
            return None
        number = _NUMBER.search(text)
        self._tasks[number[1] if number else str(len(self._tasks) + 1)] = item
        return tuple(self._tasks.values())

    def _update(self, given: Mapping[str, Any]) -> Plan | None:
        number = str(given.get("taskId", ""))
        known = self._tasks.get(number)
        if known is None:
            return None
        status = text_of(given.get("status")) or known.status
        if status == "deleted":
            del self._tasks[number]
        else:
            text = one_line(text_of(given.get("subject"))) or known.text
            self._tasks[number] = PlanItem(text=text, status=status)
        return tuple(self._tasks.values())


def _todos(given: Any) -> Plan | None:
    if not isinstance(given, list):
        return None
    items = [item for item in given[:_ITEMS] if isinstance(item, dict)]
    return tuple(
        PlanItem(text=text, status=text_of(item.get("status")) or "pending")
        for item in items
        if (text := one_line(text_of(item.get("content"))))
    )
