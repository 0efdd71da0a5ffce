"""Output of programs translated into entries: a format is a class and a line of the table."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from calmkb.wings.runs.agents.base import Outcome, StepLimitError, first_line, read_event
from calmkb.wings.runs.agents.claude_usage import ClaudeUsage
from calmkb.wings.runs.agents.codex_stream import CodexJson
from calmkb.wings.runs.agents.gemini_stream import GeminiStreamJson
from calmkb.wings.runs.sinks import Sink


class Stream(Protocol):
    """Reads a program's standard output line by line and reports it to the sink."""

    async def line(self, text: str) -> None:
        """Handle one line, without its end."""

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return the result of the run, given the exit code and the end of standard error."""


class Lines:
    """Plain lines of any program: each that is not blank is a text, and a step."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._max_steps = sink, max_steps
        self._step, self._last = 0, ""

    async def line(self, text: str) -> None:
        """Write the line."""
        if text.strip():
            if self._max_steps is not None and self._step >= self._max_steps:
                raise StepLimitError(f"stopped after {self._step} steps, its limit")
            self._step += 1
            self._last = text.strip()
            await self._sink.text(text, step=self._step)

    def outcome(self, code: int, stderr: str) -> Outcome:
        """Return success for exit code 0, with the last line."""
        if code == 0:
            return Outcome(True, self._last or "done", self._step)
        return Outcome(False, stderr or self._last or f"exit code {code}", self._step)


class ClaudeStreamJson:
    """`claude -p --output-format stream-json --verbose`; other lines are skipped."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._max_steps = sink, max_steps
        self._step, self._names = 1, dict[str, str]()
        self._result: Mapping[str, Any] | None = None
        self._last = ""
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
                self._last = str(block.get("text", ""))
                await self._sink.text(self._last, step=self._step, parent=parent)
            elif kind == "tool_use":
                await self._tool_call(block, parent)
            elif kind == "tool_result":
                has_result = True
                await self._tool_result(block, parent)
        answer = message if event["type"] == "assistant" and isinstance(message, dict) else {}
        if used := self._usage.answered(answer):
            await self._sink.usage(used)
        if has_result and not parent:
            await self._next_step()

    async def _tool_call(self, block: Mapping[str, Any], parent: str) -> None:
        name, call = str(block.get("name", "tool")), str(block.get("id", ""))
        self._names[call] = name
        given = block.get("input")
        args = given if isinstance(given, dict) else {"input": given}
        await self._sink.tool_starting(name, call, args, step=self._step, parent=parent)

    async def _tool_result(self, block: Mapping[str, Any], parent: str) -> None:
        call = str(block.get("tool_use_id", ""))
        text = _text_of(block.get("content"))
        await self._sink.tool_complete(
            self._names.get(call, "tool"),
            call,
            text,
            success=block.get("is_error") is not True,
            summary=first_line(text),
            step=self._step,
            parent=parent,
        )

    async def _next_step(self) -> None:
        await self._sink.step_complete(self._step)
        if self._max_steps is not None and self._step >= self._max_steps:
            raise StepLimitError(f"stopped after {self._step} steps, its limit")
        self._step += 1

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
