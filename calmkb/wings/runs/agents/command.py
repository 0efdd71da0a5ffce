"""A program as an agent: the task is its standard input, and its output is translated."""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.system.run_program import full_command
from calmkb.wings.runs.agents.base import Outcome, Stream
from calmkb.wings.runs.agents.claude_stream import ClaudeStreamJson
from calmkb.wings.runs.agents.codex_stream import CodexJson
from calmkb.wings.runs.agents.gemini_stream import GeminiStreamJson
from calmkb.wings.runs.context import as_prompt
from calmkb.wings.runs.model import RunContext
from calmkb.wings.runs.sinks import Sink

LINE_LIMIT = 4 * 1024 * 1024  # the most bytes of one line; a longer line is skipped
_BLOCK = 65_536
_STDERR = 2_000
_GRACE_SECONDS = 2.0  # how long a program may take to end after SIGTERM, before SIGKILL
_GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAgent:
    """Runs `command` for each task, in `folder`, for at most `seconds`.

    `{model}` in the command is replaced by `model`; Claude Code gets it as an option without that.
    `{task}` in an argument is replaced by the task, never through a shell; without it the task and
    its context are the standard input. `format` is one of `FORMATS`.
    """

    command: str
    format: str
    folder: Path
    seconds: float
    max_steps: int | None = None
    model: str = ""
    max_cost: float | None = None
    env: Mapping[str, str] = field(default_factory=dict)

    async def run(self, task: str, context: RunContext, sink: Sink) -> Outcome:
        """Run the program to its end; CalmError where it cannot start or takes too long.

        No child process is left, however the run ends; see `guard`.
        """
        prompt = as_prompt(context, task)
        words = [word.replace("{model}", self.model) for word in self._words()]
        # A task that is an argument of its own must not be read as an option.
        argument = f" {prompt}" if prompt.startswith("-") else prompt
        words = [argument if word == "{task}" else word.replace("{task}", prompt) for word in words]
        if self.model and "{model}" not in self.command and self.format == "claude-stream-json":
            words += ["--model", self.model]
        if self.max_cost is not None and self.format == "claude-stream-json":
            words += ["--max-budget-usd", f"{self.max_cost:g}"]
        as_input = "" if "{task}" in self.command else prompt
        with _lifeline() as lifeline:
            child = await self._start(words, lifeline)
            stream = FORMATS[self.format](sink, self.max_steps)
            try:
                async with asyncio.timeout(self.seconds):
                    code, stderr = await self._read(child, as_input, stream)
            except TimeoutError:
                late = f"it did not end after {self.seconds:g} s and was stopped"
                raise CalmError(late) from None
            finally:
                await _stop(child)
        return replace(stream.outcome(code, stderr), exit_code=code)

    def _words(self) -> list[str]:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise CalmError(f"the agent's command is not a command line: {error}") from error
        if not words:
            raise CalmError("the agent's command is empty")
        return words

    async def _start(self, words: list[str], lifeline: int) -> asyncio.subprocess.Process:
        try:
            command = full_command(words, self.env.get("PATH"))
            if os.name != "nt":
                guard = [sys.executable, "-I", "-S", _GUARD, str(lifeline), str(_GRACE_SECONDS)]
                command = [*map(str, guard), *command]
            return await asyncio.create_subprocess_exec(
                *command, cwd=self.folder, env=dict(self.env),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                pass_fds=() if os.name == "nt" else (lifeline,),
                start_new_session=os.name != "nt",
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CalmError(f"cannot start {words[0]}: {reason}") from error

    async def _read(
        self, child: asyncio.subprocess.Process, text: str, stream: Stream
    ) -> tuple[int, str]:
        assert child.stdout and child.stderr  # noqa: S101 - pipes were asked for
        feeding = asyncio.create_task(_feed(child, text))
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


async def _feed(child: asyncio.subprocess.Process, text: str) -> None:
    assert child.stdin  # noqa: S101 - a pipe was asked for
    with contextlib.suppress(OSError):  # it may end without reading all
        child.stdin.write(f"{text}\n".encode(errors="replace"))
        await child.stdin.drain()
        child.stdin.close()


async def _tail(stream: asyncio.StreamReader) -> str:
    """Return the last words; a first one that was cut could be half a secret, so it is dropped."""
    kept, was_cut = b"", False
    while block := await stream.read(_BLOCK):
        kept += block
        was_cut = was_cut or len(kept) > _STDERR
        kept = kept[-_STDERR:]
    words = kept.decode(errors="replace").split()
    return " ".join(words[1:] if was_cut else words)


async def _lines(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """Yield each line, also an unended last one; a line beyond the limit is skipped."""
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


@contextlib.contextmanager
def _lifeline() -> Iterator[int]:
    """Give the reading end of a pipe that closes with this process, however that ends."""
    reading, writing = os.pipe()
    try:
        yield reading
    finally:
        os.close(reading)
        os.close(writing)


async def _stop(child: asyncio.subprocess.Process) -> None:
    """End the program and all that it started: asked first, then killed."""
    if os.name == "nt":
        with contextlib.suppress(OSError):
            child.kill()
        await _wait(child, _GRACE_SECONDS)
        return
    if child.returncode is None:
        with contextlib.suppress(OSError):
            child.terminate()  # the guard passes it on, and kills what is left
        await _wait(child, 4 * _GRACE_SECONDS)
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL)
    await _wait(child, _GRACE_SECONDS)


async def _wait(child: asyncio.subprocess.Process, seconds: float) -> None:
    """Wait for the program; wait() does not return before its pipes are read to their end."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(_drain(s) for s in (child.stdout, child.stderr)), child.wait())


class Lines(Stream):
    """Plain lines of any program: each that is not blank is a text, and a step."""

    _step = 0

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


FORMATS: Mapping[str, Callable[[Sink, int | None], Stream]] = {
    "lines": Lines,
    "claude-stream-json": ClaudeStreamJson,
    "codex-json": CodexJson,
    "gemini-stream-json": GeminiStreamJson,
}
