"""One line on a terminal's standard error for what takes longer than a second."""

import threading
import time

import click

PATIENCE_SECONDS = 1.0
_APART_SECONDS = 0.1


class ProgressLine:
    """Shows the step at hand and how far it is once `patience` ends; gone when the step is done.

    A step that cannot say how far it is shows its name alone, so a timer shows the first line.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._lock = threading.Lock()
        self._text, self._shown, self._next = "", False, time.monotonic() + patience
        self._timer = threading.Timer(patience, self._show)
        self._timer.daemon = True
        self._timer.start()

    def __call__(self, step: str, done: int, total: int) -> None:
        """Take a report: what is done of how much of `step`; of 0 where that is not known."""
        if total and done >= total:
            self._end_step()
            return
        counted = f" {done:,}" + (f" of {total:,}" if total else "") if done else ""
        self._text = f"{step}{counted} \u2026"
        if time.monotonic() >= self._next:
            self._show()

    def close(self) -> None:
        """Show nothing more."""
        self._timer.cancel()
        self._end_step()

    def _end_step(self) -> None:
        with self._lock:
            self._text = ""
            if self._shown:
                click.echo("\r\x1b[K", nl=False, err=True)
            self._shown = False

    def _show(self) -> None:
        with self._lock:
            if self._text:
                click.echo(f"\r{self._text}\x1b[K", nl=False, err=True)
                self._shown = True
                self._next = time.monotonic() + _APART_SECONDS
