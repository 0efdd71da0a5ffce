"""`gemini --output-format stream-json` as entries."""

from collections.abc import Mapping
from typing import Any

from calmkb.wings.runs.agents.base import Outcome, StepLimitError, first_line, read_event
from calmkb.wings.runs.sinks import Sink
from calmkb.wings.runs.usage import Usage, whole


class GeminiStreamJson:
    """Messages become texts, put together from their parts, and each tool is a step."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._max_steps = sink, max_steps
        self._step, self._last, self._model = 1, "", ""
        self._parts: list[str] = []
        self._names: dict[str, str] = {}
        self._result: Mapping[str, Any] | None = None

    async def line(self, text: str) -> None:
        """Handle one event; a line that is none is skipped."""
        event = read_event(text)
        kind = event.get("type")
        if kind == "message" and event.get("role") == "assistant":
            self._parts.append(str(event.get("content", "")))
            if event.get("delta") is True:
                return
        await self._say()
        if kind == "init":
            self._model = str(event.get("model") or "")
        elif kind == "tool_use":
            await self._tool_use(event)
        elif kind == "tool_result":
            await self._tool_result(event)
        elif kind == "result":
            self._result = event
            if isinstance(stats := event.get("stats"), dict):
                await self._sink.usage(_usage(stats, self._model))

    async def _say(self) -> None:
        if self._parts:
            self._last, self._parts = "".join(self._parts), []
            await self._sink.text(self._last, step=self._step)

    async def _tool_use(self, event: Mapping[str, Any]) -> None:
        name, call = str(event.get("tool_name", "tool")), str(event.get("tool_id", ""))
        self._names[call] = name
        given = event.get("parameters")
        args = given if isinstance(given, dict) else {"parameters": given}
        await self._sink.tool_starting(name, call, args, step=self._step)

    async def _tool_result(self, event: Mapping[str, Any]) -> None:
        call, error = str(event.get("tool_id", "")), event.get("error")
        words = error.get("message") if isinstance(error, dict) else event.get("output")
        output = str(words or "")
        await self._sink.tool_complete(
            self._names.get(call, "tool"), call, output, success=event.get("status") != "error",
            summary=first_line(output), step=self._step,
        )  # fmt: skip
        await self._sink.step_complete(self._step)
        if self._max_steps is not None and self._step >= self._max_steps:
            raise StepLimitError(f"stopped after {self._step} steps, its limit")
        self._step += 1

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return the client's own result; without one, the run failed."""
        error = (self._result or {}).get("error")
        words = str(error.get("message", "")) if isinstance(error, dict) else ""
        if code == 0 and self._result and self._result.get("status") != "error":
            return Outcome(True, self._last or "done", self._step)
        reason = words or stderr or self._last or "no result"
        return Outcome(False, f"the client failed (exit code {code}): {reason}", self._step)


def _usage(stats: Mapping[str, Any], model: str) -> Usage:
    return Usage(
        model=model, input_tokens=whole(stats.get("input_tokens")),
        output_tokens=whole(stats.get("output_tokens")),
        cache_read_tokens=whole(stats.get("cached")),
    )  # fmt: skip
