"""`calmkb show`: one command for whatever has an id."""

import json

import pytest

from tests.cli.journal.test_session_commits import committed, wrapped
from tests.conftest import git


def shown(cli, *args):
    said = cli("show", *args)
    assert said.code == 0, said.err
    return said.out


@pytest.fixture
def session(project, cli):
    said = cli("wrapup", "--summary", "Moved the till.", "--next", "Paint the till.", "--json")
    return json.loads(said.out)["id"]


def test_a_session_is_shown_as_its_own_command_shows_it(session, cli):
    assert shown(cli, session[:6]) == cli("session", "show", session).out
    assert shown(cli) == shown(cli, session)


def test_a_memory_is_shown_with_its_confidence(project, cli):
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    (row,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    assert "confidence:" in shown(cli, row["id"][:8])
    assert shown(cli, row["id"]) == cli("memory", "show", row["id"]).out


def test_a_signal_is_shown(project, cli):
    signal = json.loads(cli("signal", "append", '{"type": "correction", "content": "cents"}').out)
    assert '"content": "cents"' in shown(cli, signal["id"].lower())
    missing = cli("show", "SIG-20260101-0001")
    assert (missing.code, "SIG-20260101-0001" in missing.err) == (1, True)


def test_a_next_step_is_shown_open_and_done(session, cli):
    (step,) = json.loads(cli("next", "--json").out)["steps"]
    assert f"Left by session {session}" in shown(cli, step["id"])
    cli("next", "done", step["id"])
    assert ", done on " in shown(cli, step["id"][:6])


def test_a_commit_shows_the_session_that_made_it(project, cli, tmp_path):
    identity = wrapped(cli, tmp_path, "s1", committed(project, "Round up"))
    made = git(project, "rev-parse", "HEAD~1").strip()
    assert shown(cli, made[:8]) == shown(cli, "HEAD~1") == shown(cli, identity)


def test_a_run_is_shown_with_its_entries(project, cli):
    assert cli("run", "echo", "say", "hello").code == 0
    run = cli("run", "list").out.split()[0]
    assert "echo, completed: say hello\n" in shown(cli, run)
    (row,) = json.loads(shown(cli, run[:8], "--json"))["records"]
    assert row["runs"][0]["entries"][0]["entry_type"] == "run:started"


def test_several_kinds_at_once_and_every_id_that_is_nothing_is_named(session, cli):
    signal = json.loads(cli("signal", "append", '{"type": "correction", "content": "cents"}').out)
    rows = json.loads(shown(cli, session, signal["id"], "--json"))
    assert [row["kind"] for row in rows["records"]] == ["session", "signal"]
    missing = cli("show", "fffff", session, "eeeee")
    assert missing.code == 1
    assert "'fffff' not found" in missing.err and "'eeeee' not found" in missing.err


def test_what_a_person_wrote_into_the_file_is_shown_too(session, project, cli):
    (path,) = (project / "journal/sessions").rglob(f"*{session[:8]}.md")
    path.write_text(path.read_text() + "\n## Mood\n\nGrim.\n")
    assert "Mood:\nGrim." in shown(cli, session)
