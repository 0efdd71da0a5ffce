"""Where agents write what they do: into the journal, or nowhere."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calmkb.model import EntryType, Json

if TYPE_CHECKING:
    from calmkb.runs.store.store import RunJournal

_NOTE = "\n[… cut: {} more characters]"


class Sink:
    """What an agent can report of its run, one entry a call; these methods discard it."""

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Say that the run has begun."""

    async def thinking(self, elapsed_ms: int) -> None:
        """Say that the model is at work still."""

    async def text(self, text: str, *, step: int) -> None:
        """Say what the agent says."""

    async def tool_starting(self, name: str, call_id: str, args: Json, *, step: int) -> None:
        """Say that a tool is called."""

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int
    ) -> None:
        """Say what a tool answered."""

    async def step_complete(self, step: int) -> None:
        """Say that a step is done."""

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Say how the run ended."""

    async def run_error(self, error: str, *, step: int) -> None:
        """Say what went wrong."""


class NoSink(Sink):
    """Discards everything: for sub-agents whose output the parent records."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may write: entries in all, characters of a text and of a tool's result."""

    entries: int = 20_000
    text: int = 100_000
    result: int = 20_000


class OutputLimitError(Exception):
    """A run has written as many entries as it may."""


class JournalSink(Sink):
    """Writes the entries of one run, cleaned and cut, and says by itself that it is alive.

    Between `begin` and `end` a `thinking` entry is written whenever nothing else was for
    `interval` seconds; its time runs from the last thing that was said.
    """

    def __init__(
        self,
        journal: "RunJournal",
        run_id: str,
        *,
        clean: Callable[[str], str],
        limits: Limits = Limits(),
        interval: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal, self._run_id, self._clean = journal, run_id, clean
        self._limits, self._interval, self._clock = limits, interval, clock
        self._written, self._last = 0, clock()
        self._beat: asyncio.Task[None] | None = None
        self.ended = False
        self.started = False
        self.failures: list[str] = []

    async def begin(self) -> None:
        """Start the heartbeat."""
        self._last = self._clock()
        self._beat = asyncio.create_task(self._keep_beating())

    async def end(self) -> None:
        """Stop the heartbeat."""
        if self._beat:
            self._beat.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beat

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Write `run:started`, once."""
        if not self.started:
            self.started = True
            data = {"task": task, "maxSteps": max_steps, "agentType": agent_type}
            await self._write("run:started", data, None)

    async def thinking(self, elapsed_ms: int) -> None:
        """Write `thinking`."""
        await self._append("thinking", {"elapsed_ms": elapsed_ms}, None)

    async def text(self, text: str, *, step: int) -> None:
        """Write `text`; nothing where there are no words."""
        if text.strip():
            cut = _cut(text, self._limits.text)
            await self._write("text", {"text": cut, "stepNumber": step}, step)

    async def tool_starting(self, name: str, call_id: str, args: Json, *, step: int) -> None:
        """Write `tool:starting`."""
        given = _cut_deep(args, self._limits.result)
        data = {"toolName": name, "toolCallId": call_id, "args": given, "stepNumber": step}
        await self._write("tool:starting", data, step)

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int
    ) -> None:
        """Write `tool:complete`."""
        kept = _cut_deep(result, self._limits.result)
        data = {"toolName": name, "toolCallId": call_id, "result": kept, "success": success,
                "summary": summary, "stepNumber": step}  # fmt: skip
        if not success:
            self.failures.append(self._clean(sound(f"{name} failed: {summary}")))
        await self._write("tool:complete", data, step)

    async def step_complete(self, step: int) -> None:
        """Write `step:complete`."""
        await self._write("step:complete", {"stepNumber": step}, step)

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Write `run:complete`, once, and nothing after it."""
        if not self.ended:
            self.ended = True
            message = _cut(message, self._limits.text)
            data = {"success": success, "message": message, "steps": steps}
            await self._append("run:complete", self._cleaned(data), None)

    async def run_error(self, error: str, *, step: int) -> None:
        """Write `run:error`, once, and nothing after it."""
        if not self.ended:
            self.ended = True
            data = {"error": _cut(error, self._limits.text), "stepNumber": step}
            await self._append("run:error", self._cleaned(data), step)

    async def _write(self, kind: EntryType, data: Json, step: int | None) -> None:
        if self._written >= self._limits.entries:
            raise OutputLimitError(f"the run wrote {self._written:,} entries, more than it may")
        self._written += 1
        await self._append(kind, self._cleaned(data), step)

    async def _append(self, kind: EntryType, data: Json, step: int | None) -> None:
        if kind != "thinking":
            self._last = self._clock()
        await self._journal.append(self._run_id, kind, data, step_number=step)

    async def _keep_beating(self) -> None:
        while True:
            since = self._clock()
            await asyncio.sleep(self._interval)
            if not self.ended and self._last <= since:
                await self.thinking(round((self._clock() - self._last) * 1000))

    def _cleaned(self, value: Json) -> Json:
        return {key: _mapped(item, self._clean) for key, item in value.items()}


def _mapped(value: Any, clean: Callable[[str], str]) -> Any:
    """Return a JSON value with every text in it cleaned, keys too."""
    if isinstance(value, str):
        return clean(sound(value))
    if isinstance(value, Mapping):
        return {clean(sound(str(k))): _mapped(v, clean) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(item, clean) for item in value]
    return value if isinstance(value, bool | int | float) or value is None else clean(repr(value))


def sound(text: str) -> str:
    """Return `text` without NUL and half surrogate pairs, which no database keeps."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + _NOTE.format(len(text) - limit)


def _cut_deep(value: Any, limit: int) -> Any:
    """Return a JSON value whose texts are at most `limit` characters in all."""
    room = limit

    def cut(item: Any, depth: int) -> Any:
        nonlocal room
        if depth > 20:
            return "[… nested too deeply]"
        if isinstance(item, str):
            kept = _cut(item, max(room, 0))
            room -= len(item)
            return kept
        if isinstance(item, Mapping):
            return {str(k)[:200]: cut(v, depth + 1) for k, v in list(item.items())[:500]}
        if isinstance(item, list | tuple):
            return [cut(v, depth + 1) for v in list(item)[:500]]
        return item

    return cut(value, 0)
