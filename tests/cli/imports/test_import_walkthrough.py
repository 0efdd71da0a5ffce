"""One person with three hundred old transcripts: the first five minutes, end to end."""

import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

SESSIONS = 300
START = datetime(2026, 10, 1, 8, tzinfo=UTC)
ASKED = ("Add a coupon field to the form", "Fix the flaky login test", "Move the fixtures",
         "Explain how refunds are rounded", "Update the lint rules")  # fmt: skip
SAID = ("no, use pnpm in this repo, not npm", "Always run the linter before you commit.",
        "looks good, thanks", "what does this file do?")  # fmt: skip


def lines_of(name, folder, start, dice, **more):
    """Return a session of Claude Code's real schema: prompts, answers, a command that fails."""
    identity = iter(range(99))

    def line(kind, content, **extra):
        number = next(identity)
        return {"type": kind, "uuid": f"{name}-{number}", "sessionId": name, "cwd": folder,
                "timestamp": (start + timedelta(seconds=number)).isoformat(), "gitBranch": "main",
                "isSidechain": False, "userType": "external", "version": "2.1.330",
                "message": {"role": kind, "content": content}, **extra, **more}  # fmt: skip

    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "npm test"}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "is_error": True,
              "content": "npm error Unsupported URL Type workspace:"}  # fmt: skip
    yield {"type": "file-history-snapshot", "messageId": name, "snapshot": {}}
    yield line("user", f"{dice.choice(ASKED)}, step {dice.randrange(999)}")
    yield line("assistant", [{"type": "text", "text": "I look at the code."}, call])
    yield line("user", [answer], toolUseResult="Error: Exit code 1")
    yield line("user", dice.choice(SAID))
    yield line("assistant", [{"type": "text", "text": "Done, the tests pass now."}])


@pytest.fixture
def cli_repository(home, tmp_path, monkeypatch):
    """Return a repository whose sessions lie in worktrees, some gone, a clone and sub-folders."""
    folder = home / "workspace/cli"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "calmkb.toml").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    git(folder, "remote", "add", "origin", "git@example.org:acme/cli.git")
    git(folder, "worktree", "add", "-q", str(home / "workspace/cli-hotfix"))
    git(home / "workspace", "clone", "-q", str(folder), "myfork")
    (folder / "cmd").mkdir()
    (home / "private").mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def history(home, cli_repository):
    """Write three hundred sessions of the repository, and some that are not."""
    dice = random.Random(17)  # noqa: S311
    base = home / "workspace"
    folders = [base / "cli", base / "cli/cmd", base / "cli-hotfix", base / "myfork",
               base / "cli/.worktrees/1", base / "cli/.worktrees/2", base / "cli/.worktrees/3",
               base / "cli/.claude/worktrees/4"]  # fmt: skip
    sessions = [(f"s-{n:03}", folders[n % len(folders)], {}) for n in range(SESSIONS)]
    sessions += [(f"p-{n}", home / "private", {}) for n in range(20)]
    sessions += [(f"h-{n}", home, {}) for n in range(5)]
    sessions += [(f"a-{n}", base / "cli", {"entrypoint": "sdk-cli"}) for n in range(10)]
    for number, (name, folder, more) in enumerate(sessions):
        mapped = "".join(c if c.isalnum() else "-" for c in str(folder))
        place = home / ".claude/projects" / mapped
        place.mkdir(parents=True, exist_ok=True)
        made = lines_of(name, str(folder), START + timedelta(hours=number), dice, **more)
        (place / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in made))


def test_three_hundred_sessions_are_one_project_and_nobody_elses(
    cli, cli_repository, history, home
):
    dry = cli("import", "claude", "--dry-run")
    assert dry.out == (
        "300 would be added, 0 known before, 0 left out, 0 with broken lines, 10 run by programs "
        "left (--automated takes them), 25 of other repositories left (--all-projects takes them)\n"
    )
    assert git(cli_repository, "rev-list", "--count", "HEAD") == "1\n"
    done = cli("import", "claude")
    assert (done.code, done.out.split(",")[0]) == (0, "300 added")
    assert git(cli_repository, "log", "--format=%s") == (
        "import(claude): 100 sessions\nimport(claude): 200 sessions\nfirst\n"
    )
    listed = json.loads(cli("session", "list", "--limit", "400", "--json").out)["entries"]
    assert {row["project_name"] for row in listed} == {"cli"}
    projects = json.loads(cli("project", "list", "--json").out)
    assert [(one["name"], one["sessions"]) for one in projects["projects"]] == [("cli", 300)]
    assert projects["suggestions"] == []
    assert cli("import", "claude").out.startswith("0 added, 300 known before")
    assert cli("check").code == 0
    proposals = json.loads(cli("reflect", "--json").out)["proposals"]
    assert {one["scope"] for one in proposals} == {"cli"}
