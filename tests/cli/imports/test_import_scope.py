"""`calmkb import` in a repository takes that repository's sessions, and says what it left."""

import json
import os
import shutil

import pytest

from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")


class History:
    """Writes transcripts as Claude Code keeps them in a home."""

    def __init__(self, home):
        self.projects = home / ".claude/projects"

    def add(self, name, *folders, words="Move the tests", **more):
        """Write a session of a person's words, a line for each folder it worked in."""
        path = self.projects / folders[0].replace("/", "-").replace(".", "-") / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            {"type": "user", "uuid": f"{name}-{number}", "sessionId": name, "cwd": folder,
             "timestamp": f"2026-10-12T09:0{number}:00Z", "gitBranch": "main", "isSidechain": False,
             "userType": "external", "message": {"role": "user", "content": words}, **more}
            for number, folder in enumerate(folders)
        ]  # fmt: skip
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path


@pytest.fixture
def history(home):
    return History(home)


def sessions(cli, *options):
    listed = json.loads(cli(*options, "session", "list", "--json", "--limit", "99").out)
    return listed["entries"]


def test_a_private_session_stays_out_of_a_projects_knowledge_base(project, cli, history, tmp_path):
    private = tmp_path / "private/startup"
    private.mkdir(parents=True)
    git(private, "init", "-q")
    history.add("s-1", str(project), words="Move the checkout tests")
    history.add("s-2", str(private), words="Draft my resignation letter")
    history.add("s-3", "/home/elsewhere/gone", words="Plan the wedding")
    history.add("s-4", str(tmp_path), words="Sort my photos")
    said = cli("import", "claude")
    assert said.out.startswith("1 added, 0 known before, 0 left out")
    assert "3 of other repositories left (--all-projects takes them)" in said.out
    log = git(project, "log", "-p", "--all", "--", "journal")
    assert "checkout" in log
    assert not any(word in log for word in ("resignation", "wedding", "photos"))
    assert cli("import", "claude", "--all-projects").out.startswith("3 added, 1 known before")


def test_sessions_of_all_checkouts_are_the_projects_own(project, cli, history, tmp_path):
    git(project, "remote", "add", "origin", "git@example.org:acme/storefront.git")
    git(project, "worktree", "add", "-q", str(tmp_path / "shop-wt2"))
    git(project, "worktree", "add", "-q", str(tmp_path / "far/gone"))
    git(tmp_path, "clone", "-q", str(project), "myfork")
    shutil.rmtree(tmp_path / "far")  # the work tree is listed still
    history.add("s-1", str(tmp_path / "shop-wt2"))
    history.add("s-2", str(tmp_path / "far/gone/src"))
    history.add("s-3", str(tmp_path / "myfork"))
    history.add("s-4", str(project / ".worktrees/3"))  # removed long ago
    history.add("s-5", str(tmp_path), str(project / "src"))  # begun above, gone on inside
    assert cli("import", "claude").out.startswith("5 added")
    assert {row["project_name"] for row in sessions(cli)} == {"storefront"}


def test_a_remote_that_the_agent_noted_tells_the_repository(project, cli, home):
    git(project, "remote", "add", "origin", "https://example.org/acme/storefront")
    for name, url in (
        ("a", "git@example.org:acme/storefront.git"),
        ("b", "git@example.org:acme/x"),
    ):
        path = home / f".codex/sessions/2026/10/12/rollout-2026-10-12-{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            {"timestamp": "2026-10-12T09:00:00Z", "type": "session_meta",
             "payload": {"id": name, "cwd": "/gone/shop", "git": {"repository_url": url}}},
            {"timestamp": "2026-10-12T09:01:00Z", "type": "response_item",
             "payload": {"type": "message", "role": "user",
                         "content": [{"type": "input_text", "text": "Add a room calendar"}]}},
        ]  # fmt: skip
        path.write_text("\n".join(json.dumps(line) for line in lines))
    said = cli("import", "codex")
    assert (said.out[:7], "1 of other repositories" in said.out) == ("1 added", True)
    assert sessions(cli)[0]["project_name"] == "storefront"


def test_the_personal_knowledge_base_takes_all(home, cli, history, project, monkeypatch):
    monkeypatch.chdir(home)
    history.add("s-1", str(project))
    history.add("s-2", "/home/elsewhere/cli/.worktrees/3")
    history.add("s-3", str(home))
    assert cli("import", "claude").out.startswith("3 added")
    assert sorted(row["project_name"] for row in sessions(cli)) == ["", "cli", "shop"]


def test_a_knowledge_base_beside_takes_the_repository_it_is_asked_in(
    project, cli, history, tmp_path, monkeypatch
):
    for name in ("site", "team-kb"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
    (tmp_path / "team-kb/calmkb.toml").write_text("")
    history.add("s-1", str(tmp_path / "site"))
    history.add("s-2", str(project))
    monkeypatch.chdir(tmp_path / "site")
    said = cli("--kb", str(tmp_path / "team-kb"), "import", "claude")
    assert (said.out[:7], "1 of other repositories" in said.out) == ("1 added", True)


def test_a_file_that_is_named_is_taken_wherever_it_is_from(project, cli, history):
    path = history.add("s-1", "/home/elsewhere/gone")
    assert cli("import", "claude", str(path)).out.startswith("1 added")


def test_sessions_that_a_program_ran_are_left_and_counted(project, cli, history):
    history.add("s-1", str(project), entrypoint="cli", promptSource="typed")
    history.add("s-2", str(project), entrypoint="sdk-cli", promptSource="sdk")
    history.add("s-3", str(project), entrypoint="sdk-py")
    half = history.add("s-4", str(project), entrypoint="sdk-cli")
    half.write_text(
        half.read_text() + half.read_text().replace("sdk-cli", "cli").replace("s-4-0", "x")
    )
    said = cli("import", "claude")
    assert said.out.startswith("2 added")  # a person went on with the fourth
    assert "2 run by programs left (--automated takes them)" in said.out
    assert cli("import", "claude", "--automated").out.startswith("2 added, 2 known before")


def test_notes_of_other_projects_stay_out_too(project, cli, history, tmp_path):
    history.add("s-1", str(project))
    history.add("s-2", "/home/elsewhere/gone")
    for folder in history.projects.iterdir():
        (folder / "memory").mkdir()
        (folder / "memory/rooms.md").write_text(f"Rooms are numbered, says {folder.name}.\n")
    said = cli("import", "auto-memory")
    assert (said.out[:7], "1 of other repositories" in said.out) == ("1 added", True)
    assert sessions(cli)[0]["project_name"] == "shop"


def test_a_session_of_a_folder_that_git_may_not_open_stops_no_other(
    project, cli, history, tmp_path
):
    other = tmp_path / "theirs"
    git(tmp_path, "init", "-q", "theirs")
    (other / ".git/calmkb").symlink_to(tmp_path)  # refused, as git refuses other people's
    if os.geteuid() == 0:
        os.chown(other / ".git", 65534, -1)
        os.chown(other, 65534, -1)
    history.add("s-1", str(project))
    history.add("s-2", str(other))
    assert cli("import", "claude").out.startswith("1 added")
    said = cli("import", "claude", "--all-projects")
    assert said.out.startswith("1 added, 1 known before"), said.err
    assert {entry["project_name"] for entry in sessions(cli)} == {"shop", "theirs"}
