"""Following runs live: one reads for all who follow a run, however many they are."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.wings.runs.model import Run, RunEntry

if TYPE_CHECKING:
    from calmkb.wings.runs.store.reading import RunReader

PAGE = 64  # entries read at once, and kept for those who follow closely: at most 64 MiB a run


@dataclass(frozen=True, slots=True)
class Head:
    """A run, and the number of its last entry at the same moment."""

    run: Run
    last: int


class Tail:
    """The newest entries of one run, held for all who follow it."""

    def __init__(self, run_id: str, source: "RunReader") -> None:
        self.run_id, self._source = run_id, source
        self.recent: tuple[RunEntry, ...] = ()
        self._last: int | None = None
        self._ended: Run | None = None
        self.error: Exception | None = None
        self.followers = 0
        self._stale, self._is_read = True, False
        self._news = asyncio.Event()

    async def follow(self, after: int) -> AsyncGenerator[RunEntry | Run]:
        """Yield each entry above `after` once, in order, and at the end of the run the run.

        A slow follower delays no other and needs no buffer: it reads pages.
        """
        while True:
            news = self._news
            if found := await self._next(after):
                for entry in found:
                    yield entry
                after = found[-1].sequence_number
            elif self._ended:
                yield self._ended
                return
            elif self.error:
                raise _copy_of(self.error)
            elif self._stale and not self._is_read:
                await self._refresh()
            else:
                await news.wait()

    def wake(self) -> None:
        """Have one of the followers look for more entries."""
        self._stale = True
        self._announce()

    def fail(self, error: Exception) -> None:
        """End all following with an error."""
        self.error = error
        self._announce()

    async def _next(self, after: int) -> Sequence[RunEntry]:
        if self._last is None or after >= self._last:
            return ()
        if self.recent and self.recent[0].sequence_number <= after + 1:
            return [entry for entry in self.recent if entry.sequence_number > after]
        return await self._source.entries(self.run_id, after=after, limit=PAGE)

    async def _refresh(self) -> None:
        """Read for all what may be new; where this follower goes away meanwhile, another does."""
        # Before the read: an entry written after it makes the tail stale again.
        self._stale, self._is_read = False, True
        try:
            await self._read()
        except Exception as error:
            self.error = error
        except BaseException:
            self._stale = True
            raise
        finally:
            self._is_read = False
            self._announce()

    async def _read(self) -> None:
        head = await self._source.head(self.run_id)
        if self._last is None:
            self._last = head.last
        elif head.last > self._last:
            # A follower that is more than a page behind reads by itself.
            after = max(self._last, head.last - PAGE)
            found = await self._source.entries(self.run_id, after=after, limit=PAGE)
            before = self.recent if after == self._last else ()
            self.recent = (*before, *found)[-PAGE:]
            self._last = found[-1].sequence_number if found else self._last
        if head.run.status != "running":
            self._ended = head.run

    def _announce(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


Watch = Callable[[Callable[[None], None], Callable[[], bool]], Awaitable[None]]
"""Calls the first function when other processes write, while the second returns true."""


class Tails:
    """The tails of all runs that are followed in this process."""

    def __init__(self, source: "RunReader", watch: Watch | None = None) -> None:
        self._source, self._watch = source, watch
        self._tails: dict[str, Tail] = {}
        self._watching: asyncio.Task[None] | None = None

    def wake(self, run_id: str | None) -> None:
        """Have a run's followers look for more entries; with None, those of all runs."""
        for tail in [*self._tails.values()] if run_id is None else [self._tails.get(run_id)]:
            if tail:
                tail.wake()

    def fail(self, error: Exception) -> None:
        """End all following with an error: the database cannot be read."""
        tails, self._tails = self._tails, {}
        for tail in tails.values():
            tail.fail(error)

    async def follow(self, run_id: str, *, after: int) -> AsyncGenerator[RunEntry | Run]:
        """Yield what the run's tail does (see `Tail.follow`)."""
        tail = self._join(run_id)
        try:
            async with contextlib.aclosing(tail.follow(after)) as items:
                async for item in items:
                    yield item
        finally:
            tail.followers -= 1
            if not tail.followers and self._tails.get(run_id) is tail:
                del self._tails[run_id]

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
        """Stop watching; remaining followers get an error."""
        self.fail(StoreError("the run journal was closed while a run was followed"))
        if self._watching:
            await asyncio.gather(self._watching, return_exceptions=True)

    def _join(self, run_id: str) -> Tail:
        tail = self._tails.get(run_id)
        if tail is None or tail.error:
            tail = self._tails[run_id] = Tail(run_id, self._source)
        if self._watch and (self._watching is None or self._watching.done()):
            self._watching = asyncio.create_task(self._keep_watching(self._watch))
        tail.followers += 1
        return tail

    async def _keep_watching(self, watch: Watch) -> None:
        try:
            while self._tails:
                await watch(self.wake, lambda: bool(self._tails))
        except Exception as error:  # no follower may wait for ever, whatever the error
            self.fail(error)


def _copy_of(error: Exception) -> Exception:
    """Return a new error for each follower: a raised one collects tracebacks."""
    with contextlib.suppress(TypeError):
        return type(error)(*error.args)
    return error
