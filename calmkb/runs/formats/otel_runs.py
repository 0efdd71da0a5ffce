"""Claude Code's OpenTelemetry logs as ended runs: a run is what followed one prompt."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from calmkb.model import EntryType, Run, RunEntry, RunSession
from calmkb.runs.filtering import filtered
from calmkb.runs.formats.otel_events import Event, read_object
from calmkb.runs.sinks import Limits
from calmkb.runs.store.values import TASK_CHARACTERS, TITLE_CHARACTERS
from calmkb.runs.usage import Usage, dollars

AGENT = "claude-code"
_PROMPT, _ANSWER, _FAILURE, _TOOL = "user_prompt", "api_request", "api_error", "tool_result"
_NOT_LOGGED = "(prompt not logged)"
_SUMMARY = 200
_IDS = uuid.UUID("6f0a4a70-0d0c-5bb6-9a8e-4b7f3a2c9d15")
Clean = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """An ended run with its session and its entries, as they are stored."""

    session: RunSession
    run: Run
    entries: Sequence[RunEntry]


def run_of(session_id: str, prompt_id: str, events: Sequence[Event], clean: Clean) -> LoggedRun:
    """Return the events of one prompt as a run, filtered; the same events have the same ids."""
    events = sorted(events, key=lambda event: (event.at, event.number("event.sequence")))
    began, ended = min(event.began for event in events), events[-1].at
    session = RunSession(
        id=_id(session_id), agent_type=AGENT, status="archived", created_at=began, updated_at=ended,
        title=clean(f"Claude Code {session_id}")[:TITLE_CHARACTERS],
    )  # fmt: skip
    asked = next((event.text("prompt") for event in events if event.name == _PROMPT), "")
    known = asked.strip() not in ("", "<REDACTED>")
    answers = [event for event in events if event.name in (_ANSWER, _FAILURE)]
    failed = bool(answers) and answers[-1].name == _FAILURE
    outcome = _outcome(events, answers[-1] if failed else None, clean)
    run = Run(
        id=_id(session_id, prompt_id), session_id=session.id, run_number=0, agent_type=AGENT,
        task=clean(asked)[:TASK_CHARACTERS] if known else _NOT_LOGGED,
        status="failed" if failed else "completed", result=outcome,
        usage=filtered(_usage(answers).as_json(), clean),
        project=clean(events[0].text("project"))[:TITLE_CHARACTERS] or None,
        started_at=began, completed_at=ended, created_at=began,
    )  # fmt: skip
    return LoggedRun(session, run, _entries(run, events, clean))


def _outcome(events: Sequence[Event], failure: Event | None, clean: Clean) -> dict[str, Any]:
    if failure:
        return {"error": clean(failure.text("error")) or "the model did not answer"}
    tools = sum(event.name == _TOOL for event in events)
    return {"success": True, "message": f"{tools} tool calls, from OpenTelemetry logs"}


def _entries(run: Run, events: Sequence[Event], clean: Clean) -> list[RunEntry]:
    """Return a run's entries: its start, a pair for each tool, its end."""
    found: list[tuple[datetime, EntryType, dict[str, Any]]] = []
    for event in [one for one in events if one.name == _TOOL][: Limits().entries // 2]:
        found += _tool(event, len(found) // 2 + 1, clean)
    found.sort(key=lambda one: one[0])
    start = {"task": run.task, "maxSteps": None, "agentType": run.agent_type}
    found.insert(0, (run.started_at, "run:started", start))
    end: EntryType = "run:complete" if run.status == "completed" else "run:error"
    steps = {"steps": len(found) // 2} if end == "run:complete" else {"stepNumber": len(found) // 2}
    found.append((run.completed_at or run.started_at, end, {**(run.result or {}), **steps}))
    return [
        RunEntry(id=_id(run.id, str(number)), run_id=run.id, sequence_number=number,
                 entry_type=kind, step_number=data.get("stepNumber"), data=data, created_at=at)
        for number, (at, kind, data) in enumerate(found, 1)
    ]  # fmt: skip


def _tool(
    event: Event, step: int, clean: Clean
) -> list[tuple[datetime, EntryType, dict[str, Any]]]:
    success = event.text("success").lower() != "false"
    given = read_object(event.text("tool_input")) or read_object(event.text("tool_parameters"))
    call = {"toolName": event.text("tool_name") or "tool",
            "toolCallId": event.text("tool_use_id") or f"call-{step}"}  # fmt: skip
    fault = event.text("error") or event.text("error_type")
    summary = " ".join(clean(fault).split())[:_SUMMARY]
    done = {"result": fault, "success": success, "summary": summary,
            "durationMs": event.number("duration_ms")}  # fmt: skip
    parts: list[tuple[datetime, EntryType, dict[str, Any]]] = [
        (event.began, "tool:starting", {**call, "args": given, "stepNumber": step}),
        (event.at, "tool:complete", {**call, **done, "stepNumber": step}),
    ]
    return [(at, kind, filtered(data, clean)) for at, kind, data in parts]


def _usage(answers: Iterable[Event]) -> Usage:
    return sum(map(_used, answers), Usage())


def _used(answer: Event) -> Usage:
    read, written = answer.number("cache_read_tokens"), answer.number("cache_creation_tokens")
    try:
        cost = dollars(float(answer.text("cost_usd")))
    except ValueError:
        cost = None
    return Usage(
        model=answer.text("model"), cost=cost,
        input_tokens=answer.number("input_tokens") + read + written,
        output_tokens=answer.number("output_tokens"),
        cache_read_tokens=read, cache_write_tokens=written,
    )  # fmt: skip


def _id(*parts: str) -> str:
    return str(uuid.uuid5(_IDS, "\0".join(parts).encode(errors="replace").decode()))
