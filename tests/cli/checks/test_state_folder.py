"""What stays on this machine is for its owner alone, whatever the umask."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from calmkb.capture.hooks.commands import QUEUED, shell_command
from tests.people import AS_A_PERSON

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
SIGNAL = '{"type": "correction", "content": "Use pnpm, not npm."}'
UNDER_GIT_OR_MKDOCS = {"kb", "preview", "stages"}


def calmkb(folder: Path, *args: str, said: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", AS_A_PERSON, *args], cwd=folder, input=said, capture_output=True,
        text=True, timeout=120, check=False, umask=0,
    )  # fmt: skip


def wide(state: Path) -> dict[str, str]:
    """Return the paths that others may read or write, with their modes."""
    inside = [path for path in state.rglob("*")
              if path.relative_to(state).parts[0] not in UNDER_GIT_OR_MKDOCS]  # fmt: skip
    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in (state, *inside)}
    return {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077}


@pytest.fixture
def open_umask():
    """Let this process, as a careless person's shell would, make files for all to read."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_every_command_that_keeps_something_keeps_it_from_others(project, home, cli):
    log = project / "session.jsonl"
    log.write_text('{"type":"user","message":{"role":"user","content":"Use pnpm."}}\n')
    (project / "calmkb.toml").write_text("[agents.odd]\ncommand = \"sh -c 'exit 7'\"\n")
    failure = {"session_id": "s", "cwd": str(project), "tool_name": "Bash",
               "tool_input": {"command": "npm test"}, "error": "not found"}  # fmt: skip
    cli("init", ".")
    commands = [
        ["site", "build"],
        ["wrapup", "--summary", "Moved the tests.", "--log", str(log)],
        ["memory", "add", "--category", "workflow", "Use pnpm for every script."],
        ["signal", "append", SIGNAL],
        ["export"],
        ["run", "echo", "hello"],
        ["run", "odd", "fails"],
        ["reflect", "--json"],
        ["improvements", "list"],
        ["doctor"],
        ["private", "write", "--project-notes", "a", "--feelings", "b"],
    ]  # fmt: skip
    for command in commands:
        cli(*command)
        assert wide(home / ".calm") == {}, command
    for event in ("PreCompact", "SessionStart"):
        calmkb(project, "hook", event, said=json.dumps(failure))
        assert wide(home / ".calm") == {}, event
    for event in QUEUED:
        subprocess.run(["sh", "-c", shell_command(event)], input=b"{}", umask=0, check=True)
    assert wide(home / ".calm") == {}
    kept = {path.name for path in (home / ".calm").iterdir()}
    assert {"queue", "sessions", "runs.sqlite", "signals.jsonl", "sites", "exports"} <= kept, kept
    journals = [*(home / ".private-journal").rglob("*"), *(project / ".private-journal").rglob("*")]
    assert not any(path.stat().st_mode & 0o077 for path in journals)


def test_the_first_knowledge_base_is_made_in_a_closed_folder(home, tmp_path):
    done = calmkb(tmp_path, "wrapup", "--summary", "The first.")
    assert (done.returncode, (home / ".calm/kb/journal").is_dir()) == (0, True), done.stderr
    assert wide(home / ".calm") == {}


@pytest.mark.parametrize("event", QUEUED)
@pytest.mark.parametrize("how", ["shell", "file"])
def test_a_hook_makes_the_folder_for_its_owner_alone(home, event, how):
    import calmkb.hook

    script = [sys.executable, "-I", "-S", calmkb.hook.__file__, event]
    command = ["sh", "-c", shell_command(event)] if how == "shell" else script
    subprocess.run(command, input=b"{}", umask=0, check=True)
    assert len(list((home / ".calm/queue").iterdir())) == 1
    assert wide(home / ".calm") == {}


def test_what_an_earlier_version_made_for_all_to_read_is_closed_and_named(project, home):
    state = home / ".calm"
    calmkb(project, "run", "echo", "hello")
    calmkb(project, "signal", "append", SIGNAL)
    for path in (state, state / "runs.sqlite", state / "signals.jsonl"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    said = calmkb(project, "doctor")
    assert "can be read by other users" in said.stdout
    assert "chmod -R go= ~/.calm" in said.stdout
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    subprocess.run(["chmod", "-R", "go=", str(state)], check=True)
    assert "is closed to other users" in calmkb(project, "doctor").stdout


def test_a_linked_state_folder_of_a_persons_own_keeps_its_mode(project, home, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere").chmod(0o755)
    (home / ".calm").symlink_to(tmp_path / "elsewhere")
    assert calmkb(project, "signal", "append", SIGNAL).returncode == 0
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o755
