"""Events in the OpenTelemetry logs of Claude Code: OTLP's JSON, a request a line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from calmkb.runs.usage import whole

LINE_LIMIT = 16 * 1024 * 1024
"""The most characters of one line; a collector's batches are far smaller."""
_PREFIX = "claude_code."
_SCOPE = "com.anthropic.claude_code"
_SAME = ("event.sequence", "tool_use_id", "request_id")
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the client, its name without the client's."""

    name: str
    at: datetime
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        """Return a field as text; "" where there is none."""
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        """Return a field as a whole number, which some versions write as text; else 0."""
        text = self.text(name)
        return whole(int(text)) if text.isascii() and text.isdigit() and len(text) < 16 else 0

    @property
    def began(self) -> datetime:
        """Return when what it reports began."""
        return self.at - timedelta(milliseconds=min(self.number("duration_ms"), _DAY_MS))


@dataclass(slots=True)
class Logs:
    """Events by session and prompt; `unread` counts lines that are not OTLP logs."""

    prompts: dict[tuple[str, str], list[Event]] = field(default_factory=dict)
    unread: int = 0


def read_logs(lines: Iterable[str]) -> Logs:
    """Read a request a line; other clients' events are left out, and one sent twice is one."""
    logs, seen = Logs(), set[tuple[object, ...]]()
    for line in lines:
        resources = read_object(line).get("resourceLogs")
        if not isinstance(resources, list):
            logs.unread += bool(line.strip())
            continue
        for event in _events(resources):
            same = (event.text("session.id"), event.name, event.at, *map(event.text, _SAME))
            if same[0] and same not in seen:
                seen.add(same)
                prompt = event.text("session.id"), event.text("prompt.id")
                logs.prompts.setdefault(prompt, []).append(event)
    return logs


def _events(resources: list[Any]) -> Iterator[Event]:
    for resource in _objects(resources):
        about = resource.get("resource")
        project = _fields(about).get("project") if isinstance(about, dict) else None
        for scope in _objects(resource.get("scopeLogs")):
            for record in _objects(scope.get("logRecords")):
                fields = {"project": project} | _fields(record)
                name = _name(record, fields, scope)
                at = _moment(record)
                if name and at:
                    yield Event(name, at, fields)


def _name(record: Mapping[str, Any], fields: Mapping[str, Any], scope: Mapping[str, Any]) -> str:
    """Return an event's name without the client's; "" for those of other clients.

    The client's is in the body, in `event.name` or in the scope alone, by its version.
    """
    body, about = record.get("body"), scope.get("scope")
    short = str(fields.get("event.name") or "")
    for name in (str(body.get("stringValue")) if isinstance(body, dict) else "", short):
        if name.startswith(_PREFIX):
            return name.removeprefix(_PREFIX)
    ours = isinstance(about, dict) and str(about.get("name")).startswith(_SCOPE)
    return short if ours else ""


def _fields(holder: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes as a mapping; a value of more than one kind of OTLP's is its first."""
    found = {}
    for one in _objects(holder.get("attributes")):
        value = one.get("value")
        if isinstance(value, dict) and value:
            found[str(one.get("key"))] = next(iter(value.values()))
    return found


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))


def _moment(record: Mapping[str, Any]) -> datetime | None:
    for name in ("timeUnixNano", "observedTimeUnixNano"):
        text = str(record.get(name) or "")
        if text.isascii() and text.isdigit() and len(text) < 20 and int(text):
            return datetime.fromtimestamp(int(text) / 1e9, UTC)
    return None


def read_object(text: str) -> Mapping[str, Any]:
    """Return the JSON object of a text; anything else is an empty one."""
    try:
        value = json.loads(text) if len(text) <= LINE_LIMIT else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
