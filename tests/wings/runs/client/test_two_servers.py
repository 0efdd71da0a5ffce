"""Two servers on one PostgreSQL: what runs at one is followed, gone on with and ended at both."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from calmkb.wings.runs.client import AgentClient
from tests.warm import stood_for
from tests.wings.runs.conftest import postgres_url
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import TOKEN, start_program

AGENTS = """
[agents.count]
command = "sh -c 'for n in 1 2 3 4 5; do echo $n; done'"
[agents.slow]
command = "sh -c 'echo begun; sleep 600'"
"""


@pytest.fixture
def database(postgres, emptied):
    return postgres_url(postgres, emptied)


@pytest.fixture
def folder(tmp_path, tap):
    return make_kb(tmp_path, tap.settings + AGENTS).environment.cwd


@pytest.fixture
def clients(folder, home, database):
    """Return a client of each of two servers, each in a process, on one database."""
    options = ("--port", "0", "--token", TOKEN, "--database", database)
    begun = [start_program(folder, home, *options) for _ in range(2)]
    yield [AgentClient(program.base, TOKEN) for program in begun]
    for program in begun:
        program.process.terminate()
        program.process.communicate(timeout=30)


def whole(client, run):
    """Follow a run to its end; return the kinds and data of its entries, without heartbeats."""
    entries = [event["entry"] for event in client.subscribe(run) if event["type"] == "entry"]
    return [(e["id"], e["entry_type"], e["data"]) for e in entries if e["entry_type"] != "thinking"]


def test_eight_runs_at_two_servers_are_followed_whole_at_both(clients):
    with ThreadPoolExecutor(16) as pool:
        for client in clients:
            client.create_session("count")
        runs = [client.start_run(f"task {n}") for n in range(4) for client in clients]
        asked = [(client, run) for run in runs for client in clients]
        seen = list(pool.map(lambda pair: whole(*pair), asked))
    for at_one, at_other in zip(seen[::2], seen[1::2], strict=True):
        assert at_one == at_other
        assert [data["text"] for _, kind, data in at_one if kind == "text"] == list("12345")
        assert (at_one[0][1], at_one[-1][1]) == ("run:started", "run:complete")


def test_runs_that_begin_at_once_at_two_servers_are_numbered_without_a_gap(clients):
    first, second = clients
    second.session_id = first.create_session("echo")
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda n: clients[n % 2].start_run("x"), range(20)))
    numbers = [run["runNumber"] for run in first.get_session(first.session_id)["runs"]]
    assert sorted(numbers) == list(range(1, 21))


def test_a_conversation_goes_on_and_a_run_is_cancelled_at_the_other_server(clients):
    first, second = clients
    first.run_agent("echo", "one")
    second.session_id = first.session_id
    assert "1 earlier tasks" in second.run_agent("echo", "two")["result"]["message"]
    first.create_session("slow")
    run = first.start_run("wait")
    assert next(first.subscribe(run))["type"] == "entry"
    second.cancel_run(run)
    assert list(first.subscribe(run))[-1]["run"]["status"] == "cancelled"


def test_a_run_of_a_third_process_is_read_at_either_server_in_turn(
    clients, tap, folder, home, database
):
    command = [*stood_for(), "run", "tap", "talk", "--database", database]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as program:
        for number in range(4):
            tap.pour(f"line {number}")
            assert program.stdout.readline() == f"line {number}\n"
        (run,) = clients[0].list_runs(status="running")
        seen = []
        for turn in range(5):
            events = clients[turn % 2].subscribe(run["id"], after=len(seen))
            seen += [event["entry"] for event in islice(events, 1)]
            events.close()
        tap.close()
        *rest, end = clients[1].subscribe(run["id"], after=len(seen))
        assert program.wait(60) == 0
    seen += [event["entry"] for event in rest]
    assert end["run"]["status"] == "completed"
    kept = [entry["id"] for entry in clients[0].get_run(run["id"])["entries"]]
    assert [entry["id"] for entry in seen] == kept
    assert [e["data"]["text"] for e in seen if e["entry_type"] == "text"] == [
        f"line {number}" for number in range(4)
    ]
