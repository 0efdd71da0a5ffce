"""The run journal, as a ratio to the bare driver of each engine."""

import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from calmkb.wings.runs.store.store import RunJournal, open_journal

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.wings.runs.postgres import Server

SECONDS = 2.0
ROUNDS = 3
FOLLOWERS = 100
WRITES = 60
DATA = {"text": "I look at the tests first, and then at what they test. " * 4, "stepNumber": 3}
NUMBER = "UPDATE runs SET last_sequence = last_sequence + 1 WHERE id = {0} RETURNING last_sequence"
INSERT = (
    "INSERT INTO run_entries "
    "(id, run_id, sequence_number, entry_type, step_number, data, created_at) "
    "VALUES ({0}, {0}, {0}, 'text', 3, {0}, {0})"
)
NOW = "2026-11-02 12:00:00.000000"


def main() -> None:
    """Print entries a second, and the delay to a hundred followers."""
    server = Server(durable=True)
    with tempfile.TemporaryDirectory() as folder:
        urls = {
            "SQLite": f"sqlite:///{folder}/runs.sqlite",
            "PostgreSQL": server.address(server.new_database()).replace("://", "+psycopg://", 1),
        }
        for engine, url in urls.items():
            asyncio.run(_measure(engine, url))
    server.remove()


async def _measure(engine: str, url: str) -> None:
    journal = await open_journal(url)
    bare = _sqlite if engine == "SQLite" else _postgres
    place = url.replace("+psycopg", "").removeprefix("sqlite:///")
    print(
        f"\n| {engine}: entries, each acknowledged on disk | bare driver, /s | calmkb, /s | ratio |"
    )
    print("|---|---|---|---|")
    for writers in (1, 8):
        rates = [
            (await bare(place, await _runs(journal, writers)), await _ours(journal, writers))
            for _ in range(ROUNDS)
        ]
        plain, ours = (statistics.median(column) for column in zip(*rates, strict=True))
        print(f"| {writers} at once | {plain:,.0f} | {ours:,.0f} | {ours / plain:.2f} |")
    last = f"{engine}: until the last of {FOLLOWERS} followers has it"
    print(f"\n| {last} | p50, ms | p95, ms | ratio |")
    print("|---|---|---|---|")
    alone = await _delays(journal, place, engine, 0)
    for name, delays in {
        "one write and one read by the bare driver": alone,
        "written by the same process": await _delays(journal, url, "", FOLLOWERS),
        "written by another process": await _from_elsewhere(journal, url),
    }.items():
        ratio = statistics.median(delays) / statistics.median(alone)
        p95 = sorted(delays)[int(len(delays) * 0.95)] * 1000
        print(f"| {name} | {statistics.median(delays) * 1000:.1f} | {p95:.1f} | {ratio:.1f} |")
    await journal.close()


async def _runs(journal: RunJournal, count: int) -> list[str]:
    session = await journal.create_session("bench")
    return [(await journal.start_run(session.id, "measure")).id for _ in range(count)]


async def _ours(journal: RunJournal, writers: int) -> float:
    until = time.perf_counter() + SECONDS

    async def write(run_id: str) -> int:
        count = 0
        while time.perf_counter() < until:
            await journal.append(run_id, "text", DATA, step_number=3)
            count += 1
        return count

    return sum(await asyncio.gather(*map(write, await _runs(journal, writers)))) / SECONDS


async def _sqlite(file: str, runs: Sequence[str]) -> float:
    """Write one transaction an entry, each writer in a thread with a connection of its own."""
    until = time.perf_counter() + SECONDS

    def write(run_id: str) -> int:
        connection = sqlite3.connect(file, isolation_level=None, timeout=30)
        connection.execute("PRAGMA synchronous=FULL")
        count = 0
        while time.perf_counter() < until:
            _write_sqlite(connection, run_id)
            count += 1
        connection.close()
        return count

    with ThreadPoolExecutor(len(runs)) as pool:
        loop = asyncio.get_running_loop()
        counts = await asyncio.gather(*(loop.run_in_executor(pool, write, one) for one in runs))
    return sum(counts) / SECONDS


