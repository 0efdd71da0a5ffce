"""A repository's settings run no program that this person has not allowed."""

import json
import shlex
import sys

import pytest

from calmkb.kb.base.approvals import revoke_all
from tests.conftest import git
from tests.trust.support import allow_everything
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import serving

SETTINGS = """
[analysts]
command = {analysts}
[agents.coding]
command = {coding}
"""


@pytest.fixture
def hostile(publish, canary, cli):
    """A clone whose settings run programs, with one session to reflect on."""
    clone = publish(
        {
            "calmkb.toml": SETTINGS.format(
                analysts=json.dumps(f"""sh -c 'echo analysts >> "{canary}"; echo []'"""),
                coding=json.dumps(f"""sh -c 'echo coding >> "{canary}"'"""),
            )
        }
    )
    assert cli("wrapup", "--summary", "Worked.", "--friction", "It hung.").code == 0
    return clone


def test_analysts_of_a_cloned_repository_are_refused(hostile, cli, canary):
    said = cli("reflect", "--analysts", "--json")
    assert (said.code, canary.exists()) == (1, False)
    assert "analysts.command" in said.err
    assert "calmkb agents trust allow" in said.err


@pytest.mark.parametrize("command", ["run", "chat"])
def test_an_agent_of_a_cloned_repository_is_refused(hostile, cli, canary, command):
    said = cli(command, "coding", *(["say hi"] if command == "run" else []))
    assert (said.code, canary.exists()) == (1, False)
    assert "agents.coding.command" in said.err


def test_what_was_allowed_runs_and_a_change_asks_again(hostile, cli, canary):
    allow_everything()
    assert cli("run", "coding", "say hi").code == 0
    assert canary.read_text() == "coding\n"
    settings = hostile / "calmkb.toml"
    settings.write_text(settings.read_text().replace("echo coding", "echo other"))
    assert cli("run", "coding", "say hi").code == 1
    assert canary.read_text() == "coding\n"


def test_the_person_at_the_terminal_is_asked_and_shown_the_command(hostile, terminal, canary):
    child = terminal("run", "coding", "say hi")
    child.expect("agents.coding.command")
    child.expect("echo coding")
    child.expect(r"Allow this on this machine\? \[y/N\]")
    child.sendline("n")
    child.expect("Error")
    child.wait()
    assert not canary.exists()
    child = terminal("run", "coding", "say hi")
    child.expect("Allow this")
    child.sendline("y")
    child.expect_exact("✓")
    child.wait()
    assert canary.read_text() == "coding\n"


def test_an_agent_with_a_terminal_is_not_asked(hostile, terminal, canary):
    child = terminal("run", "coding", "say hi", CLAUDECODE="1")
    child.expect("calmkb agents trust allow")
    child.wait()
    assert not canary.exists()


def test_a_script_of_the_repository_is_part_of_what_was_allowed(publish, cli, canary):
    command = json.dumps(shlex.join([sys.executable, "tools/agent.py"]))
    clone = publish(
        {
            "calmkb.toml": f"[agents.coding]\ncommand = {command}\n",
            "tools/agent.py": "import pathlib\n"
            f"pathlib.Path({str(canary)!r}).write_text('first')\n",
        }
    )
    allow_everything()
    cli("run", "coding", "x")
    assert canary.read_text() == "first"
    script = clone / "tools/agent.py"
    script.write_text(script.read_text().replace("first", "second"))
    assert cli("run", "coding", "x").code == 1
    assert canary.read_text() == "first"


def test_a_worktree_of_the_clone_shares_its_approvals_and_another_clone_does_not(
    hostile, cli, tmp_path, monkeypatch, canary
):
    allow_everything()
    git(hostile, "worktree", "add", "-q", str(tmp_path / "wt"), "-b", "wt")
    monkeypatch.chdir(tmp_path / "wt")
    assert cli("run", "coding", "x").code == 0
    git(tmp_path, "clone", "-q", str(tmp_path / "theirs"), "again")
    monkeypatch.chdir(tmp_path / "again")
    assert cli("run", "coding", "x").code == 1


def test_ci_names_the_hash_that_it_trusts(hostile, cli, canary, monkeypatch):
    asked = json.loads(cli("trust", "--json").out)["requests"]
    (coding,) = [one for one in asked if one["subject"] == "agents.coding.command"]
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("CALMKB_TRUST", coding["sha256"])
    assert cli("run", "coding", "x").code == 0
    assert cli("reflect", "--analysts", "--json").code == 1
    monkeypatch.setenv("CALMKB_TRUST", coding["sha256"][:16])
    assert cli("run", "coding", "x").code == 1


