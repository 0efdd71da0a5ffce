"""Every command that writes, in a repository whose ids are SHA-256."""

import json
from pathlib import Path

from tests.cli.journal.test_sync import accept_all
from tests.conftest import git

SESSION = Path(__file__).parents[2] / "data/transcripts"


def made(folder: Path, name: str) -> Path:
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256", name)
    git(folder / name, "remote", "add", "origin", f"file://{folder}/team.git")
    return folder / name


def test_the_whole_set_of_commands_works_with_sha256(tmp_path, cli, monkeypatch):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "--object-format=sha256", "team.git")
    one, two = made(tmp_path, "one"), made(tmp_path, "two")
    monkeypatch.chdir(one)

    def run(*args: str) -> str:
        said = cli(*args)
        assert said.code == 0, said.err
        return said.out

    run("init", ".")
    git(one, "add", ".")
    git(one, "commit", "-qm", "begin")
    run("wrapup", "--summary", "Moved.", "--friction", "The linter needs node 22 to run at all.")
    assert "Memories created: 1" in accept_all(cli, tmp_path).out
    run("memory", "add", "--category", "fact", "The staging host restarts at night.")
    identity = json.loads(run("memory", "list", "--json"))["memories"][0]["id"]
    run("memory", "edit", identity, "--text", "The staging host restarts each night at two.")
    run("sync")
    git(two, "pull", "-q", "origin", "main")
    for folder in (two, one):
        monkeypatch.chdir(folder)
        run("wrapup", "--summary", f"Alone in {folder.name}.")
        run("sync")
    monkeypatch.chdir(two)
    run("sync")
    assert git(one, "rev-parse", "HEAD") == git(two, "rev-parse", "HEAD")
    assert len(git(one, "rev-parse", "HEAD").strip()) == 64
    run("memory", "retire", identity, "--reason", "It was moved.")
    run("import", "claude", str(SESSION))
    run("export")
    run("check")
    run("site", "stage", str(tmp_path / "pages"))
    assert git(two, "status", "--porcelain", "journal") == ""
    git(two, "fsck", "--strict", "--no-dangling")
