"""Where agents report what they do: into the journal, or nowhere."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calmkb.model import EntryType, Json
from calmkb.runs.store.values import storable

if TYPE_CHECKING:
    from calmkb.runs.store.store import RunJournal

_NOTE = "\n[… cut: {} more characters]"
_MARGIN = 5
_KEY, _SUMMARY = 200, 200
NO_CUT: Mapping[str, int] = {}


class Sink:
    """What an agent can report of its run, one entry a call; these methods discard it."""

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Report that the run has started."""

    async def thinking(self, elapsed_ms: int) -> None:
        """Report that the model is still working."""

    async def text(self, text: str, *, step: int) -> None:
        """Report text of the agent."""

    async def tool_starting(self, name: str, call_id: str, args: Json, *, step: int) -> None:
        """Report a tool call."""

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int
    ) -> None:
        """Report the result of a tool call."""

    async def step_complete(self, step: int) -> None:
        """Report that a step is complete."""

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Report the result of the run."""

    async def run_error(self, error: str, *, step: int) -> None:
        """Report an error that ends the run."""


class NoSink(Sink):
    """Discards everything: for sub-agents whose output the parent records."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may write: entries in total, characters of a text and of a tool's result."""

    entries: int = 20_000
    text: int = 100_000
    result: int = 20_000


class OutputLimitError(Exception):
    """A run has written more entries than it may."""


class JournalSink(Sink):
    """Writes the entries of one run, filtered and cut, and keeps the heartbeat.

    Between `begin` and `end` a `thinking` entry is written whenever nothing else was for
    `interval` seconds; its time counts from the last other entry.
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
        """Write `text`; nothing where the text is blank."""
        if text.strip():
            data = {"text": text, "stepNumber": step}
            await self._write("text", data, step, cut={"text": self._limits.text})

    async def tool_starting(self, name: str, call_id: str, args: Json, *, step: int) -> None:
        """Write `tool:starting`."""
        data = {"toolName": name, "toolCallId": call_id, "args": args, "stepNumber": step}
        await self._write("tool:starting", data, step, cut={"args": self._limits.result})

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int
    ) -> None:
        """Write `tool:complete`."""
        summary = _short(self._clean(storable(summary)))
        if not success:
            self.failures.append(self._clean(storable(f"{name} failed: {summary}")))
        data = {"toolName": name, "toolCallId": call_id, "result": result, "success": success,
                "summary": summary, "stepNumber": step}  # fmt: skip
        await self._write("tool:complete", data, step, cut={"result": self._limits.result})

    async def step_complete(self, step: int) -> None:
        """Write `step:complete`."""
        await self._write("step:complete", {"stepNumber": step}, step)

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Write `run:complete`, once, and nothing after it."""
        if not self.ended:
            self.ended = True
            data = {"success": success, "message": message, "steps": steps}
            await self._append("run:complete", data, None, cut={"message": self._limits.text})

    async def run_error(self, error: str, *, step: int) -> None:
        """Write `run:error`, once, and nothing after it."""
        if not self.ended:
            self.ended = True
            data = {"error": error, "stepNumber": step}
            await self._append("run:error", data, step, cut={"error": self._limits.text})

    async def _write(
        self, kind: EntryType, data: Json, step: int | None, *, cut: Mapping[str, int] = NO_CUT
    ) -> None:
        if self._written >= self._limits.entries:
            raise OutputLimitError(f"the run wrote {self._written:,} entries, more than it may")
        self._written += 1
        await self._append(kind, data, step, cut=cut)

    async def _append(
        self, kind: EntryType, data: Json, step: int | None, *, cut: Mapping[str, int] = NO_CUT
    ) -> None:
        """Write an entry: filtered first, then cut, since a cut could leave half a secret.

        A first and far longer cut bounds the time of the filter.
        """
        if kind != "thinking":
            self._last = self._clock()
        bounded = {
            key: _cut_deep(value, _MARGIN * cut[key], keys=_MARGIN * _KEY) if key in cut else value
            for key, value in data.items()
        }
        filtered = _filtered(bounded, self._clean)
        kept = {
            key: _cut_deep(value, cut[key]) if key in cut else value
            for key, value in filtered.items()
        }
        await self._journal.append(self._run_id, kind, kept, step_number=step)

    async def _keep_beating(self) -> None:
        while True:
            since = self._clock()
            await asyncio.sleep(self._interval)
            if not self.ended and self._last <= since:
                await self.thinking(round((self._clock() - self._last) * 1000))


def _filtered(value: Any, clean: Callable[[str], str]) -> Any:
    """Return a JSON value with every text in it filtered, keys too."""
    if isinstance(value, str):
        return clean(storable(value))
    if isinstance(value, Mapping):
        return {clean(storable(str(k))): _filtered(v, clean) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_filtered(item, clean) for item in value]
    return value if isinstance(value, bool | int | float) or value is None else clean(repr(value))


def _short(text: str) -> str:
    return text if len(text) <= _SUMMARY else text[: _SUMMARY - 1] + "…"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + _NOTE.format(len(text) - limit)


def _cut_deep(value: Any, limit: int, *, keys: int = _KEY) -> Any:
    """Return a JSON value whose texts are at most `limit` characters in total."""
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
            return {str(k)[:keys]: cut(v, depth + 1) for k, v in list(item.items())[:500]}
        if isinstance(item, list | tuple):
            return [cut(v, depth + 1) for v in list(item)[:500]]
        return item

    return cut(value, 0)
