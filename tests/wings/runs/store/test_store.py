"""What every run journal keeps, on whichever engine."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from calmkb.errors import NotFoundError, RecordError, RunConflictError
from calmkb.wings.runs.model import Run
from calmkb.wings.runs.store.store import open_journal

pytestmark = pytest.mark.anyio


async def begun(journal, task="Do it."):
    session = await journal.create_session("coding")
    return await journal.start_run(session.id, task)


async def gathered(journal, run_id, **asked):
    """Return the numbers that a follower sees, and the run at the end or None."""
    numbers, end = [], None
    async for item in journal.follow(run_id, **asked):
        if isinstance(item, Run):
            end = item
        else:
            numbers.append(item.sequence_number)
    return numbers, end


async def test_a_session_begins_active_and_is_found_again(journal):
    session = await journal.create_session("coding", title="Checkout")
    assert await journal.get_session(session.id) == session
    assert (session.status, session.title) == ("active", "Checkout")


async def test_what_is_written_is_what_is_read(journal):
    run = await begun(journal, "Größe 🦊 \u2028")
    assert await journal.get_run(run.id) == run
    data = {"b": [1, 2.5, True, None, {"": "x"}], "a": "zwei\n", "n": -0.1, "big": 2**70}
    entry = await journal.append(run.id, "text", data, step_number=3)
    assert await journal.entries(run.id) == [entry]
    assert entry.data == data and list(entry.data) == list(data)
    ended = await journal.finish_run(run.id, "completed", result={"ok": True})
    assert await journal.get_run(run.id) == ended
    assert ended.result == {"ok": True} and ended.config is None and ended.completed_at


async def test_sessions_are_listed_newest_first_and_by_what_is_asked(journal_url):
    moments = iter(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=n // 3) for n in range(99))
    journal = await open_journal(journal_url, now=lambda: next(moments))
    made = [await journal.create_session(name) for name in ("a", "b", "a", "a", "b", "a")]
    await journal.archive_session(made[0].id)
    listed = await journal.list_sessions()
    assert listed == sorted(listed, key=lambda one: (one.created_at, one.id), reverse=True)
    assert {one.id for one in listed} == {one.id for one in made}
    assert listed[2:4] == list(await journal.list_sessions(limit=2, offset=2))
    assert {s.id for s in await journal.list_sessions(agent_type="a", status="active")} == {
        one.id for one in (made[2], made[3], made[5])
    }
    assert list(await journal.list_sessions(limit=0)) == []
    await journal.close()


async def test_times_keep_their_microseconds_whatever_zone_the_clock_is_in(journal_url):
    moment = datetime(2026, 3, 29, 1, 30, 0, 123457, tzinfo=timezone(timedelta(hours=5.5)))
    journal = await open_journal(journal_url, now=lambda: moment)
    run = await begun(journal)
    entry = await journal.append(run.id, "text", {})
    assert (await journal.get_run(run.id)).started_at == moment
    (read,) = await journal.entries(run.id)
    assert read.created_at == entry.created_at == moment
    assert read.created_at.utcoffset() == timedelta(0)
    await journal.close()


async def test_many_writers_of_one_run_leave_no_gap_and_no_double(journal):
    run = await begun(journal)
    written = await asyncio.gather(*(journal.append(run.id, "text", {"n": n}) for n in range(300)))
    assert sorted(entry.sequence_number for entry in written) == list(range(1, 301))
    assert [one.data["n"] for one in sorted(written, key=lambda e: e.sequence_number)] == list(
        range(300)
    )
    assert list(await journal.entries(run.id)) == sorted(written, key=lambda e: e.sequence_number)
    assert [e.sequence_number for e in await journal.entries(run.id, after=290, limit=3)] == [
        291, 292, 293,
    ]  # fmt: skip


async def test_runs_that_begin_at_once_are_numbered_without_a_gap(journal):
    session = await journal.create_session("coding")
    runs = await asyncio.gather(*(journal.start_run(session.id, "t") for _ in range(12)))
    assert sorted(run.run_number for run in runs) == list(range(1, 13))
    listed = await journal.list_runs(session.id)
    assert [run.run_number for run in listed] == list(range(1, 13))


async def test_an_ended_run_takes_nothing_and_spoils_nobody_elses_entry(journal):
    ended, running = await begun(journal), await begun(journal)
    await journal.finish_run(ended.id, "failed")
    results = await asyncio.gather(
        *(journal.append(one, "text", {}) for one in (ended.id, running.id, "no-such", running.id)),
        return_exceptions=True,
    )
    assert [type(one).__name__ for one in results] == [
        "RunConflictError", "RunEntry", "NotFoundError", "RunEntry",
    ]  # fmt: skip
    assert "has ended (failed)" in str(results[0])
    with pytest.raises(RunConflictError, match="has ended"):
        await journal.finish_run(ended.id, "completed")
    assert len(await journal.entries(running.id)) == 2


async def test_an_archived_session_takes_no_run_and_stays_so(journal):
    run = await begun(journal)
    with pytest.raises(RunConflictError, match="running run"):
        await journal.archive_session(run.session_id)
    await journal.finish_run(run.id, "completed")
    archived = await journal.archive_session(run.session_id)
    assert await journal.archive_session(run.session_id) == archived
    with pytest.raises(RunConflictError, match="archived"):
        await journal.start_run(run.session_id, "more")


async def test_a_deleted_session_takes_its_runs_and_entries_with_it(journal):
    run, kept = await begun(journal), await begun(journal)
    await journal.append(run.id, "text", {})
    await journal.append(kept.id, "text", {})
    with pytest.raises(RunConflictError, match=run.id):
        await journal.delete_session(run.session_id)
    await journal.finish_run(run.id, "completed")
    await journal.delete_session(run.session_id)
    for asked in (
        journal.get_session(run.session_id), journal.get_run(run.id), journal.entries(run.id),
        journal.delete_session(run.session_id), journal.append(run.id, "text", {}),
        journal.list_runs(run.session_id), journal.set_context_summary(run.id, "x"),
    ):  # fmt: skip
        with pytest.raises(NotFoundError):
            await asked
    assert len(await journal.entries(kept.id)) == 1


async def test_the_summary_of_earlier_runs_is_kept(journal):
    run = await begun(journal)
    await journal.set_context_summary(run.id, "What came before.")
    assert (await journal.get_run(run.id)).context_summary == "What came before."


async def test_a_cancelled_writer_leaves_its_entry_whole_and_the_journal_usable(journal):
    run = await begun(journal)
    for _ in range(20):
        writing = asyncio.create_task(journal.append(run.id, "text", {}))
        reading = asyncio.create_task(journal.entries(run.id))
        await asyncio.sleep(0)
        writing.cancel()
        reading.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)
    await journal.append(run.id, "text", {})
    numbers = [entry.sequence_number for entry in await journal.entries(run.id)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("hostile", ["\0", "\ud800", "x" * 5_000, "'; DROP TABLE runs; --", ""])
async def test_a_hostile_id_is_not_found(journal, hostile):
    for asked in (
        journal.get_session(hostile), journal.get_run(hostile), journal.entries(hostile),
        journal.start_run(hostile, "t"), journal.archive_session(hostile),
        journal.append(hostile, "text", {}), journal.finish_run(hostile, "failed"),
        anext(journal.follow(hostile)),
    ):  # fmt: skip
        with pytest.raises(NotFoundError):
            await asked
    assert list(await journal.list_sessions(agent_type=hostile or "none")) == []


async def test_hostile_data_come_back_alike_from_every_engine(journal):
    run = await begun(journal, "a\0b\udfff")
    nested: object = "deep"
    for _ in range(500):
        nested = [nested]
    entry = await journal.append(
        run.id, "text",
        {"nul\0": "a\0b", "half": "\ud83d", "nan": float("nan"), "inf": [float("-inf")],
         "int": 10**5000, "nested": nested, "tuple": (1,), 5: "key"},
    )  # fmt: skip
    (read,) = await journal.entries(run.id)
    assert read == entry
    assert {key: value for key, value in entry.data.items() if key != "nested"} == {
        "nul\ufffd": "a\ufffdb", "half": "\ufffd", "nan": "nan", "inf": ["-inf"],
        "int": "[a number of 16,610 bits]", "tuple": [1], "5": "key",
    }  # fmt: skip
    assert "nested too deeply" in str(entry.data["nested"])
    assert (await journal.get_run(run.id)).task == "a\ufffdb\ufffd"


async def test_a_flood_is_cut_field_by_field_and_never_loses_the_run(journal):
    run = await begun(journal)
    flood = {"toolName": "cat", "result": "x" * 2_000_000, "args": [[0] * 1000] * 1000}
    entry = await journal.append(run.id, "tool:complete", flood)
    assert await journal.entries(run.id) == [entry]
    assert entry.data["toolName"] == "cat"
    assert entry.data["result"].endswith("[… cut: 2,000,002 bytes]")
    assert entry.data["args"].startswith("[… cut: ")
    with pytest.raises(RecordError, match="at most 1,048,576"):
        await journal.append(run.id, "text", {str(n): "x" * 1000 for n in range(2000)})


async def test_what_is_too_long_or_none_of_ours_is_refused_by_name(journal):
    session = await journal.create_session("coding")
    run = await journal.start_run(session.id, "t" * 100_000)
    for asked, said in (
        (journal.create_session("no name"), "agent_type"),
        (journal.create_session("x" * 101), "agent_type"),
        (journal.create_session("coding", title="t" * 256), "title"),
        (journal.start_run(session.id, "t" * 100_001), "task"),
        (journal.start_run(session.id, "t", config={"x": "y" * 2_000_000}), "config"),
        (journal.finish_run(run.id, "completed", result={"x": "y" * 2_000_000}), "result"),
        (journal.finish_run(run.id, "running"), "status .running.: choose from"),
        (journal.append(run.id, "telepathy", {}), "entry_type"),
        (journal.append(run.id, "text", {"x": object()}), "not JSON"),
        (journal.append(run.id, "text", {}, step_number=2**40), "step_number"),
        (journal.list_sessions(limit=-1), "limit"),
    ):
        with pytest.raises(RecordError, match=said):
            await asked
    assert len(await journal.list_runs(session.id)) == 1
    assert await journal.entries(run.id, after=10**30) == []
    assert await gathered(journal, run.id, after=-(10**30), live=False) == ([], None)


async def test_a_cancelled_run_is_asked_for_by_any_process_and_ends_as_such(journal, journal_url):
    run = await begun(journal)
    other = await open_journal(journal_url)
    assert await journal.runs_to_cancel() == []
    await other.ask_to_cancel(run.id)
    assert (await journal.runs_to_cancel(), await other.runs_to_cancel()) == ([run.id], [])
    with pytest.raises(RunConflictError, match="cancel it first"):
        await other.delete_session(run.session_id)
    await journal.finish_run(run.id, "cancelled")
    with pytest.raises(RunConflictError, match=r"ended \(cancelled\)"):
        await other.ask_to_cancel(run.id)
    assert [one.status for one in await other.list_recent_runs()] == ["cancelled"]
    await other.delete_session(run.session_id)
    await other.close()


async def test_entries_are_found_by_their_words_and_not_by_the_names_of_their_fields(journal):
    run = await begun(journal, "Tidy up.")
    await journal.append(
        run.id, "text", {"text": 'The "lock" file was 100% broken.', "stepNumber": 1}
    )
    await journal.append(run.id, "tool:complete", {"toolName": "Bash", "summary": "lock\\file ok"})
    await journal.append(run.id, "thinking", {"elapsed_ms": 1})

    async def found(query):
        return [hit.entry.sequence_number for hit in await journal.search(query)]

    assert await found("LOCK file") == [2, 1]
    assert await found('"lock"') == [1]
    assert await found("100%") == [1]
    assert await found("lock\\file bash") == [2]
    assert await found("toolName") == await found("1_0%") == await found(" \0 ") == []
    (hit,) = await journal.search("file", limit=1)
    assert (hit.task, hit.entry.entry_type) == ("Tidy up.", "tool:complete")
