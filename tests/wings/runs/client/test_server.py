"""Commands on another machine: they have the server's token, and no database."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from calmkb.wings.runs.client import AgentClient
from tests import warm
from tests.wings.runs.web import TOKEN

NOWHERE = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def there(server, project, cli, home, monkeypatch):
    """Return a function that runs a command against the server, from another home."""
    monkeypatch.setenv("CALMKB_RUNS_TOKEN", TOKEN)
    monkeypatch.setenv("CALMKB_RUNS_SERVER", server)
    yield cli
    assert not (home / ".calm" / "runs.sqlite").exists()


def test_a_run_at_a_server_is_followed_and_gone_on_with(there):
    said = there("run", "echo", "hello", "world")
    assert (said.code, said.out) == (
        0, "hello world\n✓ 1 line repeated; 0 earlier tasks remembered.\n")  # fmt: skip
    session = said.err.split("--session-id ")[1].split()[0]
    again = there("run", "echo", "--session-id", session, "--json", "again")
    events = [json.loads(line) for line in again.out.splitlines()]
    assert [e["type"] for e in events] == ["entry"] * 4 + ["complete"]
    assert set(events[0]["entry"]) == {"id", "entry_type", "step_number", "data", "created_at"}
    assert events[-1]["run"]["result"]["message"].endswith("1 earlier tasks remembered.")
    listed = [line.split(maxsplit=1) for line in there("run", "list").out.splitlines()]
    assert [words for _, words in listed] == [
        "completed  echo  again", "completed  echo  hello world"]  # fmt: skip
    assert there("run", "list", "--status", "failed").out == "No runs found.\n"
    run = there("run", "list").out.split()[0]
    shown = "echo, completed: again\nagain\n✓ 1 line repeated; 1 earlier tasks remembered.\n"
    assert there("show", run).out == shown
    assert there("show", session[:8]).out.endswith(shown)
    assert json.loads(there("show", run, "--json").out)["records"][0]["runs"][0]["id"] == run
    spans = json.loads(there("run", "export", "--otlp", "-").out)
    assert len(spans["resourceSpans"][0]["scopeSpans"][0]["spans"]) == 2


def test_a_run_and_a_session_of_a_server_are_shown(there, server, monkeypatch):
    monkeypatch.delenv("CALMKB_RUNS_SERVER")
    session = there("run", "echo", "hello", "--server", server).err.split("--session-id ")[1]
    run = there("run", "list", "--server", server).out.split()[0]
    shown = "echo, completed: hello\nhello\n✓ 1 line repeated; 0 earlier tasks remembered.\n"
    assert there("run", "show", run[:8], "--server", server).out == shown
    assert there("run", "show", session.split()[0], "--server", server).out == shown
    said = there("run", "show", "fffff", "--server", server)
    assert (said.code, "'fffff' not found" in said.err) == (1, True)


def test_a_run_that_fails_at_a_server_exits_1_and_is_wrapped_up_there(there):
    said = there("run", "failing", "--wrapup", "build it")
    assert (said.code, "✗ the disk is full" in said.out) == (1, True)
    assert "Journal entry saved: " in said.err
    assert there("session", "list").out == "No journal entries found.\n"


def test_what_a_server_refuses_is_said_in_its_own_words(there, server, monkeypatch):
    said = there("run", "nobody", "x")
    assert (said.code, "choose from: coding, echo, failing" in said.err) == (1, True)
    assert f"{server} refused: " in said.err
    assert "choose from: coding, echo, failing" in there("run").err
    said = there("run", "echo", "--session-id", NOWHERE, "x")
    assert f"session '{NOWHERE}' not found" in said.err
    said = there("run", "echo", "--session-id", "a b?c", "x")
    assert "session 'a b?c' not found" in said.err
    said = there("run", "list", "--database", "sqlite:///x.sqlite", "--server", server)
    assert (said.code, "give one of them" in said.err) == (1, True)
    monkeypatch.setenv("CALMKB_RUNS_TOKEN", "another-token-that-is-long-enough")
    said = there("run", "echo", "x")
    assert (said.code, "give it in CALMKB_RUNS_TOKEN" in said.err) == (1, True)
    said = there("run", "echo", "x", "--server", "http://127.0.0.1:1")
    assert (said.code, "http://127.0.0.1:1 does not answer: " in said.err) == (1, True)


def test_an_interrupted_run_is_cancelled_at_the_server(there, project):
    child = warm.at_terminal("run", "slow", "x", folder=project, dimensions=(40, 120))
    child.expect("begun")
    child.sendintr()
    child.expect("Cancelled; its entries until now are kept.\r\n")
    assert "Interrupted" not in child.read()
    child.wait()
    assert child.exitstatus == 130
    assert there("run", "list").out.split()[1:] == ["cancelled", "slow", "x"]


def test_a_run_of_another_machine_is_cancelled_by_its_id(there, server):
    client = AgentClient(server, TOKEN)
    client.create_session("slow")
    run = client.start_run("wait")
    assert there("run", "cancel", run).out == f"Run {run}: cancelled\n"
    assert list(client.subscribe(run))[-1]["run"]["status"] == "cancelled"


def test_a_conversation_at_a_server_remembers(there, project):
    child = warm.at_terminal("run", "chat", "echo", folder=project, dimensions=(40, 120))
    for line, answer in (
        ("one", "0 earlier tasks"), ("two", "1 earlier tasks"), ("/session", "2. completed  two"),
        ("/new", "Session [0-9a-f-]+\r\n"), ("three", "0 earlier tasks"),
        ("/wrapup", "Journal entry saved: "),
    ):  # fmt: skip
        child.expect("echo> ")
        child.sendline(line)
        child.expect(answer)
    child.expect("echo> ")
    child.sendline("/quit")
    child.read()
    child.wait()
    assert child.exitstatus == 0


def test_a_server_that_the_settings_of_a_project_name_is_not_heard_under_an_agent(project):
    said = subprocess.run(
        [sys.executable, "-m", "calmkb", "run", "echo", "x"], cwd=project, capture_output=True,
        env={**os.environ, "CLAUDECODE": "1", "CALMKB_RUNS_SERVER": "http://127.0.0.1:1"},
    )  # fmt: skip
    assert (said.returncode, said.stdout[:2]) == (0, b"x\n")


def test_a_place_of_runs_that_a_project_names_is_not_shown_under_an_agent(
    project,
    cli,
    monkeypatch,
    tmp_path,
):
    assert cli("run", "echo", "x", "--database", str(tmp_path / "other.sqlite")).code == 0
    monkeypatch.setenv("CALMKB_RUNS_URL", str(tmp_path / "other.sqlite"))
    run = cli("run", "list").out.split()[0]
    assert cli("show", run).out.startswith("echo, completed: x\n")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "nothing to show" in cli("show", run).err


def test_nothing_of_the_extra_is_needed_to_ask_a_server(there, monkeypatch):
    for name in ("sqlalchemy", "fastapi", "uvicorn", "pydantic"):
        monkeypatch.setitem(sys.modules, name, None)
    assert there("run", "echo", "hello").code == 0
