"""Following a run: everything once, in order, live, however many follow and however slowly."""

import asyncio
import contextlib

import pytest
from sqlalchemy import event

from calmkb.errors import NotFoundError, StoreError
from calmkb.wings.runs.store import tail
from calmkb.wings.runs.store.store import open_journal
from tests.wings.runs.store.test_store import begun, gathered

pytestmark = pytest.mark.anyio


async def test_a_follower_sees_what_was_and_what_comes_and_the_end(journal):
    run = await begun(journal)
    for n in range(5):
        await journal.append(run.id, "text", {"n": n})
    assert await gathered(journal, run.id, after=2, live=False) == ([3, 4, 5], None)
    following = asyncio.create_task(gathered(journal, run.id, after=1))
    for n in range(5):
        await journal.append(run.id, "text", {"n": n})
        await asyncio.sleep(0)
    ended = await journal.finish_run(run.id, "completed")
    assert await following == ([2, 3, 4, 5, 6, 7, 8, 9, 10], ended)
    assert await gathered(journal, run.id, after=10) == ([], ended)
    assert await gathered(journal, run.id, after=99, live=False) == ([], ended)


async def test_another_process_writes_and_our_followers_hear_of_it(journal, journal_url):
    other = await open_journal(journal_url)
    run = await begun(other)
    following = [asyncio.create_task(gathered(journal, run.id)) for _ in range(3)]
    seen = journal.follow(run.id)
    for n in range(1, 8):
        await other.append(run.id, "text", {"n": n})
        # The next is written when this one was heard of: each wakes, none is lost.
        assert (await asyncio.wait_for(anext(seen), 20)).sequence_number == n
    ended = await other.finish_run(run.id, "failed")
    assert await anext(seen) == ended
    for one in following:
        assert await asyncio.wait_for(one, 20) == (list(range(1, 8)), ended)
    await other.close()


async def test_who_comes_late_at_any_time_misses_nothing(journal):
    run = await begun(journal)

    async def write():
        for n in range(2 * tail.PAGE):
            await journal.append(run.id, "text", {"n": n})
        await journal.finish_run(run.id, "completed")

    async def come_late(n):
        while len(await journal.entries(run.id, after=n * 10, limit=1)) == 0:
            await asyncio.sleep(0)
        return await gathered(journal, run.id)

    late = [asyncio.create_task(come_late(n)) for n in range(12)]
    await write()
    for numbers, end in await asyncio.gather(*late):
        assert numbers == list(range(1, 2 * tail.PAGE + 1)) and end.status == "completed"


async def test_a_slow_follower_holds_nobody_up_and_reads_all_in_the_end(journal):
    run = await begun(journal)
    slow = journal.follow(run.id)
    await journal.append(run.id, "text", {})
    assert (await anext(slow)).sequence_number == 1
    quick = asyncio.create_task(gathered(journal, run.id))
    for batch in range(4):
        await asyncio.gather(*(journal.append(run.id, "text", {"b": batch}) for _ in range(100)))
    await journal.finish_run(run.id, "completed")
    assert (await quick)[0] == list(range(1, 402))
    (held,) = journal._tails._tails.values()
    assert len(held.recent) <= tail.PAGE
    rest = [item async for item in slow]
    assert [one.sequence_number for one in rest[:-1]] == list(range(2, 402))


async def counted(follower):
    return len([item async for item in follower])


async def test_a_hundred_followers_cost_no_query_each(journal):
    run = await begun(journal)
    followers = [journal.follow(run.id) for _ in range(100)]
    first = journal.follow(run.id)
    await journal.append(run.id, "text", {})
    for one in (first, *followers):  # what each asks when it begins is its own
        await anext(one)
    following = [asyncio.create_task(counted(one)) for one in followers]
    asked = []

    def count(_connection, _cursor, statement, *_rest):
        if "run_entries" in statement and statement.startswith("SELECT"):
            asked.append(statement)

    event.listen(journal._database.engine, "before_cursor_execute", count)
    for n in range(20):
        await journal.append(run.id, "text", {"n": n})
        await anext(first)
    await journal.finish_run(run.id, "completed")
    assert set(await asyncio.gather(*following)) == {21}  # twenty entries and the end
    assert len(asked) <= 20
    await first.aclose()


async def test_followers_that_vanish_leave_nothing_behind(journal):
    run = await begun(journal)
    await journal.append(run.id, "text", {})
    for _ in range(20):
        following = asyncio.create_task(gathered(journal, run.id))
        await asyncio.sleep(0)
        following.cancel()
        left = journal.follow(run.id)
        await anext(left)
        await left.aclose()
    await asyncio.gather(following, return_exceptions=True)
    assert journal._tails._tails == {}
    await journal.append(run.id, "text", {})
    if watching := journal._tails._watching:
        await asyncio.wait([watching])


async def test_an_impossible_place_to_go_on_from_harms_nobody_else(journal):
    run = await begun(journal)
    ahead = asyncio.create_task(gathered(journal, run.id, after=10**30))
    await asyncio.sleep(0)
    honest = asyncio.create_task(gathered(journal, run.id))
    for _ in range(3):
        await journal.append(run.id, "text", {})
    ended = await journal.finish_run(run.id, "completed")
    assert await honest == ([1, 2, 3], ended)
    assert await ahead == ([], ended)


async def test_who_follows_a_deleted_run_or_a_closed_journal_is_told(journal, journal_url):
    run, other = await begun(journal), await open_journal(journal_url)
    following = [asyncio.create_task(gathered(one, run.id)) for one in (journal, other)]
    await journal.append(run.id, "text", {})
    await journal.finish_run(run.id, "completed")
    await journal.delete_session(run.session_id)
    for one in following:
        with contextlib.suppress(NotFoundError):  # else it was quick enough to see the end
            numbers, ended = await asyncio.wait_for(one, 20)
            assert (numbers, ended.status) == ([1], "completed")
    run = await begun(journal)
    seen = other.follow(run.id)
    await journal.append(run.id, "text", {})
    await anext(seen)
    await other.close()
    with pytest.raises(StoreError, match="closed"):
        await anext(seen)
