"""Following runs live: one reader a run, however many follow it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.wings.runs.model import Run, RunEntry

if TYPE_CHECKING:
    from calmkb.wings.runs.store.reading import RunReader

PAGE = 64
"""Entries read at once, and kept for those who follow closely: at most 64 MiB a run."""


@dataclass(frozen=True, slots=True)
class Head:
    """A run, and the number of its last entry at the same moment."""

    run: Run
    last: int


class Tail:
    """The newest entries of one run, held for all who follow it."""

    def __init__(self, run_id: str, source: "RunReader") -> None:
        self.run_id, self._source = run_id, source
        self._stale = asyncio.Event()
        self._stale.set()
        self.recent: tuple[RunEntry, ...] = ()
        self.last: int | None = None
        self.ended: Run | None = None
        self.error: Exception | None = None
        self.followers = 0
        self.left = False
        self.news = asyncio.Event()

    def wake(self) -> None:
        """Have the reader look for more entries."""
        self._stale.set()

    def offer(self, entries: Sequence[RunEntry]) -> None:
        """Take entries that this process has just written, after reading the ones before them."""
        if self.last is None or entries[0].sequence_number != self.last + 1:
            if self.last is None or entries[-1].sequence_number > self.last:
                self.wake()
            return
        self._take(entries)

    def fail(self, error: Exception) -> None:
        """End all following with an error."""
        self.error = error
        self._announce()

    def leave(self) -> None:
        """Have the reader end by itself: a query is never cancelled."""
        self.left = True
        self.wake()

    async def read(self) -> None:
        """Read whenever there may be more, until the run has ended or has no followers."""
        try:
            while not (self.ended or self.left):
                await self._stale.wait()
                # Cleared before the read: an entry written after it wakes us again.
                self._stale.clear()
                await self._refresh()
        except Exception as error:  # no follower may wait for ever, whatever the error
            self.fail(error)

    async def _refresh(self) -> None:
        head = await self._source.head(self.run_id)
        if self.last is None:
            self.last = head.last
        elif head.last > self.last:
            # A follower that is more than a page behind reads by itself.
            after = max(self.last, head.last - PAGE)
            found = await self._source.entries(self.run_id, after=after, limit=PAGE)
            # Entries offered meanwhile are not taken twice.
            if new := [entry for entry in found if entry.sequence_number > self.last]:
                self._take(new)
        if head.run.status != "running":
            self.ended = head.run
        self._announce()

    def _take(self, entries: Sequence[RunEntry]) -> None:
        before = self.recent if self.last == entries[0].sequence_number - 1 else ()
        self.recent = (*before, *entries)[-PAGE:]
        self.last = entries[-1].sequence_number
        self._announce()

    def _announce(self) -> None:
        self.news.set()
        self.news = asyncio.Event()


Watch = Callable[[Callable[[], bool]], Awaitable[None]]
"""Watches for other processes' writes while the function that it is given returns true."""


class Tails:
    """The tails of all runs that are followed in this process."""

    def __init__(self, source: "RunReader", watch: Watch | None = None) -> None:
        self._source, self._watch = source, watch
        self._tails: dict[str, Tail] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._watching = False

    def wake(self, run_id: str | None) -> None:
        """Have a run's reader look for more entries; with None, the readers of all runs."""
        for tail in [*self._tails.values()] if run_id is None else [self._tails.get(run_id)]:
            if tail:
                tail.wake()

    def offer(self, run_id: str, entries: Sequence[RunEntry]) -> None:
        """Pass on entries that this process has just written."""
        if tail := self._tails.get(run_id):
            tail.offer(entries)

    def fail(self, error: Exception) -> None:
        """End all following with an error: the database cannot be read."""
        tails, self._tails = self._tails, {}
        for tail in tails.values():
            tail.fail(error)
            tail.leave()

    async def follow(self, run_id: str, *, after: int) -> AsyncGenerator[RunEntry | Run]:
        """Yield each entry above `after` once, in order, and at the end of the run the run.

        A slow follower delays no other and needs no buffer: it reads pages.
        """
        tail = self._join(run_id)
        try:
            while True:
                news = tail.news
                if found := await self._next(tail, after):
                    for entry in found:
                        yield entry
                    after = found[-1].sequence_number
                elif tail.ended:
                    yield tail.ended
                    return
                elif tail.error:
                    raise _copy_of(tail.error)
                else:
                    await news.wait()
        finally:
            self._leave(tail)

    async def read(self, run_id: str, *, after: int) -> AsyncGenerator[RunEntry | Run]:
        """Yield the stored entries, and the run where it has ended."""
        # The run is read first: then all that it wrote before its end is in the entries.
        head = await self._source.head(run_id)
        while after < head.last:
            found = await self._source.entries(run_id, after=after, limit=PAGE)
            for entry in found:
                yield entry
            if not found:
                break
            after = found[-1].sequence_number
        if head.run.status != "running":
            yield head.run

    async def close(self) -> None:
        """Stop reading and watching; remaining followers get an error."""
        self.fail(StoreError("the run journal was closed while a run was followed"))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _next(self, tail: Tail, after: int) -> Sequence[RunEntry]:
        if tail.last is None or after >= tail.last:
            return ()
        if tail.recent and tail.recent[0].sequence_number <= after + 1:
            return [entry for entry in tail.recent if entry.sequence_number > after]
        return await self._source.entries(tail.run_id, after=after, limit=PAGE)

    def _join(self, run_id: str) -> Tail:
        tail = self._tails.get(run_id)
        if tail is None or tail.error:
            tail = self._tails[run_id] = Tail(run_id, self._source)
            self._begin(tail.read())
            if self._watch and not self._watching:
                self._watching = True
                self._begin(self._keep_watching(self._watch))
        tail.followers += 1
        return tail

    def _leave(self, tail: Tail) -> None:
        tail.followers -= 1
        if not tail.followers:
            tail.leave()
            if self._tails.get(tail.run_id) is tail:
                del self._tails[tail.run_id]

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_watching(self, watch: Watch) -> None:
        try:
            while self._tails:
                await watch(lambda: bool(self._tails))
        except Exception as error:  # no follower may wait for ever, whatever the error
            self.fail(error)
        finally:
            self._watching = False


def _copy_of(error: Exception) -> Exception:
    """Return a new error for each follower: a raised one collects tracebacks."""
    with contextlib.suppress(TypeError):
        return type(error)(*error.args)
    return error
