"""Other processes that press pages: begun early, since they take as long to begin as to press."""

import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from calmkb.site.builder.rendering.markdown import Body, Dialect, body, can_travel
from calmkb.site.builder.rendering.render import Job, Press
from calmkb.site.text.shell import parsed

MANY = 300
"""Fewer pages are made sooner than other processes are."""
_BATCH = 40


class Workers:
    """As many processes as there are cores, for pages in one dialect of Markdown."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._count = min(os.cpu_count() or 1, 8)
        self._pool: ProcessPoolExecutor | None = None

    def begin(self) -> None:
        """Begin the processes, unless one core or settings that cannot travel make them useless."""
        if self._pool is None and self._count > 1 and can_travel(self._dialect):
            # Begun anew: a copy of a process with threads may hang.
            spawn = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, spawn, _warm, (self._dialect,))
            for _ in range(self._count):
                self._pool.submit(os.getpid)

    def press(self, press: Press, jobs: Callable[[], Iterable[Job]], count: int) -> Iterator[Body]:
        """Press `count` jobs, and yield the bodies that had to be made."""
        if count >= MANY:
            self.begin()
        if self._pool is None or count < MANY:
            yield from filter(None, map(press.press, jobs()))
            return
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(folder) / "press"
            tools.write_bytes(pickle.dumps(press))
            try:
                for made in self._pool.map(partial(_press, tools), _batches(jobs())):
                    yield from made
                return
            except BrokenProcessPool:  # a script that cannot be begun twice, or one killed
                pass
        yield from filter(None, map(press.press, jobs()))

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    rest = iter(jobs)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _warm(dialect: Dialect) -> None:
    """Load what pressing needs while the records are still being read."""
    parsed(body(dialect, "index.md", "---\n---\n\n# Warm\n").html)


def _press(tools: Path, batch: list[Job]) -> list[Body]:
    press = _tools(tools)
    return [made for job in batch if (made := press.press(job))]


@lru_cache(maxsize=1)
def _tools(path: Path) -> Press:
    made: Press = pickle.loads(path.read_bytes())  # noqa: S301 - written by the build a moment ago
    return made