def _write_sqlite(connection: sqlite3.Connection, run_id: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    ((number,),) = connection.execute(NUMBER.format("?"), (run_id,)).fetchall()
    values = (str(uuid.uuid4()), run_id, number, json.dumps(DATA), NOW)
    connection.execute(INSERT.format("?"), values)
    connection.execute("COMMIT")


async def _postgres(address: str, runs: Sequence[str]) -> float:
    """Write one transaction an entry, each writer with a connection of its own."""
    until = time.perf_counter() + SECONDS

    async def write(run_id: str) -> int:
        async with await psycopg.AsyncConnection.connect(address) as connection:
            count = 0
            while time.perf_counter() < until:
                await _write_postgres(connection, run_id)
                count += 1
        return count

    return sum(await asyncio.gather(*map(write, runs))) / SECONDS


async def _write_postgres(connection: psycopg.AsyncConnection, run_id: str) -> None:
    found = await (await connection.execute(NUMBER.format("%s"), (run_id,))).fetchone()
    assert found
    values = (str(uuid.uuid4()), run_id, found[0], json.dumps(DATA), NOW)
    await connection.execute(INSERT.format("%s"), values)
    await connection.commit()


async def _delays(journal: RunJournal, place: str, bare: str, followers: int) -> list[float]:
    """Return seconds from before a write until the last follower has it."""
    (run_id,) = await _runs(journal, 1)
    if bare == "SQLite":
        writer, reader = (sqlite3.connect(place, isolation_level=None) for _ in range(2))
        writer.execute("PRAGMA synchronous=FULL")
        last = "SELECT max(sequence_number) FROM run_entries WHERE run_id = ?"

        async def in_sqlite() -> None:
            _write_sqlite(writer, run_id)
            reader.execute(last, (run_id,)).fetchall()

        return await _timed(in_sqlite)
    if bare:
        async with await psycopg.AsyncConnection.connect(place) as connection:
            last = "SELECT max(sequence_number) FROM run_entries WHERE run_id = %s"

            async def in_postgres() -> None:
                await _write_postgres(connection, run_id)
                await (await connection.execute(last, (run_id,))).fetchall()
                await connection.commit()

            return await _timed(in_postgres)
    arrived: asyncio.Queue[int] = asyncio.Queue()
    following = _follow(journal, run_id, followers, arrived)

    async def once() -> None:
        await journal.append(run_id, "text", DATA)
        for _ in range(followers):
            await arrived.get()

    delays = await _timed(once)
    await journal.finish_run(run_id, "completed")
    await asyncio.gather(*following)
    return delays


async def _timed(once: Callable[[], Awaitable[None]]) -> list[float]:
    delays = []
    for _ in range(WRITES):
        begun = time.perf_counter()
        await once()
        delays.append(time.perf_counter() - begun)
        await asyncio.sleep(0.02)
    return delays[5:]


def _follow(
    journal: RunJournal, run_id: str, followers: int, arrived: "asyncio.Queue[int]"
) -> list["asyncio.Task[None]"]:
    async def follow() -> None:
        async for item in journal.follow(run_id):
            if number := getattr(item, "sequence_number", 0):
                arrived.put_nowait(number)

    return [asyncio.create_task(follow()) for _ in range(followers)]


async def _from_elsewhere(journal: RunJournal, url: str) -> list[float]:
    """Have another process write at random moments; each entry says when it was begun."""
    (run_id,) = await _runs(journal, 1)
    last: dict[int, float] = {}
    begun: dict[int, float] = {}

    async def follow() -> None:
        async for item in journal.follow(run_id):
            if number := getattr(item, "sequence_number", 0):
                last[number] = time.monotonic()
                begun[number] = item.data["begun"]  # type: ignore[union-attr]

    following = [asyncio.create_task(follow()) for _ in range(FOLLOWERS)]
    writer = await asyncio.create_subprocess_exec(sys.executable, __file__, url, run_id)
    await writer.wait()
    await journal.finish_run(run_id, "completed")
    await asyncio.gather(*following)
    return [last[number] - begun[number] for number in sorted(last)][5:]


async def _write_elsewhere(url: str, run_id: str) -> None:
    journal = await open_journal(url)
    for n in range(WRITES):
        await asyncio.sleep(0.02 + 0.007 * (n % 5))
        await journal.append(run_id, "text", {**DATA, "begun": time.monotonic()})
    await journal.close()


if __name__ == "__main__":
    asyncio.run(_write_elsewhere(*sys.argv[1:]))
