"""The action for agents in CI: their sessions come onto the journal's branch, and are pushed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import git

ACTION = Path(__file__).parents[2] / ".github/actions/wrapup/action.yml"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the action's shell is bash")


def session(folder: Path) -> str:
    """Return what `claude -p` leaves of a run in `folder`."""
    base = {
        "sessionId": "0b9c2a11-5a0e-4a77-9a55-5f2f5d6c1a01", "cwd": str(folder),
        "entrypoint": "sdk-cli", "timestamp": "2026-11-20T10:00:00Z",
    }  # fmt: skip
    said = "Rounding was wrong: prices are kept in cents, so I fixed the till and ran the tests."
    rows = [
        {"type": "user", "uuid": "a", "message": {"role": "user", "content": "Fix the till."}},
        {"type": "assistant", "uuid": "b", "message": {"role": "assistant", "id": "m", "content": [
            {"type": "text", "text": said}]}},
    ]  # fmt: skip
    return "".join(json.dumps(base | row) + "\n" for row in rows)


def test_the_session_of_a_job_is_in_the_journal_of_everybody(person, tmp_path):
    ada = person("ada")
    ada.calm("init", "--share", "origin")
    origin = ada.git("remote", "get-url", "origin").strip()
    work, home, temp = tmp_path / "work", tmp_path / "runner", tmp_path / "temp"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{origin}", str(work)],
                   check=True)  # fmt: skip
    place = home / ".claude/projects" / "".join(c if c.isalnum() else "-" for c in str(work))
    place.mkdir(parents=True)
    (place / "0b9c2a11-5a0e-4a77-9a55-5f2f5d6c1a01.jsonl").write_text(session(work))
    (temp / "calmkb").mkdir(parents=True)
    (temp / "calmkb/bin").symlink_to(Path(sys.executable).parent)
    (step,) = [one for one in yaml.safe_load(ACTION.read_text())["runs"]["steps"]
               if one.get("name") == "Wrap up"]  # fmt: skip
    env = {**os.environ, **step["env"], "HOME": str(home), "RUNNER_TEMP": str(temp),
           "CLIENT": "claude", "BRANCH": "calmkb-journal", "CI": "true"}  # fmt: skip
    for added in (1, 0):
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=work, env=env,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{added} added" in done.stdout
    ada.calm("sync")
    assert "Fix the till" in ada.calm("session", "list")
    assert git(work, "status", "--short") == ""
