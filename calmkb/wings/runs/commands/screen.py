"""A run at the terminal: text as it comes, a line for each tool, the thinking time."""

import json
import os
from typing import IO, Any

import click

from calmkb.cli.base.text import visible
from calmkb.model.words import short_line
from calmkb.wings.runs.model import Event, Json

_ARGS = 100


class Screen:
    """Prints entries to `out`; a terminal also shows for how long the model is thinking."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self._live = out, bool(out.isatty())
        self._colours = self._live and not os.environ.get("NO_COLOR")
        self._thinking_shown = False

    def show(self, event: Event) -> None:
        """Print one entry, or how the run ended."""
        if event["type"] == "complete":
            self._end(event["run"])
        elif event["entry"]["entry_type"] == "thinking":
            self._show_thinking(event["entry"]["data"].get("elapsed_ms"))
        elif line := self._line(event["entry"]["entry_type"], event["entry"]["data"]):
            self._print(line)

    def _end(self, run: Json) -> None:
        result = run["result"] or {}
        message = str(result.get("message") or result.get("error") or "")
        if run["status"] == "completed":
            self._print(self._styled(f"✓ {visible(message)}".rstrip(), fg="green"))
        else:
            self._print(self._styled(f"✗ {visible(message) or run['status']}", fg="red"))

    def clear(self) -> None:
        """Clear the thinking line."""
        if self._thinking_shown:
            self._out.write("\r\x1b[2K")
            self._thinking_shown = False

    def _line(self, kind: str, data: Json) -> str:
        if kind == "text":
            return visible(str(data.get("text", "")))
        if kind == "tool:starting":
            args = short_line(json.dumps(data.get("args"), ensure_ascii=False), _ARGS)
            return self._styled(
                f"→ {visible(str(data.get('toolName')))} {visible(args)}", fg="cyan"
            )
        if kind == "tool:complete":
            good = data.get("success") is not False
            text = f"{'←' if good else '✗'} {data.get('toolName')}: {data.get('summary')}"
            return self._styled(visible(text), fg="cyan" if good else "red")
        return ""

    def _show_thinking(self, elapsed: Any) -> None:
        if self._live and isinstance(elapsed, int | float):
            self._out.write(f"\r\x1b[2K… thinking {elapsed / 1000:.0f} s")
            self._out.flush()
            self._thinking_shown = True

    def _print(self, text: str) -> None:
        self.clear()
        self._out.write(text + "\n")
        self._out.flush()

    def _styled(self, text: str, *, fg: str) -> str:
        return click.style(text, fg=fg) if self._colours else text
