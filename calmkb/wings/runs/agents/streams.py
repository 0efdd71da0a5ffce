"""Output of programs translated into entries: a format is a class and a line of the table."""

from collections.abc import Callable, Mapping
from typing import Any

from calmkb.wings.runs.agents.base import Outcome, Stream, read_event
from calmkb.wings.runs.agents.claude_usage import ClaudeUsage
from calmkb.wings.runs.agents.codex_stream import CodexJson
from calmkb.wings.runs.agents.gemini_stream import GeminiStreamJson
from calmkb.wings.runs.sinks import Sink


class Lines(Stream):
    """Plain lines of any program: each that is not blank is a text, and a step."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        super().__init__(sink, max_steps)
        self._step = 0

    async def line(self, text: str) -> None:
        """Write the line."""
        if text.strip():
            self._check_limit()
            self._step += 1
            await self._say(text)

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return success for exit code 0, with the last line."""
        if code == 0:
            return Outcome(True, self._last.strip() or "done", self._step)
        return Outcome(False, stderr or self._last.strip() or f"exit code {code}", self._step)


class ClaudeStreamJson(Stream):
    """`claude -p --output-format stream-json --verbose`; other lines are skipped."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        super().__init__(sink, max_steps)
        self._result: Mapping[str, Any] | None = None
        self._usage = ClaudeUsage()

    async def line(self, text: str) -> None:
        """Handle one event; a line that is not a JSON object is skipped."""
        event = read_event(text)
        if event.get("type") == "result":
            self._result = event
            if used := self._usage.ended(event):
                await self._sink.usage(used)
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
        answer = message if event["type"] == "assistant" and isinstance(message, dict) else {}
        if used := self._usage.answered(answer):
            await self._sink.usage(used)
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


FORMATS: Mapping[str, Callable[[Sink, int | None], Stream]] = {
    "lines": Lines,
    "claude-stream-json": ClaudeStreamJson,
    "codex-json": CodexJson,
    "gemini-stream-json": GeminiStreamJson,
}


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [str(b.get("text", "")) for b in content if isinstance(b, dict)]
        return "\n".join(text for text in texts if text)
    return "" if content is None else str(content)
