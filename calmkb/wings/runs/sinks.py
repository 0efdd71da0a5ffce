"""Where agents report what they do: into the journal, or nowhere."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calmkb.errors import CalmError
from calmkb.model.words import clip
from calmkb.wings.runs.filtering import KEY_CHARACTERS, SUMMARY, cut_deep, filtered
from calmkb.wings.runs.model import EntryType, Json
from calmkb.wings.runs.store.values import storable
from calmkb.wings.runs.usage import NO_BUDGET, Budget, Usage

if TYPE_CHECKING:
    from calmkb.wings.runs.store.store import RunJournal

_MARGIN = 5
_OUTPUT = 20_000
_ENDS = {"run:complete", "run:error"}
_ONCE = {"run:started": {"run:started"}, "run:complete": _ENDS, "run:error": _ENDS}
"""By entry that is written once: those that are not written after it."""
_UNCOUNTED = {"thinking", *_ENDS}
_LONG = {
    "text": "text", "tool:starting": "args", "tool:complete": "result",
    "run:complete": "message", "run:error": "error",
}  # fmt: skip
"""The field of an entry that is cut where it is too long."""


class Sink:
    """What an agent can report of its run, one entry a call; `write` discards them all.

    `parent` is the call of the sub-agent that says or does it, where it is not the agent itself.
    """

    async def write(self, kind: EntryType, data: dict[str, Any]) -> None:
        """Discard an entry."""

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Report that the run has started."""
        data = {"task": task, "maxSteps": max_steps, "agentType": agent_type}
        await self.write("run:started", data)

    async def thinking(self, elapsed_ms: int) -> None:
        """Report that the model is still working."""
        await self.write("thinking", {"elapsed_ms": elapsed_ms})

    async def text(self, text: str, *, step: int, parent: str = "") -> None:
        """Report text of the agent; a blank one is none."""
        if text.strip():
            await self.write("text", {"text": text, "stepNumber": step} | _inside(parent))

    async def tool_starting(
        self, name: str, call_id: str, args: Json, *, step: int, parent: str = ""
    ) -> None:
        """Report a tool call."""
        data = {"toolName": name, "toolCallId": call_id, "args": args, "stepNumber": step}
        await self.write("tool:starting", data | _inside(parent))

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int,
        parent: str = "",
    ) -> None:  # fmt: skip
        """Report the result of a tool call."""
        data = {"toolName": name, "toolCallId": call_id, "result": result, "success": success,
                "summary": summary, "stepNumber": step}  # fmt: skip
        await self.write("tool:complete", data | _inside(parent))

    async def step_complete(self, step: int) -> None:
        """Report that a step is complete."""
        await self.write("step:complete", {"stepNumber": step})

    async def usage(self, usage: Usage) -> None:
        """Report what the run has used in total until now."""

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Report the result of the run."""
        await self.write("run:complete", {"success": success, "message": message, "steps": steps})

    async def run_error(self, error: str, *, step: int) -> None:
        """Report an error that ends the run."""
        await self.write("run:error", {"error": error, "stepNumber": step})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may write: entries in total, characters of a text and of a tool's result."""

    entries: int = 20_000
    text: int = 100_000
    result: int = 20_000


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """A tool of a run that failed, and what it answered; the reason may be on any line."""

    tool: str
    output: str


class OutputLimitError(CalmError):
    """A run has written more entries than it may."""


class JournalSink(Sink):
    """Writes the entries of one run, filtered and cut, and keeps the heartbeat.

    Between `begin` and `end` a `thinking` entry is written whenever nothing else was for
    `interval` seconds; its time counts from the last other entry.
    """

    def __init__(
        self, journal: "RunJournal", run_id: str, *, clean: Callable[[str], str],
        limits: Limits = Limits(), interval: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, budget: Budget = NO_BUDGET,
    ) -> None:  # fmt: skip
        self._journal, self._run_id, self._clean = journal, run_id, clean
        self._limits, self._interval, self._clock = limits, interval, clock
        self._sleep, self._budget = sleep, budget
        self._calls: dict[str, float] = {}
        self._written, self._last = 0, clock()
        self._beat: asyncio.Task[None] | None = None
        self._done: set[str] = set()
        self.failures: list[ToolFailure] = []

    def clean(self, text: str) -> str:
        """Return a text as it may be kept."""
        return self._clean(storable(text))

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

    async def write(self, kind: EntryType, data: dict[str, Any]) -> None:
        """Write an entry; the start of the run once, and its end once."""
        if kind in self._done:
            return
        self._done |= _ONCE.get(kind, set())
        if kind == "tool:starting":
            self._calls[data["toolCallId"]] = self._clock()
        elif kind == "tool:complete":
            data = self._completed(data)
        if kind not in _UNCOUNTED:
            if self._written >= self._limits.entries:
                raise OutputLimitError(f"the run wrote {self._written:,} entries, more than it may")
            self._written += 1
        if kind != "thinking":
            self._last = self._clock()
        kept = self._fit(data, _LONG.get(kind, ""))
        await self._journal.append(self._run_id, kind, kept, step_number=data.get("stepNumber"))

    async def usage(self, usage: Usage) -> None:
        """Keep it with the run; BudgetError where it is over the budget."""
        await self._journal.set_usage(self._run_id, filtered(usage.as_json(), self._clean))
        self._budget.check(usage)

    def _completed(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return a tool's result with its time and a short summary; keep what failed."""
        summary = clip(self.clean(data["summary"]), SUMMARY)
        if not data["success"]:
            words = data["result"] if isinstance(data["result"], str) else summary
            output = self.clean(words)[:_OUTPUT]
            self.failures.append(ToolFailure(self.clean(data["toolName"]), output))
        data = {**data, "summary": summary}
        if (began := self._calls.pop(data["toolCallId"], None)) is not None:
            data["durationMs"] = round((self._clock() - began) * 1000)
        return data

    def _fit(self, data: dict[str, Any], long: str) -> Json:
        """Return data filtered first, then cut, since a cut could leave half a secret.

        A first and far longer cut bounds the time of the filter.
        """
        limit = self._limits.result if long in ("args", "result") else self._limits.text
        if long:
            more = cut_deep(data[long], _MARGIN * limit, keys=_MARGIN * KEY_CHARACTERS)
            data = {**data, long: more}
        kept: dict[str, Any] = filtered(data, self._clean)
        return {**kept, long: cut_deep(kept[long], limit)} if long in kept else kept

    async def _keep_beating(self) -> None:
        """Beat each interval after the last other entry, whenever that was."""
        since, beats = self._last, 0
        while True:
            if self._last != since:
                since, beats = self._last, 0
            beats = max(beats + 1, int((self._clock() - since) / self._interval) + 1)
            await self._sleep(since + beats * self._interval - self._clock())
            if self._done.isdisjoint(_ENDS) and self._last == since:
                await self.thinking(round((self._clock() - since) * 1000))


def _inside(parent: str) -> dict[str, str]:
    return {"parentToolCallId": parent} if parent else {}
