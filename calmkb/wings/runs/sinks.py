"""Where agents report what they do: into the journal, or nowhere."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.model.words import clip
from calmkb.wings.runs.filtering import KEY_CHARACTERS, SUMMARY, cut_deep, filtered
from calmkb.wings.runs.model import EntryType, Json
from calmkb.wings.runs.store.values import storable
from calmkb.wings.runs.usage import Budget, Usage

if TYPE_CHECKING:
    from calmkb.wings.runs.store.store import RunJournal

_MARGIN = 5
_OUTPUT = 20_000
NO_BUDGET = Budget()
NO_CUT: Mapping[str, int] = {}


class Sink:
    """What an agent can report of its run, one entry a call; these methods discard it.

    `parent` is the call of the sub-agent that says or does it, where it is not the agent itself.
    """

    async def run_started(self, task: str, *, max_steps: int | None, agent_type: str) -> None:
        """Report that the run has started."""

    async def thinking(self, elapsed_ms: int) -> None:
        """Report that the model is still working."""

    async def text(self, text: str, *, step: int, parent: str = "") -> None:
        """Report text of the agent."""

    async def tool_starting(
        self, name: str, call_id: str, args: Json, *, step: int, parent: str = ""
    ) -> None:
        """Report a tool call."""

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int,
        parent: str = "",
    ) -> None:  # fmt: skip
        """Report the result of a tool call."""

    async def step_complete(self, step: int) -> None:
        """Report that a step is complete."""

    async def usage(self, usage: Usage) -> None:
        """Report what the run has used in total until now."""

    async def run_complete(self, message: str, *, success: bool, steps: int) -> None:
        """Report the result of the run."""

    async def run_error(self, error: str, *, step: int) -> None:
        """Report an error that ends the run."""


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
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        budget: Budget = NO_BUDGET,
    ) -> None:
        self._journal, self._run_id, self._clean = journal, run_id, clean
        self._limits, self._interval, self._clock = limits, interval, clock
        self._sleep, self._budget = sleep, budget
        self._calls: dict[str, float] = {}
        self._written, self._last = 0, clock()
        self._beat: asyncio.Task[None] | None = None
        self.ended = False
        self.started = False
        self.failures: list[ToolFailure] = []

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

    async def text(self, text: str, *, step: int, parent: str = "") -> None:
        """Write `text`; nothing where the text is blank."""
        if text.strip():
            data = {"text": text, "stepNumber": step} | _inside(parent)
            await self._write("text", data, step, cut={"text": self._limits.text})

    async def tool_starting(
        self, name: str, call_id: str, args: Json, *, step: int, parent: str = ""
    ) -> None:
        """Write `tool:starting`."""
        self._calls[call_id] = self._clock()
        data = {"toolName": name, "toolCallId": call_id, "args": args, "stepNumber": step}
        data |= _inside(parent)
        await self._write("tool:starting", data, step, cut={"args": self._limits.result})

    async def tool_complete(
        self, name: str, call_id: str, result: object, *, success: bool, summary: str, step: int,
        parent: str = "",
    ) -> None:  # fmt: skip
        """Write `tool:complete`."""
        summary = clip(self._clean(storable(summary)), SUMMARY)
        if not success:
            output = self._clean(storable(result if isinstance(result, str) else summary))
            self.failures.append(ToolFailure(self._clean(storable(name)), output[:_OUTPUT]))
        data = {"toolName": name, "toolCallId": call_id, "result": result, "success": success,
                "summary": summary, "stepNumber": step, **_inside(parent)}  # fmt: skip
        if (began := self._calls.pop(call_id, None)) is not None:
            data["durationMs"] = round((self._clock() - began) * 1000)
        await self._write("tool:complete", data, step, cut={"result": self._limits.result})

    async def step_complete(self, step: int) -> None:
        """Write `step:complete`."""
        await self._write("step:complete", {"stepNumber": step}, step)

    async def usage(self, usage: Usage) -> None:
        """Keep it with the run; BudgetError where it is over the budget."""
        await self._journal.set_usage(self._run_id, filtered(usage.as_json(), self._clean))
        self._budget.check(usage)

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
            key: cut_deep(value, _MARGIN * cut[key], keys=_MARGIN * KEY_CHARACTERS)
            if key in cut
            else value
            for key, value in data.items()
        }
        clean = filtered(bounded, self._clean)
        kept = {
            key: cut_deep(value, cut[key]) if key in cut else value for key, value in clean.items()
        }
        await self._journal.append(self._run_id, kind, kept, step_number=step)

    async def _keep_beating(self) -> None:
        """Beat each interval after the last other entry, whenever that was."""
        since, beats = self._last, 0
        while True:
            if self._last != since:
                since, beats = self._last, 0
            beats = max(beats + 1, int((self._clock() - since) / self._interval) + 1)
            await self._sleep(since + beats * self._interval - self._clock())
            if not self.ended and self._last == since:
                await self.thinking(round((self._clock() - since) * 1000))


def _inside(parent: str) -> dict[str, str]:
    return {"parentToolCallId": parent} if parent else {}
