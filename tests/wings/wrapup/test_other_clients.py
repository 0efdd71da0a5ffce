"""Codex and Gemini CLI, whose agents are asked by hooks of their own at the end of a turn."""

import json
import os
import stat

import pytest

from calmkb.capture.formats.table import read_transcript
from tests.cli.conftest import cli, project
from tests.conftest import git
from tests.warm import without_terminal
from tests.wings.wrapup.other_clients import SESSION, Client, Codex, Gemini

__all__ = ["cli", "project"]
CLIENTS = [Codex, Gemini]


@pytest.fixture(params=CLIENTS, ids=lambda one: one.agent)
def client(request, home, project, monkeypatch) -> Client:
    """Return a client that a person has, in a session that they began."""
    monkeypatch.delenv("CI", raising=False)
    made = request.param(home, project)
    (home / made.folder).mkdir()
    made.begin()
    return made


@pytest.fixture
def on(client, cli):
    """Switch it on."""
    done = cli("agents", "wrapup", "--on")
    assert done.code == 0, done.err
    return done


WRITTEN = ("wrapup", "--summary", "Rounded the till.", "--session-id", SESSION, "--agent")


@pytest.mark.parametrize(
    ("calls", "ago", "work"),
    [
        (["edit", "edit"], 0, "2 edits of this session"),
        (["commit"], 0, "1 commit of this session"),
        (["edit"], 6, "1 edit of this session"),
        (["edit"], 0, ""),
        (["look", "look", "look"], 9, ""),
    ],
)
def test_an_agent_with_work_is_kept_for_a_wrap_up_and_another_is_not(client, on, calls, ago, work):
    client.works("look", ago=ago)
    client.works(*calls)
    answers = client.stop()
    assert bool(answers) is bool(work)
    if work:
        (found,) = answers
        assert (set(found), found["decision"]) == ({"decision", "reason"}, "block")
        assert work in found["reason"]
        assert f"calmkb wrapup --agent {client.agent} --session-id {SESSION}" in found["reason"]


def test_scripts_of_calls_as_newer_models_of_codex_write_them_are_work(home, project, cli):
    codex = Codex(home, project)
    codex.begin()
    assert cli("agents", "wrapup", "--on").code == 0
    codex.runs_a_script({"type": "CommandExecution", "command": ["bash", "-lc", "git log"]})
    assert codex.stop() == []
    codex.runs_a_script({"type": "FileChange", "changes": {str(project / "till.py"): {}}})
    codex.runs_a_script(
        {"type": "CommandExecution", "command": ["bash", "-lc", "git commit -qm x"]}
    )
    (found,) = codex.stop()
    assert "1 edit and 1 commit of this session" in found["reason"]


def test_it_is_asked_once_for_the_same_work_and_again_for_new(client, on, cli):
    client.works("edit", "edit")
    assert client.stop()
    assert client.stop(again=True) == []  # it refused, and may stop
    assert client.stop() == []  # as a client says that forgets that it asked
    client.later(30)
    assert client.stop() == []
    client.works("commit")
    assert client.stop()
    assert cli(*WRITTEN, client.agent).code == 0
    (told,) = client.stop(again=True)
    assert set(told) == {"systemMessage"}
    assert "saved this session as" in told["systemMessage"]
    client.later(30)
    assert client.stop() == []
    shown = cli("agents", "wrapup").out
    assert "1 session with work here in 90 days: 1 wrapped up, 1 of them after" in shown


def test_a_program_ci_and_our_own_children_are_not_asked(client, on):
    client.works("commit")
    assert client.stop(CI="true") == []
    assert client.stop(CALMKB_CHILD="1") == []
    client.begin(typed=False)  # codex exec, gemini -p
    client.works("commit", "edit", "edit")
    assert client.stop() == []
    assert not list((client.home / ".calm/asked").iterdir())


def test_without_a_journal_nobody_is_asked(client, on, project):
    (project / "calmkb.toml").unlink()
    client.works("commit")
    assert client.stop() == []


def test_what_is_asked_is_no_word_of_a_person(client, on):
    client.works("commit")
    before = [one.text for one in read_transcript(client.log).turns if one.role == "person"]
    client.writes_down(client.stop()[0]["reason"])
    after = [one.text for one in read_transcript(client.log).turns if one.role == "person"]
    assert after == before


THEIRS = '{ "hooks" : {"%s": [ {"hooks": [{"type": "command", "command": "say done"}]} ]} }\n'


def test_off_the_settings_are_as_they_were_to_the_byte(client, cli):
    before = (THEIRS % client.event).encode()
    client.settings.write_bytes(before)
    client.settings.chmod(0o640)
    assert str(client.settings.name) in cli("agents", "wrapup", "--on").out
    assert len(list(client.commands())) == 2
    assert "say done" in client.commands()
    assert cli("agents", "wrapup", "--on").code == 0
    assert len(list(client.commands())) == 2
    assert cli("agents", "wrapup", "--off").code == 0
    assert client.settings.read_bytes() == before
    assert stat.S_IMODE(client.settings.stat().st_mode) == 0o640


def test_a_file_that_was_not_there_goes_again(client, on, cli):
    hook = json.loads(client.settings.read_text())["hooks"][client.event][0]["hooks"][0]
    assert hook["timeout"] == (10_000 if client.agent == "gemini" else 10)
    assert cli("agents", "wrapup", "--off").code == 0
    assert not client.settings.exists()


def test_settings_with_comments_are_left_alone_and_the_others_asked(client, cli, home):
    client.settings.write_text('{\n  // mine\n  "hooks": {}\n}\n')
    done = cli("agents", "wrapup", "--on")
    assert (done.code, "fix it by hand" in done.err) == (0, True)
    assert client.settings.read_text() == '{\n  // mine\n  "hooks": {}\n}\n'
    assert "WrapupCheck" in (home / ".claude/settings.json").read_text()
    assert "the hook is missing in" in cli("agents", "wrapup").out


def test_in_gemini_clis_shell_which_hides_the_settings_of_git_the_person_signs(project, cli, home):
    git(home, "config", "--global", "user.name", "Ann Till")
    hidden = {"GEMINI_CLI": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        hidden[name] = ""
    done = without_terminal(*WRITTEN, "gemini", cwd=project, env={**os.environ, **hidden})
    assert done.returncode == 0, done.stderr
    assert git(project, "log", "--all", "-1", "--format=%an") == "Ann Till\n"


def test_a_client_that_is_not_here_gets_no_settings(project, cli, home):
    assert cli("agents", "wrapup", "--on").code == 0
    assert not (home / ".codex").exists() and not (home / ".gemini").exists()
    shown = cli("agents", "wrapup").out
    assert "Claude Code" in shown and "Codex" not in shown


def test_the_folders_that_a_person_named_are_used(project, cli, home, tmp_path, monkeypatch):
    for name, at in (("CODEX_HOME", "codex"), ("GEMINI_CLI_HOME", "gemini/.gemini")):
        (tmp_path / at).mkdir(parents=True)
        monkeypatch.setenv(name, str(tmp_path / at.removesuffix("/.gemini")))
    assert cli("agents", "wrapup", "--on").code == 0
    assert "WrapupCodex" in (tmp_path / "codex/hooks.json").read_text()
    assert "WrapupGemini" in (tmp_path / "gemini/.gemini/settings.json").read_text()