def test_the_model_of_the_analysts_is_a_name_and_no_option(publish, cli):
    publish({"calmkb.toml": '[analysts]\nmodel = "--dangerously-skip-permissions"\n'})
    said = cli("session", "list")
    assert (said.code, "analysts.model" in said.err) == (1, True)


def test_reading_commands_run_nothing(hostile, cli, canary):
    for args in (
        ["session", "list"], ["search", "hung"], ["stats"], ["check"], ["doctor"], ["export"],
        ["reflect", "--json"], ["memory", "list"], ["trust"], ["trust", "--json"],
    ):  # fmt: skip
        cli(*args)
    assert not canary.exists()


def test_over_http_an_agent_that_was_not_allowed_is_refused(tmp_path, canary):
    settings = f"[agents.coding]\ncommand = \"sh -c 'touch {canary}'\"\n"
    kb = make_kb(tmp_path, settings)
    revoke_all(kb)
    with serving(kb, f"sqlite:///{tmp_path / 'runs.sqlite'}") as web:
        begun = web.client.post("/agents/coding/run", json={"task": "go"})
    assert (begun.status_code, begun.json()["error"]["code"]) == (403, "not_allowed")
    assert "calmkb agents trust allow" in begun.json()["error"]["message"]
    assert not canary.exists()


def test_a_command_too_long_to_review_is_refused(publish, cli):
    publish({"calmkb.toml": f'[agents.x]\ncommand = "true {"a" * 2_000}"\n'})
    said = cli("trust")
    assert (said.code, "agents.x command is longer than 2,000 characters" in said.err) == (1, True)


def test_settings_nested_too_deeply_are_named(publish, cli):
    publish({"calmkb.toml": "x = " + "[" * 100_000})
    said = cli("session", "list")
    assert (said.code, "calmkb.toml cannot be read as TOML" in said.err) == (1, True)


COVERED = {
    "python3 tools/agent": "tools/agent/__main__.py",
    "python3 -m tools.a": "tools/a.py",
    "python3 -m tools.agent": "tools/agent/__main__.py",
    "sh -c 'python3 tools/a.py'": "tools/a.py",
    "bash -c \"cd tools && sh -c 'python3 a.py'\"": "tools/a.py",
    "env PATH=./bin:/usr/local/sbin start": "bin/start",
    "python3 tools/b.py": "tools/a.py",
    "tools/linked.sh": "bin/start",
    "make -C tools agent": "tools/Makefile",
    "make": "Makefile",
    "npm run agent": "package.json",
    "python3 --config=tools/c.toml x.py": "tools/c.toml",
    "sh -c 'cat tools/c.toml;./bin/start'": "bin/start",
}


@pytest.mark.parametrize("command", COVERED)
def test_an_approval_ends_when_a_file_that_the_command_may_mean_changes(publish, cli, command):
    clone = publish({
        "calmkb.toml": f"[agents.coding]\ncommand = {json.dumps(command)}\n",
        **dict.fromkeys(COVERED.values(), "one"), "tools/b.py": "import a", "x.py": "",
    })  # fmt: skip
    (clone / "tools/linked.sh").symlink_to("../bin/start")
    asked = [one["sha256"] for one in json.loads(cli("trust", "--json").out)["requests"]]
    (clone / COVERED[command]).write_text("two")
    assert [one["sha256"] for one in json.loads(cli("trust", "--json").out)["requests"]] != asked


@pytest.mark.parametrize("folder", [".", "docs", "tools"])
def test_what_no_word_of_the_command_means_may_change(publish, cli, monkeypatch, folder):
    clone = publish({
        "calmkb.toml": '[agents.coding]\ncommand = "python3 tools/a.py"\n',
        "tools/a.py": "one", "docs/a.md": "one", "src/b.py": "one",
    })  # fmt: skip
    monkeypatch.chdir(clone / folder)
    asked = cli("trust", "--json").out
    for other in ("docs/a.md", "src/b.py"):
        (clone / other).write_text("two")
    assert cli("trust", "--json").out == asked


def test_the_same_words_mean_another_file_in_another_folder(publish, cli, monkeypatch):
    clone = publish({
        "calmkb.toml": '[agents.coding]\ncommand = "python3 tools/a.py"\n',
        "tools/a.py": "one", "sub/tools/a.py": "two",
    })  # fmt: skip
    allow_everything()
    assert "not allowed" not in cli("trust").out
    monkeypatch.chdir(clone / "sub")
    assert "not allowed on this machine" in cli("trust").out
