"""Those who follow a run over HTTP: early, late, again, slow, gone, and when the server leaves."""

import asyncio
import socket

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from calmkb.wings.runs.store.store import open_journal
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import kinds, serving

SILENT = 3_600.0


@pytest.fixture
def web(tmp_path, tap, journal_url):
    with serving(make_kb(tmp_path, tap.settings), journal_url, beat=SILENT) as web:
        yield web


def take(stream, number):
    return [next(stream) for _ in range(number)]


def numbers(found):
    return [int(event.id) for event in found if event.id]


def test_a_follower_gets_what_was_then_what_comes_then_the_end(web, tap):
    run = web.begin("tap")
    tap.pour("one")
    early = web.follow(run["runId"])
    first = take(early, 2)
    assert (kinds(first), numbers(first)) == (["run:started", "text"], [1, 2])
    tap.pour("two", "three")
    assert [e.data["entry"]["data"]["text"] for e in take(early, 2)] == ["two", "three"]
    tap.close()
    end = list(early)
    assert (kinds(end), numbers(end), end[-1].id) == (["run:complete"], [5], None)
    assert end[-1].data == {"type": "complete", "run": {
        "id": run["runId"], "status": "completed",
        "result": {"success": True, "message": "three", "steps": 3}}}  # fmt: skip
    late = list(web.follow(run["runId"]))
    assert [e.data for e in late] == [e.data for e in [*first, *late[2:4], *end]]
    shown = web.client.get(f"/runs/{run['runId']}").json()["entries"]
    sent = [e.data["entry"] for e in late[:-1]]
    assert sent == [{key: entry[key] for key in sent[0]} for entry in shown]


@pytest.mark.parametrize("how", [{"last": 2}, {"after": 2}, {"last": 2, "after": 1}])
def test_who_comes_back_misses_nothing_and_gets_nothing_twice(web, tap, how):
    run = web.begin("tap")["runId"]
    tap.pour("one", "two")
    take(web.follow(run), 2)
    again = web.follow(run, **how)
    assert numbers(take(again, 1)) == [3]
    tap.close()
    assert numbers(again) == [4]


def test_an_id_that_is_none_counts_as_nothing_and_a_number_above_all_only_ends(web):
    run = web.begin()["runId"]
    whole = list(web.follow(run))
    for odd in ("x", "-1", "٣", "1e3", "9" * 40):
        assert numbers(web.follow(run, last=odd)) == numbers(whole)
    (end,) = web.follow(run, last=999)
    assert end.data["type"] == "complete"
    assert web.client.get(f"/runs/{run}/subscribe?after=-1").status_code == 422


def test_without_following_it_ends_at_what_is_there(web, tap):
    run = web.begin("tap")["runId"]
    tap.pour("one")
    take(web.follow(run), 2)
    found = list(web.follow(run, follow=False))
    assert (kinds(found), found[-1].data["type"]) == (["run:started", "text"], "entry")


def test_a_silent_stream_is_kept_open_by_comments(web, tap, monkeypatch):
    monkeypatch.setattr("fastapi.routing._PING_INTERVAL", 0.05)
    run = web.begin("tap")["runId"]
    stream = web.follow(run)
    # On a busy machine one may come between the first entries.
    assert next(event for event in stream if event.comments).comments == ["ping"]


def test_clients_that_vanish_leave_no_task_behind(web, tap):
    run = web.begin("tap")["runId"]
    tap.pour("one")
    stay = web.follow(run)
    take(stay, 2)

    async def tasks(most=None):
        async with asyncio.timeout(20):
            while most is not None and len(asyncio.all_tasks()) > most:
                await asyncio.sleep(0)
            return len(asyncio.all_tasks())

    before = web.call(tasks())
    streams = [web.follow(run) for _ in range(8)]
    for stream in streams:
        take(stream, 2)
    assert web.call(tasks()) > before
    for stream in streams:
        stream.close()
    assert (
        web.call(tasks(before)) <= before
    )  # one that was ending when they were counted may be gone
    tap.pour("two")
    assert take(stay, 1)[0].data["entry"]["data"]["text"] == "two"


def test_a_client_that_does_not_read_holds_up_nobody(web):
    async def fill():
        session = await web.journal.create_session("echo")
        run = await web.journal.start_run(session.id, "much")
        for _ in range(60):
            await web.journal.append(run.id, "text", {"text": "x" * 100_000})
        return run.id

    run = web.call(fill())
    host, port = web.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as lazy:
        lazy.sendall(f"GET /runs/{run}/subscribe HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert lazy.recv(1)
        stream = web.follow(run)
        assert numbers(take(stream, 60)) == list(range(1, 61))
        web.call(web.journal.finish_run(run, "completed"))
        assert next(stream).data["run"]["status"] == "completed"


def test_a_server_that_leaves_hangs_up_on_who_does_not_read_and_complains_of_nothing(web, caplog):
    async def fill():
        session = await web.journal.create_session("echo")
        run = await web.journal.start_run(session.id, "much")
        texts = ({"text": "x" * 100_000} for _ in range(80))
        await asyncio.gather(*(web.journal.append(run.id, "text", text) for text in texts))
        return run.id

    run = web.call(fill())
    host, port = web.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as lazy:
        lazy.sendall(f"GET /runs/{run}/subscribe HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert lazy.recv(1)
        web.stop()
    assert [record.getMessage() for record in caplog.records if record.levelname != "INFO"] == []


def test_a_session_taken_out_ends_the_streams_on_it(web):
    async def begun():
        session = await web.journal.create_session("echo")
        return session.id, (await web.journal.start_run(session.id, "x")).id

    session, run = web.call(begun())
    web.call(web.journal.append(run, "text", {"text": "x"}))
    stream = web.follow(run)
    take(stream, 1)
    web.call(web.journal.finish_run(run, "completed"))
    assert web.client.delete(f"/sessions/{session}").status_code == 204
    assert [e.data["type"] for e in stream] in ([], ["complete"])
    assert web.client.get(f"/runs/{run}/subscribe").status_code == 404


def test_a_server_that_leaves_ends_its_runs_and_lets_other_streams_go(
    web, tap, journal_url, tmp_path
):
    async def elsewhere():
        other = await open_journal(journal_url)
        session = await other.create_session("echo")
        run = await other.start_run(session.id, "of another process")
        await other.append(run.id, "text", {"text": "first"})
        return other, run.id

    other, foreign = web.call(elsewhere())
    mine = web.begin("tap")["runId"]
    tap.pour("one")
    one, two = web.follow(mine), web.follow(foreign)
    take(one, 2), take(two, 1)
    web.call(other.close())
    web.server.should_exit = True
    end = list(one)
    assert (kinds(end), end[-1].data["run"]["status"]) == (["run:error"], "cancelled")
    left = kinds(list(two))
    web.stop()

    async def state():
        again = await open_journal(journal_url)
        run = await again.get_run(foreign)
        await again.close()
        return run.status

    # Its own process is gone too: where that is seen before the server has left, the run failed.
    assert (left, asyncio.run(state())) in (([], "running"), (["run:error"], "failed"))
