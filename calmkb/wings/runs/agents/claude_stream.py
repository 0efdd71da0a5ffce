"""`claude -p --output-format stream-json --verbose` as entries."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calmkb.wings.runs.agents.base import Outcome, Stream, read_event
from calmkb.wings.runs.sinks import Sink
from calmkb.wings.runs.usage import Usage, dollars, reported, whole


class ClaudeStreamJson(Stream):
    """`claude -p --output-format stream-json --verbose`; other lines are skipped."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        super().__init__(sink, max_steps)
        self._result: Mapping[str, Any] | None = None
        self._answers: dict[str, Usage] = {}
        self._model = ""

    async def line(self, text: str) -> None:
        """Handle one event; a line that is not a JSON object is skipped."""
        event = read_event(text)
        if event.get("type") == "result":
            self._result = event
            await self._sink.usage(self._used_in_all(event))
        elif event.get("type") in ("assistant", "user"):
            await self._message(event)

    async def _message(self, event: Mapping[str, Any]) -> None:
        message = event.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        blocks = (
            [block for block in content if isinstance(block, dict)]
            if isinstance(content, list)
            else []
        )
        has_result, parent = False, str(event.get("parent_tool_use_id") or "")
        for block in blocks:
            kind = block.get("type")
            if kind == "text" and event["type"] == "assistant":
                await self._say(str(block.get("text", "")), parent)
            elif kind == "tool_use":
                name, call = str(block.get("name", "tool")), str(block.get("id", ""))
                await self._tool_starts(name, call, block.get("input"), key="input", parent=parent)
            elif kind == "tool_result":
                has_result, success = True, block.get("is_error") is not True
                call, output = str(block.get("tool_use_id", "")), _text_of(block.get("content"))
                await self._tool_ends(call, output, success=success, parent=parent)
        if event["type"] == "assistant" and isinstance(message, dict):
            await self._add_usage(message)
        if has_result and not parent:
            await self._step_ends()

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return the client's own result; without one, the run failed."""
        if self._result is None:
            reason = stderr or self._last or "no result"
            return Outcome(
                False, f"the client ended without a result (exit code {code}): {reason}", self._step
            )
        success = self._result.get("is_error") is not True and code == 0
        message = str(self._result.get("result") or self._result.get("subtype") or self._last)
        return Outcome(success, message, self._step)

    async def _add_usage(self, message: Mapping[str, Any]) -> None:
        """Report the total so far; one answer comes as several lines with the same id."""
        given, model = message.get("usage"), message.get("model")
        if not isinstance(given, dict):
            return
        self._model = model if isinstance(model, str) else self._model
        name, one = str(message.get("id", "")), _usage(given, self._model)
        if self._answers.get(name) != one:
            self._answers[name] = one
            await self._sink.usage(sum(self._answers.values(), Usage(model=self._model)))

    def _used_in_all(self, result: Mapping[str, Any]) -> Usage:
        """Return what the client itself reports at its end, sub-agents included."""
        cost = dollars(result.get("total_cost_usd"))
        given = result.get("modelUsage")
        models = given if isinstance(given, dict) else {}
        if models:
            each = [_of_model(one) for one in models.values() if isinstance(one, dict)]
            total = sum(each, Usage())
        elif isinstance(result.get("usage"), dict):
            total = _usage(result["usage"], self._model)
        else:
            total = sum(self._answers.values(), Usage())
        return replace(total, model=self._model or next(iter(models), ""), cost=cost)


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [str(b.get("text", "")) for b in content if isinstance(b, dict)]
        return "\n".join(text for text in texts if text)
    return "" if content is None else str(content)


def _usage(given: Mapping[str, Any], model: str) -> Usage:
    written = whole(given.get("cache_creation_input_tokens"))
    known = reported(given, cached="cache_read_input_tokens", model=model)
    whole_input = known.input_tokens + known.cache_read_tokens + written
    return replace(known, input_tokens=whole_input, cache_write_tokens=written)


def _of_model(given: Mapping[str, Any]) -> Usage:
    names = {
        "input_tokens": "inputTokens", "output_tokens": "outputTokens",
        "cache_read_input_tokens": "cacheReadInputTokens",
        "cache_creation_input_tokens": "cacheCreationInputTokens",
    }  # fmt: skip
    return _usage({name: given.get(theirs) for name, theirs in names.items()}, "")
