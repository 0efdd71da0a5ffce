"""Processes that die in mid-run: their runs fail, and nothing that was acknowledged is lost."""

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from calmkb.errors import RunConflictError, StoreError
from calmkb.wings.runs.model import Run
from calmkb.wings.runs.store.entries import INTERRUPTED
from calmkb.wings.runs.store.liveness_postgres import advisory_key
from calmkb.wings.runs.store.store import open_journal
from tests.wings.runs.conftest import postgres_url
from tests.wings.runs.postgres import Server
from tests.wings.runs.store.test_store import begun

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ROUNDS = 50 if os.environ.get("CALMKB_SOAK") else 1
WRITER = str(Path(__file__).parents[1].joinpath("writing_process.py"))


async def start_writer(url: str, runs: int = 1):
    """Start a writer; return it and the ids of its runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", WRITER, url, str(runs), stdout=subprocess.PIPE
    )
    return process, [(await process.stdout.readline()).decode().strip() for _ in range(runs)]


async def acknowledged(process) -> list[tuple[str, int, int]]:
    """Return what a killed writer said that it had written."""
    lines = (await process.stdout.read()).decode().split("\n")[:-1]
    return [(run_id, int(number), int(n)) for run_id, number, n in map(str.split, lines)]


async def followed(journal, run_id):
    return [item async for item in journal.follow(run_id)]


@pytest.mark.parametrize("round_", range(ROUNDS))
async def test_a_killed_writer_loses_and_doubles_nothing_and_its_runs_fail(
    journal, journal_url, round_
):
    chance = random.Random(round_)  # noqa: S311
    process, (first, second) = await start_writer(journal_url, 2)
    following = [asyncio.create_task(followed(journal, one)) for one in (first, first, second)]
    assert await journal.fail_interrupted() == []  # it lives
    seen = journal.follow(first)
    for _ in range(chance.randrange(1, 60)):
        await anext(seen)
    process.send_signal(signal.SIGKILL)
    written = await acknowledged(process)
    await process.wait()

    failed = await settled(journal, {first, second})
    assert {run.result["error"] for run in failed} == {INTERRUPTED}
    for task, run_id in zip(following, (first, first, second), strict=True):
        *entries, last, end = await asyncio.wait_for(task, 30)
        assert isinstance(end, Run) and end.status == "failed" and end.completed_at
        assert (last.entry_type, last.data["error"]) == ("run:error", INTERRUPTED)
        assert last.data["stepNumber"] == len(entries)
        assert [one.sequence_number for one in entries] == list(range(1, len(entries) + 1))
        assert [one.data["n"] for one in entries] == list(range(1, len(entries) + 1))
        said = [number for one, number, _ in written if one == run_id]
        assert said == list(range(1, len(said) + 1)) and len(said) <= len(entries)
        assert list(await journal.entries(run_id)) == [*entries, last]
    assert await journal.fail_interrupted() == []
    await seen.aclose()


async def settled(journal, wanted):
    """Return the runs that are told dead; a server needs a moment to see that a client is gone."""
    failed = []
    async with asyncio.timeout(30):
        while {run.id for run in failed} != wanted:
            failed += await journal.fail_interrupted()
            await asyncio.sleep(0)
    return failed


async def test_real_processes_write_into_one_journal_without_a_gap(journal, journal_url):
    writers = [await start_writer(journal_url, 2) for _ in range(2)]
    for _, runs in writers:
        seen = journal.follow(runs[0])
        for number in range(1, 11):
            assert (await asyncio.wait_for(anext(seen), 30)).sequence_number == number
        await seen.aclose()
    for process, runs in writers:
        process.kill()
        written = await acknowledged(process)
        await process.wait()
        for run_id in runs:
            numbers = [entry.sequence_number for entry in await journal.entries(run_id)]
            said = [number for one, number, _ in written if one == run_id]
            assert numbers == list(range(1, len(numbers) + 1))
            assert said == numbers[: len(said)]


async def test_of_servers_that_start_at_once_one_tells_the_dead(journal_url):
    gone = await open_journal(journal_url)
    runs = [await begun(gone) for _ in range(3)]
    await gone.close()
    servers = [await open_journal(journal_url) for _ in range(4)]
    alive = await begun(servers[0])
    found = await asyncio.gather(*(server.fail_interrupted() for server in servers))
    assert sorted(run.id for one in found for run in one) == sorted(run.id for run in runs)
    for run in runs:
        (entry,) = await servers[0].entries(run.id)
        assert (entry.sequence_number, entry.entry_type) == (1, "run:error")
    assert (await servers[1].get_run(alive.id)).status == "running"
    for server in servers:
        await server.close()


async def test_the_dead_are_looked_for_without_a_lock_on_the_file(tmp_path):
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}?timeout=0.05"
    journal, other = await open_journal(url), await open_journal(url)
    run = await begun(other)
    holder = sqlite3.connect(tmp_path / "runs.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert await journal.fail_interrupted() == []  # it lives
    await other.close()
    with pytest.raises(StoreError, match="another program holds it"):
        await journal.fail_interrupted()
    holder.close()
    assert [one.id for one in await journal.fail_interrupted()] == [run.id]
    await journal.close()


async def test_a_lost_connection_is_taken_again_and_the_owner_stays_alive(
    postgres, postgres_template
):
    name = postgres.new_database(postgres_template)
    url = postgres_url(postgres, name)
    ours, other = await open_journal(url), await open_journal(url)
    run = await begun(ours)
    seen = other.follow(run.id)
    await ours.append(run.id, "text", {})
    await anext(seen)
    await asyncio.to_thread(
        postgres.execute,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        database=name,
    )
    keys = [advisory_key(one._owner) for one in (ours, other)]
    async with await psycopg.AsyncConnection.connect(postgres.address(name)) as connection:
        async with asyncio.timeout(30):
            for key in keys:
                held = "SELECT pg_try_advisory_xact_lock(%s)"
                while (await (await connection.execute(held, [key])).fetchone())[0]:
                    await connection.rollback()
                    await asyncio.sleep(0)
    assert await other.fail_interrupted() == []
    for number in (2, 3):
        await ours.append(run.id, "text", {})
        assert (await asyncio.wait_for(anext(seen), 30)).sequence_number == number
    await ours.close()
    assert [one.id for one in await settled(other, {run.id})] == [run.id]
    with pytest.raises(RunConflictError):
        await other.append(run.id, "text", {})
    await seen.aclose()
    await other.close()
    postgres.drop(name)


async def test_a_server_that_goes_away_is_told_to_who_follows_and_found_again():
    server = await asyncio.to_thread(Server)
    journal = await open_journal(postgres_url(server, server.new_database()))
    run = await begun(journal)
    await journal.append(run.id, "text", {})
    seen = journal.follow(run.id)
    await anext(seen)
    await asyncio.to_thread(server.stop)
    with pytest.raises(StoreError, match=r"does not answer|refused|cannot be used"):
        await asyncio.wait_for(anext(seen), 30)
    with pytest.raises(StoreError, match="check that the server runs"):
        await journal.append(run.id, "text", {})
    await asyncio.to_thread(server.start)
    assert (await journal.append(run.id, "text", {})).sequence_number == 2
    await journal.close()
    await asyncio.to_thread(server.remove)
