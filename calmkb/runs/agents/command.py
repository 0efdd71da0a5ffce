"""A program as an agent: it gets the task on standard input, its output is translated."""

import asyncio
import contextlib
import os
import shlex
import signal
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.model import RunContext
from calmkb.runs.agents.base import Outcome
from calmkb.runs.agents.streams import FORMATS, Stream
from calmkb.runs.context import as_prompt
from calmkb.runs.sinks import Sink
from calmkb.system.programs import full_command

LINE_LIMIT = 4 * 1024 * 1024
"""Bytes of one line; what is longer is passed over."""
_BLOCK = 65_536
_COMPLAINT = 2_000
_GRACE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAgent:
    """Runs `command` for each task, in `folder`, for at most `seconds`.

    `{model}` in the command is replaced by `model`; Claude Code gets one that is asked for anyway.
    `{task}` in a word of the command is replaced by the task, never by way of a shell; without it
    the task and its context are its standard input. `format` is one of `FORMATS`.
    """

    command: str
    format: str
    folder: Path
    seconds: float
    max_steps: int | None = None
    model: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Run the program to its end; CalmError where it cannot start or takes too long.

        Whatever ends the run, no child of it is left.
        """
        told = as_prompt(context, task)
        words = [word.replace("{model}", self.model) for word in self._words()]
        # A task that is a word of its own must not be read as an option.
        word = f" {told}" if told.startswith("-") else told
        words = [word if each == "{task}" else each.replace("{task}", told) for each in words]
        if self.model and "{model}" not in self.command and self.format == "claude-stream-json":
            words += ["--model", self.model]
        by_word = "{task}" in self.command
        child = await self._start(words)
        stream = FORMATS[self.format](sink, self.max_steps)
        try:
            async with asyncio.timeout(self.seconds):
                code, complaint = await self._hear(child, "" if by_word else told, stream)
        except TimeoutError:
            raise CalmError(f"no end after {self.seconds:g} s; it was stopped") from None
        finally:
            await _kill(child)
        return stream.outcome(code, complaint)

    def _words(self) -> list[str]:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise CalmError(f"the agent's command is no command line: {error}") from error
        if not words:
            raise CalmError("the agent's command is empty")
        return words

    async def _start(self, words: list[str]) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                *full_command(words, self.env.get("PATH")), cwd=self.folder, env=dict(self.env),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                start_new_session=os.name != "nt",
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CalmError(f"{words[0]} could not be started: {reason}") from error

    async def _hear(
        self, child: asyncio.subprocess.Process, told: str, stream: Stream
    ) -> tuple[int, str]:
        assert child.stdout and child.stderr  # noqa: S101 - pipes were asked for
        feeding = asyncio.create_task(_feed(child, told))
        listening = asyncio.create_task(_tail(child.stderr))
        try:
            async for line in _lines(child.stdout):
                await stream.line(line)
            code = await child.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_SECONDS):
                    return code, await listening
            return code, ""
        finally:
            feeding.cancel()
            listening.cancel()
            await asyncio.gather(feeding, listening, return_exceptions=True)


async def _feed(child: asyncio.subprocess.Process, told: str) -> None:
    assert child.stdin  # noqa: S101 - a pipe was asked for
    with contextlib.suppress(OSError):  # it may end without reading all
        child.stdin.write(f"{told}\n".encode(errors="replace"))
        await child.stdin.drain()
        child.stdin.close()


async def _tail(stream: asyncio.StreamReader) -> str:
    kept = b""
    while block := await stream.read(_BLOCK):
        kept = (kept + block)[-_COMPLAINT:]
    return " ".join(kept.decode(errors="replace").split())


async def _lines(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """Yield each line, also an unended last one; a line beyond the limit is left out."""
    held, too_long = b"", False
    while block := await stream.read(_BLOCK):
        *whole, held = (held + block).split(b"\n")
        for line in whole:
            if not too_long:
                yield line.rstrip(b"\r").decode(errors="replace")
            too_long = False
        if len(held) > LINE_LIMIT:
            held, too_long = b"", True
    if held and not too_long:
        yield held.decode(errors="replace")


async def _drain(stream: asyncio.StreamReader | None) -> None:
    while stream and await stream.read(_BLOCK):
        pass


async def _kill(child: asyncio.subprocess.Process) -> None:
    """End the program and all that it started."""
    with contextlib.suppress(OSError):
        if os.name == "nt":
            child.kill()
        else:
            os.killpg(child.pid, signal.SIGKILL)
    # Its end is not told before its pipes are read out; one that got away may hold them open.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GRACE_SECONDS):
            await asyncio.gather(*(_drain(s) for s in (child.stdout, child.stderr)), child.wait())
