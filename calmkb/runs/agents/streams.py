"""Streams of programs translated into entries: a format is one class and one line of the table."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from calmkb.runs.agents.base import Outcome
from calmkb.runs.sinks import Sink

_SUMMARY = 200


class StepLimitError(Exception):
    """The run took more steps than it may."""


class Stream(Protocol):
    """Hears a program's standard output line by line and says to the sink what it means."""

    async def line(self, text: str) -> None:
        """Take in one line, without its end."""

    def outcome(self, code: int, complaint: str) -> Outcome:
        """Return how the run ended: the exit code and the end of standard error."""


class Lines:
    """Plain lines of any program: each is a text."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._last = sink, ""

    async def line(self, text: str) -> None:
        """Write the line."""
        if text.strip():
            self._last = text.strip()
            await self._sink.text(text, step=1)

    def outcome(self, code: int, complaint: str) -> Outcome:
        """Return success for exit code 0, with the last line."""
        if code == 0:
            return Outcome(True, self._last or "done", 1)
        return Outcome(False, complaint or self._last or f"exit code {code}", 1)


class ClaudeStreamJson:
    """`claude -p --output-format stream-json --verbose`; lines of other kinds are passed over."""

    def __init__(self, sink: Sink, max_steps: int | None) -> None:
        self._sink, self._max_steps = sink, max_steps
        self._step, self._names = 1, dict[str, str]()
        self._result: Mapping[str, Any] | None = None
        self._last = ""

    async def line(self, text: str) -> None:
        """Take in one event; what is no JSON object is passed over."""
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        if event.get("type") == "result":
            self._result = event
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
        answered = False
        for block in blocks:
            kind = block.get("type")
            if kind == "text" and event["type"] == "assistant":
                self._last = str(block.get("text", ""))
                await self._sink.text(self._last, step=self._step)
            elif kind == "tool_use":
                await self._called(block)
            elif kind == "tool_result":
                answered = True
                await self._answered(block)
        if answered and not event.get("parent_tool_use_id"):
            await self._next_step()

    async def _called(self, block: Mapping[str, Any]) -> None:
        name, call = str(block.get("name", "tool")), str(block.get("id", ""))
        self._names[call] = name
        given = block.get("input")
        args = given if isinstance(given, dict) else {"input": given}
        await self._sink.tool_starting(name, call, args, step=self._step)

    async def _answered(self, block: Mapping[str, Any]) -> None:
        call = str(block.get("tool_use_id", ""))
        said = _text_of(block.get("content"))
        await self._sink.tool_complete(
            self._names.get(call, "tool"),
            call,
            said,
            success=block.get("is_error") is not True,
            summary=_first_line(said),
            step=self._step,
        )

    async def _next_step(self) -> None:
        await self._sink.step_complete(self._step)
        if self._max_steps is not None and self._step >= self._max_steps:
            raise StepLimitError(f"stopped after {self._step} steps, as many as it may take")
        self._step += 1

    def outcome(self, code: int, complaint: str) -> Outcome:
        """Return what the client's own result says; without one, it broke off."""
        if self._result is None:
            said = complaint or self._last or "no result"
            return Outcome(False, f"the client broke off (exit code {code}): {said}", self._step)
        success = self._result.get("is_error") is not True and code == 0
        message = str(self._result.get("result") or self._result.get("subtype") or self._last)
        return Outcome(success, message, self._step)


FORMATS: Mapping[str, type[Lines] | type[ClaudeStreamJson]] = {
    "lines": Lines,
    "claude-stream-json": ClaudeStreamJson,
}


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [str(b.get("text", "")) for b in content if isinstance(b, dict)]
        return "\n".join(text for text in texts if text)
    return "" if content is None else str(content)


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "done")
    return line if len(line) <= _SUMMARY else line[: _SUMMARY - 1] + "…"
