"""Entries as events of AG-UI, the protocol of front ends for agents."""

import json
from collections.abc import Iterator
from typing import Any

from calmkb.wings.runs.model import Run, RunEntry

Event = dict[str, Any]


class AgUi:
    """Translates the entries of one run, in their order; it remembers which step is open."""

    def __init__(self, run: Run) -> None:
        self._ids = {"threadId": run.session_id, "runId": run.id}
        self._step: int | None = None

    def events(self, entry: RunEntry) -> list[Event]:
        """Return the events of an entry; `thinking` and unknown ones are custom events."""
        at = round(entry.created_at.timestamp() * 1000)
        return [{**event, "timestamp": at} for event in self._events(entry)]

    def end(self, run: Run) -> Event:
        """Return the last event of a run."""
        if run.status == "completed":
            return {"type": "RUN_FINISHED", **self._ids, "result": dict(run.result or {})}
        return {"type": "RUN_ERROR", "message": run.outcome, "code": run.status}

    def _events(self, entry: RunEntry) -> Iterator[Event]:
        data, call = entry.data, str(entry.data.get("toolCallId", ""))
        kind, step = entry.entry_type, entry.step_number
        if kind in ("text", "tool:starting", "tool:complete") and step is not None:
            yield from self._open(step)
        if kind == "run:started":
            yield {"type": "RUN_STARTED", **self._ids}
        elif kind == "text":
            yield {"type": "TEXT_MESSAGE_START", "messageId": entry.id, "role": "assistant"}
            text = str(data.get("text", ""))
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": entry.id, "delta": text}
            yield {"type": "TEXT_MESSAGE_END", "messageId": entry.id}
        elif kind == "tool:starting":
            name = str(data.get("toolName", ""))
            yield {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": name}
            args = json.dumps(data.get("args", {}), ensure_ascii=False)
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": args}
            yield {"type": "TOOL_CALL_END", "toolCallId": call}
        elif kind == "tool:complete":
            result = data.get("result")
            content = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            yield {"type": "TOOL_CALL_RESULT", "messageId": entry.id, "toolCallId": call,
                   "content": content, "role": "tool"}  # fmt: skip
        elif kind in ("step:complete", "run:complete", "run:error"):
            yield from self._close()
        else:
            yield {"type": "CUSTOM", "name": kind, "value": dict(data)}

    def _open(self, step: int) -> Iterator[Event]:
        if step != self._step:
            yield from self._close()
            self._step = step
            yield {"type": "STEP_STARTED", "stepName": f"step {step}"}

    def _close(self) -> Iterator[Event]:
        if self._step is not None:
            yield {"type": "STEP_FINISHED", "stepName": f"step {self._step}"}
            self._step = None
