"""Other processes that render pages; started early, since starting takes as long."""

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

from calmkb.site.builder.rendering.markdown import Body, Dialect, body, can_pickle
from calmkb.site.builder.rendering.page_template import PageJob, PageRenderer
from calmkb.site.text.shell import parsed

MANY = 300
"""Fewer pages are rendered sooner than other processes start."""
_BATCH = 40


class Workers:
    """As many processes as there are cores, for pages in one dialect of Markdown."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._count = min(os.cpu_count() or 1, 8)
        self._pool: ProcessPoolExecutor | None = None

    def start(self) -> None:
        """Start the processes, unless there is one core or the settings cannot be pickled."""
        if self._pool is None and self._count > 1 and can_pickle(self._dialect):
            # Spawned: a fork of a process with threads may hang.
            spawn = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, spawn, _warm, (self._dialect,))
            for _ in range(self._count):
                self._pool.submit(os.getpid)

    def render(
        self, renderer: PageRenderer, jobs: Callable[[], Iterable[PageJob]], count: int
    ) -> Iterator[Body]:
        """Render `count` jobs, and yield the bodies that had to be made."""
        if count >= MANY:
            self.start()
        if self._pool is None or count < MANY:
            yield from filter(None, map(renderer.render, jobs()))
            return
        with tempfile.TemporaryDirectory() as folder:
            pickled = Path(folder) / "renderer"
            pickled.write_bytes(pickle.dumps(renderer))
            try:
                for made in self._pool.map(partial(_render, pickled), _batches(jobs())):
                    yield from made
                return
            except BrokenProcessPool:  # a script that cannot be started twice, or one killed
                pass
        yield from filter(None, map(renderer.render, jobs()))

    def close(self) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _batches(jobs: Iterable[PageJob]) -> Iterator[list[PageJob]]:
    rest = iter(jobs)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _warm(dialect: Dialect) -> None:
    """Import what rendering needs while pages are still being staged."""
    parsed(body(dialect, "index.md", "---\n---\n\n# Warm\n").html)


def _render(pickled: Path, batch: list[PageJob]) -> list[Body]:
    renderer = _renderer(pickled)
    return [made for job in batch if (made := renderer.render(job))]


@lru_cache(maxsize=1)
def _renderer(pickled: Path) -> PageRenderer:
    made: PageRenderer = pickle.loads(pickled.read_bytes())  # noqa: S301 - written a moment ago
    return made
