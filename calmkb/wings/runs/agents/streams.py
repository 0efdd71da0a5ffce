"""Output of programs translated into entries: a format is a class and a line of the table."""

from collections.abc import Callable, Mapping

from calmkb.wings.runs.agents.base import Outcome, Stream
from calmkb.wings.runs.agents.claude_stream import ClaudeStreamJson
from calmkb.wings.runs.agents.codex_stream import CodexJson
from calmkb.wings.runs.agents.gemini_stream import GeminiStreamJson
from calmkb.wings.runs.sinks import Sink


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
