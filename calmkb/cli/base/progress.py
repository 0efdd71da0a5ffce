"""One line on a terminal's standard error for what takes longer than a second."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import click

PATIENCE_SECONDS = 1.0
_APART_SECONDS = 0.1
_KEY = "calmkb.progress"


def progress_line(context: click.Context) -> "ProgressLine":
    """Return the one line of a command, closed at its end."""
    if _KEY not in context.meta:
        line = context.meta[_KEY] = ProgressLine()
        context.find_root().call_on_close(line.close)
    made: ProgressLine = context.meta[_KEY]
    return made


@contextmanager
def question() -> Iterator[None]:
    """Keep progress off the terminal while a person is asked; every question goes through it."""
    context = click.get_current_context(silent=True)
    line = context.meta.get(_KEY) if context else None
    with line.question() if line else nullcontext():
        yield


class ProgressLine:
    """Shows the step at hand and how far it is once `patience` ends; gone when the step is done.

    A step that cannot say how far it is shows its name alone, so a timer shows the first line.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._lock = threading.Lock()
        self._patience, self._questions = patience, 0
        self._text, self._shown, self._next = "", False, time.monotonic() + patience
        self._timer = self._started(patience)

    def __call__(self, step: str, done: int, total: int) -> None:
        """Take a report: what is done of how much of `step`; of 0 where that is not known."""
        if self._questions:
            return
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

    @contextmanager
    def question(self) -> Iterator[None]:
        """Show nothing while a person is asked: a line drawn over a prompt looks like a hang."""
        self._questions += 1
        self.close()
        try:
            yield
        finally:
            self._questions -= 1
            self._next = time.monotonic() + self._patience
            self._timer = self._started(self._patience)

    def _started(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._show)
        timer.daemon = True
        timer.start()
        return timer

    def _end_step(self) -> None:
        with self._lock:
            self._text = ""
            if self._shown:
                click.echo("\r\x1b[K", nl=False, err=True)
            self._shown = False

    def _show(self) -> None:
        with self._lock:
            if self._text and not self._questions:
                click.echo(f"\r{self._text}\x1b[K", nl=False, err=True)
                self._shown = True
                self._next = time.monotonic() + _APART_SECONDS
