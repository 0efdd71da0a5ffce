"""A program on another machine: it has the server's token, and no database."""

import pytest

from calmkb.errors import CalmError, ConfigError, NotFoundError, RunConflictError
from calmkb.wings.runs.client import AgentClient
from tests.wings.runs.web import TOKEN

NOWHERE = "00000000-0000-4000-8000-000000000000"


def test_a_program_makes_sessions_runs_and_reads_them_again(server):
    client = AgentClient(server, TOKEN)
    with pytest.raises(CalmError, match="no session"):
        client.start_run("x")
    session = client.create_session("echo", title="Tried")
    events = list(client.subscribe(client.start_run("one", {"maxSteps": 3})))
    kinds = [e["entry"]["entry_type"] for e in events[:-1]]
    assert kinds == ["run:started", "text", "step:complete", "run:complete"]
    assert client.run_agent("echo", "two")["result"]["message"].endswith(
        "1 earlier tasks remembered."
    )
    assert client.session_id == session
    client.reset_session()
    ended = client.run_agent("echo", "three")
    assert (ended["status"], client.session_id != session) == ("completed", True)
    assert [one["title"] for one in client.list_sessions(agentType="echo")] == [None, "Tried"]
    client.session_id = session
    found = client.get_session(session)
    assert [run["task"] for run in found["runs"]] == ["one", "two"]
    run = client.get_run(found["runs"][0]["id"])
    assert (run["run"]["config"], len(run["entries"])) == ({"maxSteps": 3}, 4)
    assert client.archive_session(session)["session"]["status"] == "archived"
    with pytest.raises(RunConflictError, match="archived"):
        client.start_run("x")
    with pytest.raises(NotFoundError):
        client.get_run(NOWHERE)


@pytest.mark.parametrize(
    "server", ["runs.example.org", "ftp://h/", "http://me:secret@h/", "http://"]
)
def test_an_address_that_is_none_is_refused_and_no_password_is_shown(server):
    with pytest.raises(ConfigError, match="the run server is") as refused:
        AgentClient(server)
    assert "secret" not in str(refused.value)


def test_runs_of_all_sessions_are_listed_newest_first_by_status_time_and_page(server):
    client = AgentClient(server, TOKEN)
    tasks = ["one", "two", "three"]
    for task, agent in zip(tasks, ("echo", "failing", "echo"), strict=True):
        client.reset_session()
        client.run_agent(agent, task)

    def listed(**wanted):
        return [run["task"] for run in client.list_runs(**wanted)]

    assert listed() == ["three", "two", "one"]
    assert listed(status="failed") == ["two"]
    assert listed(limit=1, offset=1) == ["two"]
    second = client.list_runs()[1]["startedAt"]
    assert listed(since=second) == ["three", "two"]
    with pytest.raises(CalmError, match="limit: "):
        client.list_runs(limit=201)
