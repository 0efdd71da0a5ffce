"""A wrap-up knows which session it is about, and keeps that session's log."""

import json
from pathlib import Path

import pytest

from calmkb.capture.history.mapped_name import mapped_name

APPLES = "0a11e5aa-3f0e-4a6b-9a51-0f6f2b7f7c11"
PEARS = "0bea5bbb-2486-431f-a959-b3aaf7c1f96a"


def transcript(folder: Path, session: str, words: str) -> Path:
    place = Path.home() / ".claude/projects" / mapped_name(str(folder.resolve()))
    place.mkdir(parents=True, exist_ok=True)
    line = {"type": "user", "sessionId": session, "message": {"role": "user", "content": words}}
    path = place / f"{session}.jsonl"
    path.write_text(json.dumps(line) + "\n")
    return path


@pytest.fixture
def two_terminals(project):
    """Leave two sessions in one folder, pears the newer one."""
    return transcript(project, APPLES, "count the apples"), transcript(project, PEARS, "pears")


def wrap(cli, *args) -> dict:
    said = cli("wrapup", "--summary", "Counted.", "--json", *args)
    assert said.code == 0, said.err
    answer = json.loads(said.out)
    return answer | json.loads(cli("session", "show", answer["id"], "--json").out)


def test_the_client_names_the_session_of_its_shell(two_terminals, cli, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", APPLES)
    shown = wrap(cli)
    assert (shown["agent"], shown["session_id"]) == ("claude-code", APPLES)


def test_codex_names_its_thread(project, cli, monkeypatch):
    monkeypatch.setenv("CODEX_THREAD_ID", PEARS)
    shown = wrap(cli)
    assert (shown["agent"], shown["session_id"]) == ("codex", PEARS)


def test_what_is_said_counts_for_more(project, cli, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", APPLES)
    shown = wrap(cli, "--session-id", PEARS)
    assert (shown["agent"], shown["session_id"]) == ("-", PEARS) or shown["agent"] == ""
    assert wrap(cli, "--agent", "codex")["session_id"] == ""


def test_without_a_client_nothing_is_made_up(project, cli):
    shown = wrap(cli, "--session-id", "")
    assert (shown["agent"], shown["session_id"], shown["session_log_path"]) == ("", "", None)


@pytest.mark.parametrize("args", [(), ("--log", "latest"), ("--log", "latest", "--session-id", "")])
def test_an_agents_wrap_up_keeps_its_own_log(two_terminals, cli, monkeypatch, args):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", APPLES)
    assert "apples" in Path(wrap(cli, *args)["session_log_path"]).read_text()


def test_a_named_session_is_found_in_another_project_and_another_agents_history(
    project, cli, tmp_path
):
    transcript(tmp_path / "elsewhere", APPLES, "apples elsewhere")
    said = wrap(cli, "--session-id", APPLES, "--log", "latest")
    assert "apples elsewhere" in Path(said["session_log_path"]).read_text()
    rollout = Path.home() / ".codex/sessions/2026/10/05"
    rollout.mkdir(parents=True)
    (rollout / f"rollout-2026-10-05T10-00-00-{PEARS}.jsonl").write_text('{"type": "pears"}\n')
    said = wrap(cli, "--session-id", PEARS, "--log", "latest")
    assert "pears" in Path(said["session_log_path"]).read_text()


def test_none_is_kept_where_none_is_wanted(two_terminals, cli, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", APPLES)
    assert wrap(cli, "--log", "none")["session_log_path"] is None


def test_an_entry_is_stored_also_where_its_log_is_gone(project, cli):
    said = cli("wrapup", "--summary", "x", "--log", "latest", "--session-id", APPLES)
    assert said.code == 0
    assert f"no raw log was kept: no transcript of session {APPLES} was found" in said.err


def test_an_entry_is_stored_without_a_log_over_the_limit(project, cli):
    path = transcript(project, APPLES, "apples")
    with path.open("ab") as file:
        file.truncate(64 * 1024 * 1024 + 1)  # a hole: it takes no room
    said = cli("wrapup", "--summary", "x", "--log", str(path), "--json")
    assert (said.code, json.loads(said.out)["session_log_path"]) == (0, None)
    assert "no raw log was kept" in said.err
    assert "67,108,865 bytes, the limit is 64 MiB" in said.err
