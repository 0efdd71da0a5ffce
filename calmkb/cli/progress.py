"""A bar on a terminal's standard error for what takes longer than a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

_PATIENCE_SECONDS = 1.0


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what a craft tells of steps done and steps in all; nothing is shown off a terminal."""
    begun = time.monotonic()
    bars: list[Any] = []
    with ExitStack() as stack:

        def watch(done: int, total: int) -> None:
            if not bars:
                if not sys.stderr.isatty() or time.monotonic() - begun < _PATIENCE_SECONDS:
                    return
                made = click.progressbar(length=total, label=label, file=sys.stderr)
                bars.append(stack.enter_context(made))
            bar = bars[0]
            bar.length = total
            bar.update(done - bar.pos)

        yield watch
