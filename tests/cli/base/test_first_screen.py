"""The first screen: fourteen commands, and every older name goes on working behind it."""

import json
import os
from pathlib import Path

import pytest

from calmkb.cli.root import COMMANDS, FIRST, MORE, RENAMED
from tests import warm
from tests.conftest import git

SHOWN = [name for names in FIRST.values() for name in names]


@pytest.mark.parametrize("args", [(), ("--help",), ("help",)])
def test_the_help_is_one_screen_of_fourteen_commands(project, args):
    env = {**os.environ, "TERM": "xterm", "LINES": "24", "COLUMNS": "80"}
    child = warm.at_terminal(*args, folder=Path.cwd(), env=env, dimensions=(24, 80))
    lines = child.read().replace("\r\n", "\n").splitlines()
    child.close()

    assert len(lines) <= 23  # and one for the prompt
    assert max(map(len, lines)) <= 80
    named = [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].strip()]
    assert [name for name in named if name in COMMANDS] == SHOWN
    assert len(SHOWN) == 14


@pytest.mark.parametrize("args", [("help", "--all"), ("--all",), ("--help", "--all")])
def test_every_command_is_in_the_help_of_all(cli, args):
    out = cli(*args).out
    for name in COMMANDS:
        assert f"\n  {name} " in out, name
    assert "--kb FOLDER" in out
    assert not [name for name in RENAMED if f"\n  {name} " in out]


def test_every_command_is_in_one_group():
    assert sorted(SHOWN + [name for names in MORE.values() for name in names]) == sorted(COMMANDS)


def test_the_help_of_a_command_is_what_its_option_prints(cli):
    assert cli("help", "memory", "add").out == cli("memory", "add", "--help").out
    assert cli("help", "nothing").code == 1
    assert cli("help", "wrapup", "--all").out == cli("--all").out


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_an_older_name_does_what_the_new_one_does(cli, old, new):
    said = cli(old, "--help")
    assert (said.code, said.out) == (0, cli(*new.split(), "--help").out)
    assert f"Usage: calmkb {new.partition(' --')[0]} " in said.out
    assert f"Usage: calmkb {new.partition(' --')[0]} " in cli(old, "--xyzzy").err


@pytest.mark.parametrize("old", [
    "session list", "session show", "session reflect", "session pending", "session resume",
    "session of", "session write", "memory show", "memory enforce", "improvements show",
    "next list", "private write", "private search", "private read", "private recent", "serve",
    "run", "runs list", "runs cancel", "chat", "signal append", "signal get", "signal query",
    "signal update", "signal stats", "signal archive", "signal promote", "hooks on", "hooks off",
    "hooks status", "statusline", "hook", "mcp install", "keep", "trust allow", "verify",
    "enforce", "digest", "doctor", "recall", "plugin path", "import", "completion", "redact",
])  # fmt: skip
def test_a_name_that_others_rely_on_works(cli, old):
    assert cli(*old.split(), "--help").code == 0


def test_a_mistyped_name_is_answered_with_names_of_today(cli):
    assert "'agents'" in cli("agent").err
    assert "Did you mean 'agents doctor'?" in cli("doctr").err


def test_a_word_after_run_that_is_no_command_is_an_agent(project, cli):
    assert "choose from: coding, echo" in cli("run").err
    assert "agent 'nobody' is not configured" in cli("run", "nobody", "do it").err
    assert cli("run", "coding", "--help").out == cli("run", "TYPE", "--help").out
    assert cli("run", "list").out == "No runs found.\n"


def test_agents_say_their_state_on_a_screen(project, cli):
    out = cli("agents").out
    lines = out.splitlines()
    names = ["hooks", "mcp", "plugin", "recall", "wrapup", "enforce", "keep", "trust", "doctor"]
    assert [line.split()[0] for line in lines] == names
    assert "off: ~/.claude/settings.json has no calmkb hooks" in out
    assert cli("agents", "hooks", "on").code == 0
    states = json.loads(cli("agents", "--json").out)["agents"]
    assert states["hooks"].startswith("on: ")
    assert states["mcp"].startswith("off: ")
    assert cli("agents", "mcp", "install").code == 0
    assert json.loads(cli("agents", "--json").out)["agents"]["mcp"].startswith("on: ")


def test_what_one_part_cannot_read_hides_no_other(project, home, cli):
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text("{")
    said = cli("agents")
    assert said.code == 0
    assert "settings.json" in said.out.splitlines()[0]
    assert "keep     on: 0 sessions kept" in said.out


@pytest.mark.parametrize("only", [("--only", "verify"), ("--only=verify",)])
def test_check_takes_in_verify_and_enforce(repo, cli, monkeypatch, only):
    monkeypatch.chdir(repo)
    (repo / "notes.md").write_text("See `kept.txt`.\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "notes")
    git(repo, "mv", "kept.txt", "moved.txt")
    git(repo, "commit", "-qm", "move")
    found = cli("check", *only, "--json", "notes.md")
    assert (found.code, found.out) == (1, cli("verify", "--json", "notes.md").out)
    assert "kept.txt" in found.out
    assert cli("check", "--only", "enforce", "--since", "HEAD~1").code == 0
    assert "'journal', 'verify', 'enforce'" in cli("check", "--only", "all").err
    assert (
        "Usage: calmkb check --only verify [OPTIONS] [FILE]..."
        in cli("check", "--only", "verify", "--help").out
    )
