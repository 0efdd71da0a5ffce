"""`gemini --output-format stream-json` as entries."""

from collections.abc import Mapping
from typing import Any

from calmkb.wings.runs.agents.base import Outcome, Stream, read_event
from calmkb.wings.runs.sinks import Sink
from calmkb.wings.runs.usage import reported


class GeminiStreamJson(Stream):
    """Messages become texts, put together from their parts, and each tool is a step."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        super().__init__(sink, max_steps)
        self._parts, self._model = list[str](), ""
        self._result: Mapping[str, Any] | None = None

    async def line(self, text: str) -> None:
        """Handle one event; a line that is none is skipped."""
        event = read_event(text)
        kind = event.get("type")
        if kind == "message" and event.get("role") == "assistant":
            self._parts.append(str(event.get("content", "")))
            if event.get("delta") is True:
                return
        if self._parts:
            text, self._parts = "".join(self._parts), []
            await self._say(text)
        if kind == "init":
            self._model = str(event.get("model") or "")
        elif kind == "tool_use":
            name, call = str(event.get("tool_name", "tool")), str(event.get("tool_id", ""))
            await self._tool_starts(name, call, event.get("parameters"), key="parameters")
        elif kind == "tool_result":
            await self._tool_result(event)
        elif kind == "result":
            self._result = event
            if isinstance(stats := event.get("stats"), dict):
                await self._sink.usage(reported(stats, cached="cached", model=self._model))

    async def _tool_result(self, event: Mapping[str, Any]) -> None:
        call, error = str(event.get("tool_id", "")), event.get("error")
        words = error.get("message") if isinstance(error, dict) else event.get("output")
        output = str(words or "")
        await self._tool_ends(call, output, success=event.get("status") != "error")
        await self._step_ends()

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return the client's own result; without one, the run failed."""
        error = (self._result or {}).get("error")
        words = str(error.get("message", "")) if isinstance(error, dict) else ""
        good = self._result is not None and self._result.get("status") != "error"
        return self._client_ended(code, stderr, success=good, error=words)
