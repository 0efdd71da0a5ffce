"""Runs as OpenTelemetry spans in OTLP's JSON: a run is `invoke_agent`, a tool is `execute_tool`.

Names are those of the GenAI semantic conventions (status: development). Ids follow from the run's,
so that a run that is exported again is the same trace.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import calmkb
from calmkb.wings.runs.model import Run, RunEntry
from calmkb.wings.runs.usage import usage_of

Span = dict[str, Any]
_INTERNAL, _OK, _ERROR = 1, 1, 2


def spans_of(run: Run, entries: Sequence[RunEntry]) -> list[Span]:
    """Return the span of an ended run, and one for each of its tools below it."""
    ended = run.completed_at or run.started_at
    error = "" if run.status == "completed" else run.outcome
    used = usage_of(run.usage)
    known: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": run.agent_type,
        "gen_ai.conversation.id": run.session_id,
        "gen_ai.request.model": used.model,
        "calmkb.run.id": run.id,
        "calmkb.run.status": run.status,
        "calmkb.project": run.project or "",
    }
    if run.usage:
        known |= {
            "gen_ai.usage.input_tokens": used.input_tokens,
            "gen_ai.usage.output_tokens": used.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": used.cache_read_tokens,
            "gen_ai.usage.cache_creation.input_tokens": used.cache_write_tokens,
        }
    if used.cost is not None:
        known["calmkb.cost_usd"] = used.cost
    root = _span(run, "", f"invoke_agent {run.agent_type}", (run.started_at, ended), known, error)
    return [root, *_tools(run, entries, ended)]


def request_of(spans: Sequence[Span], resource: Mapping[str, str]) -> dict[str, Any]:
    """Return spans as the body of an OTLP request; `resource` describes who made them."""
    scope = {"name": "calmkb.runs", "version": calmkb.__version__}
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [{"scope": scope, "spans": list(spans)}],
            }
        ]
    }


def _tools(run: Run, entries: Sequence[RunEntry], ended: datetime) -> list[Span]:
    begun: dict[str, RunEntry] = {}
    found = []
    for entry in entries:
        call = str(entry.data.get("toolCallId"))
        if entry.entry_type == "tool:starting":
            begun[call] = entry
        elif entry.entry_type == "tool:complete" and (start := begun.pop(call, None)):
            good = entry.data.get("success") is not False
            error = "" if good else str(entry.data.get("summary") or "failed")
            found.append(_tool(run, start, entry.created_at, error))
    return found + [_tool(run, one, ended, "it did not end") for one in begun.values()]


def _tool(run: Run, start: RunEntry, ended: datetime, error: str) -> Span:
    name = str(start.data.get("toolName"))
    known: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": str(start.data.get("toolCallId")),
        "gen_ai.conversation.id": run.session_id,
    }
    return _span(run, start.id, f"execute_tool {name}", (start.created_at, ended), known, error)


def _span(
    run: Run, part: str, name: str, times: tuple[datetime, datetime], known: Mapping[str, Any],
    error: str,
) -> Span:  # fmt: skip
    began, ended = (round(one.timestamp() * 1_000_000) * 1_000 for one in times)
    span: Span = {
        "traceId": _id(run.id, 32),
        "spanId": _id(f"{run.id}/{part}", 16),
        "name": name,
        "kind": _INTERNAL,
        "startTimeUnixNano": str(began),
        "endTimeUnixNano": str(max(began, ended)),
        "attributes": _attributes({**known, **({"error.type": "_OTHER"} if error else {})}),
        "status": {"code": _ERROR, "message": error} if error else {"code": _OK},
    }
    return span | ({"parentSpanId": _id(f"{run.id}/", 16)} if part else {})


def _attributes(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in known.items() if value != ""]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": str(value)}


def _id(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:digits]
