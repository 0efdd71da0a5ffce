"""A command that was killed before it answered, and is run again as anyone would: done once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import git
from tests.people import AS_A_PERSON

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="a command that kills itself needs SIGKILL"),
]
KILLED = (
    "import sys; from tests.store.reached import function_reached\n"
    "import calmkb.cli.root, calmkb.store.commits.group_commit\n"  # whose import is not traced
    "function_reached(sys.argv.pop(1))()\n" + AS_A_PERSON
)
STEPS = ["_wait", "serve", "finish", "check_out", "note_recent", "forget_ended", "_report"]
"""The change lies in the spool; it is taken; it is written down; it is in history; all is done; all
is noted, but the answer not printed."""


def kill(step: str, *args: str) -> None:
    """Run calmkb until it reaches a function of the store, and kill it there."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, step, *args], capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == -9, (done.returncode, done.stderr)
    assert done.stdout == ""


def count(project: Path, kind: str) -> int:
    return len(list((project / "journal" / kind).rglob("*.md")))


WRAP_UP = ("wrapup", "--summary", "The same words.", "--friction", "npm hung.")


@pytest.mark.parametrize("step", STEPS)
def test_a_wrap_up_that_was_killed_and_said_again_is_one_session(project, cli, step):
    kill(step, *WRAP_UP)
    assert cli(*WRAP_UP).code == 0
    assert count(project, "sessions") == 1


def test_it_is_one_session_however_often_it_is_killed(project, cli):
    for step in STEPS[:4]:
        kill(step, *WRAP_UP)
    assert cli(*WRAP_UP).code == 0
    assert count(project, "sessions") == 1


def test_what_another_command_committed_meanwhile_is_not_committed_again(project, cli):
    kill("_wait", *WRAP_UP)
    cli("wrapup", "--summary", "Other words.")
    assert cli(*WRAP_UP).code == 0
    assert count(project, "sessions") == 2


def test_the_answer_names_the_session_that_is_there(project, cli):
    kill("note_recent", *WRAP_UP)
    identity = json.loads(cli(*WRAP_UP, "--json").out)["id"]
    assert json.loads(cli("session", "list", "--json").out)["entries"][0]["id"] == identity


def test_who_says_the_same_twice_of_no_session_has_two_entries(project, cli):
    kill("_wait", *WRAP_UP)
    assert [cli(*WRAP_UP).code for _ in range(2)] == [0, 0]
    assert count(project, "sessions") == 2


def test_a_wrap_up_that_failed_and_is_said_again_is_one_session(project, cli):
    (project / ".git/HEAD.lock").touch()
    assert cli(*WRAP_UP).code == 1
    assert list((project / ".git/calmkb/begun").iterdir())
    (project / ".git/HEAD.lock").unlink()
    assert cli(*WRAP_UP).code == 0
    assert count(project, "sessions") == 1
    assert not list((project / ".git/calmkb/begun").iterdir())


@pytest.mark.parametrize("step", ["_wait", "check_out"])
@pytest.mark.parametrize("command", ["resume", "merge", "next"])
def test_what_is_decided_once_and_was_killed_is_recorded_once(project, cli, step, command):
    cli("wrapup", "continue", "--summary", "Half done.", "--next", "Ship it.", "--log", "none")
    identity = json.loads(cli("session", "list", "--json").out)["entries"][0]["id"]
    said = {"resume": ["next", "resume", identity], "merge": ["project", "merge", "shop", "store"],
            "next": ["next", "done", "1"]}[command]  # fmt: skip
    if command == "next":
        said[-1] = json.loads(cli("next", "--json").out)["steps"][0]["id"]
    before = git(project, "rev-list", "--count", "HEAD")
    kill(step, *said)
    assert cli(*said).code == 1
    assert int(git(project, "rev-list", "--count", "HEAD")) == int(before) + 1


def accepted(cli, tmp_path: Path) -> str:
    document = json.loads(cli("reflect", "--json").out)
    for proposal in document["proposals"]:
        proposal["decision"] = "accept"
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(document))
    return str(path)


@pytest.mark.parametrize("step", ["_wait", "check_out"])
def test_decisions_that_were_killed_and_applied_again_are_recorded_once(
    project, cli, tmp_path, step
):
    cli("wrapup", "--summary", "Moved.", "--friction", "The linter needs node 22 to run at all.")
    plan = accepted(cli, tmp_path)
    kill(step, "reflect", "--apply", plan)
    assert cli("reflect", "--apply", plan).code == 1
    assert (count(project, "memories"), count(project, "reflections")) == (1, 1)


@pytest.mark.parametrize("step", ["_wait", "check_out"])
def test_a_memory_that_was_killed_and_added_again_is_one(project, cli, step):
    added = ("memory", "add", "--category", "workflow", "Use pnpm for every script.")
    kill(step, *added)
    again = cli(*added)
    assert (again.code, "says the same as" in again.err) == (1, True)
    assert count(project, "memories") == 1


@pytest.mark.parametrize("step", ["_wait", "check_out"])
def test_an_edit_that_was_killed_and_made_again_is_made_once(project, cli, step):
    cli("memory", "add", "--category", "workflow", "Use npm for every script.")
    identity = json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]
    edited = ("memory", "edit", identity, "--text", "Use pnpm for every script.")
    kill(step, *edited)
    assert cli(*edited).code == 0
    (path,) = (project / "journal/memories").rglob("*.md")
    assert "Use pnpm for every script." in path.read_text()


@pytest.mark.parametrize("reading", [["session", "list"], ["search", "x"], ["check"], ["stats"]])
def test_the_lock_of_a_killed_process_of_ours_goes_with_a_reading_command(project, cli, reading):
    cli("wrapup", "--summary", "Done.", "--log", "none")
    lock = project / ".git/index.lock"
    lock.write_bytes(b"calmkb 99999\n")
    cli(*reading)
    assert not lock.exists()
    lock.write_bytes(b"")  # git's own, and a person's
    cli(*reading)
    assert lock.exists()
