"""`calmkb sync` between two people and one remote."""

import json
import os
import shlex

from tests.conftest import git


def clone(tmp_path, name):
    git(tmp_path, "clone", "-q", "team.git", name)
    return tmp_path / name


def accept_all(cli, tmp_path):
    document = json.loads(cli("reflect", "--json").out)
    for proposal in document["proposals"]:
        proposal["decision"] = "accept"
    (tmp_path / "d.json").write_text(json.dumps(document))
    return cli("reflect", "--apply", str(tmp_path / "d.json"))


def test_two_people_write_and_reflect_offline_and_lose_nothing(tmp_path, cli, monkeypatch):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    one = clone(tmp_path, "one")
    monkeypatch.chdir(one)
    assert cli("init", ".").code == 0
    git(one, "add", ".")
    git(one, "commit", "-qm", "begin")
    cli("wrapup", "--summary", "Common.", "--friction", "The linter needs node 22.")
    assert cli("sync").code == 0
    two = clone(tmp_path, "two")
    for folder, text in ((one, "The build hung on a stale cache."), (two, "Tests need Docker up.")):
        monkeypatch.chdir(folder)
        assert cli("wrapup", "--summary", "Alone.", "--friction", text).code == 0
        assert "Memories created: 2" in accept_all(cli, tmp_path).out
    monkeypatch.chdir(one)
    assert cli("sync").out == "origin: pulled 0, pushed 2\n"
    monkeypatch.chdir(two)
    assert cli("sync").out == "origin: pulled 2, pushed 2\n"
    monkeypatch.chdir(one)
    assert cli("sync").out == "origin: pulled 2, pushed 0\n"
    assert git(one, "rev-parse", "HEAD") == git(two, "rev-parse", "HEAD")
    assert git(one, "status", "--porcelain") == git(two, "status", "--porcelain") == ""
    assert json.loads(cli("session", "list", "--json").out)["count"] == 3
    # Both accepted the common one: two memories say the same, and a check can tell.
    assert len(list((one / "journal/memories").rglob("*.md"))) == 4
    assert cli("reflect").out == "No unreflected sessions to process.\n"


def test_a_relative_address_of_the_remote_is_meant_from_the_repository(tmp_path, cli, monkeypatch):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    one = clone(tmp_path, "one")
    git(one, "remote", "set-url", "origin", "../team.git")
    monkeypatch.chdir(one)
    git(one, "commit", "-q", "--allow-empty", "-m", "begin")
    assert cli("init", "--place", "branch").code == 0
    assert cli("wrapup", "--summary", "Worked.").code == 0
    said = cli("sync")
    assert (said.code, said.out) == (0, "origin: pulled 0, pushed 2\n"), said.err


def test_a_new_journal_has_an_upstream_once_it_is_pushed(tmp_path, project, cli):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    git(project, "remote", "add", "origin", str(tmp_path / "team.git"))
    branch = git(project, "branch", "--show-current").strip()
    assert cli("sync").code == 0
    assert cli("wrapup", "--summary", "Common.").code == 0
    assert cli("sync").code == 0
    assert git(project, "rev-parse", "--abbrev-ref", "@{u}").strip() == f"origin/{branch}"
    assert git(project, "pull", "-q") == ""
    git(project, "config", f"branch.{branch}.merge", "refs/heads/theirs")
    assert cli("sync").code == 0
    assert git(project, "rev-parse", "--abbrev-ref", "@{u}").strip() == "origin/theirs"


def test_without_a_remote_it_says_how_to_add_one(project, cli):
    cli("wrapup", "--summary", "x")
    said = cli("sync")
    assert said.code == 1
    assert f"git -C {shlex.quote(str(project))} remote add origin" in " ".join(said.err.split())


def test_the_advice_without_a_remote_is_right_from_any_folder(project, cli, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    cli("wrapup", "--summary", "x")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    advice = cli("--kb", str(project), "sync").err.rsplit("with: git ", 1)[1]
    git(
        tmp_path / "elsewhere",
        *shlex.split(advice.replace("ADDRESS", shlex.quote(str(tmp_path / "team.git")))),
    )
    assert cli("--kb", str(project), "sync").out == "origin: pulled 0, pushed 2\n"


def test_a_memory_changed_on_both_sides_is_kept_twice_and_found_by_check(
    tmp_path, cli, monkeypatch
):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    one = clone(tmp_path, "one")
    monkeypatch.chdir(one)
    (one / "calmkb.toml").touch()
    git(one, "add", ".")
    git(one, "commit", "-qm", "begin")
    cli("wrapup", "--summary", "x", "--friction", "The linter needs node 22.")
    accept_all(cli, tmp_path)
    cli("sync")
    two = clone(tmp_path, "two")
    for folder, word in ((one, "24"), (two, "20")):
        path = next((folder / "journal/memories").rglob("*.md"))
        path.write_text(path.read_text().replace("node 22", f"node {word}"))
        git(folder, "commit", "-qam", "edit by hand")
    monkeypatch.chdir(one)
    cli("sync")
    monkeypatch.chdir(two)
    said = cli("sync")
    assert "was changed on both sides; both are kept, see: calmkb check" in said.err
    checked = cli("check")
    assert checked.code == 0
    assert "another version of the memory" in checked.out and "forged" not in checked.out


def test_a_planted_secret_reaches_neither_git_nor_site_nor_export_nor_index(
    project, cli, tmp_path, home
):
    secrets = ["gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x", "AK" + "IA" + "QYLPMN5HHHFPZAM2"]
    one, two = secrets
    said = {"type": "user", "sessionId": "s-1", "cwd": f"/home/dev/{one}", "gitBranch": two,
            "timestamp": "2026-10-12T09:00:00Z"}  # fmt: skip
    lines = [
        said | {"uuid": "1", "message": {"role": "user", "content": f"Deploy {one} to {two}.txt"}},
        said | {"uuid": "2", "type": "assistant", "message": {"role": "assistant", "id": "m",
                "content": [{"type": "tool_use", "id": "t", "name": "Bash",
                             "input": {"command": f"curl -u me:{one} https://example.org"}}]}},
        said | {"uuid": "3", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "is_error": True,
             "content": f"Exit code 6\nfatal: {two} refused by the server"}]}},
        said | {"uuid": "4", "message": {"role": "user",
                "content": f"no, never use {one} here, use the vault"}},
    ]  # fmt: skip
    path = tmp_path / f"{one}.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    assert cli("wrapup", "--from-transcript", str(path)).code == 0
    assert cli("wrapup", "--summary", f"Set {one}", "--friction", f"Bad key {two}.").code == 0
    assert accept_all(cli, tmp_path).code == 0
    (project / "mkdocs.yml").write_text("site_name: x\nplugins: [calmkb, search]\n")
    (project / "docs").mkdir()
    assert cli("export").code == 0
    assert cli("site", "build").code == 0
    cli("session", "list")
    (tmp_path / "d.json").unlink()
    everything = [git(project, "log", "-p", "--all")]
    for folder in (project, home):
        for base, _, names in os.walk(folder):
            everything += [os.path.join(base, name) for name in names]  # noqa: PTH118
            for name in names:
                with open(os.path.join(base, name), "rb") as file:  # noqa: PTH118, PTH123
                    everything.append(file.read().decode(errors="replace"))
    assert not [text[:80] for text in everything if one in text or two in text]


def test_a_dry_run_says_what_would_come_in_and_go_out_and_moves_nothing(project, cli, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "team.git")
    git(project, "remote", "add", "origin", str(tmp_path / "team.git"))
    cli("wrapup", "--summary", "Mine.")
    waiting = int(git(project, "rev-list", "--count", "HEAD"))
    assert cli("sync", "--dry-run").out.endswith(f": would pull 0, push {waiting}\n")
    assert git(tmp_path / "team.git", "for-each-ref") == ""
    assert cli("sync").out == f"origin: pulled 0, pushed {waiting}\n"
    before = git(project, "rev-parse", "HEAD")
    git(tmp_path, "clone", "-q", "team.git", "other")
    git(tmp_path / "other", "commit", "-q", "--allow-empty", "-m", "Theirs")
    git(tmp_path / "other", "push", "-q", "origin", "HEAD:main")
    assert "would pull 1, push 0" in cli("sync", "--dry-run").out
    assert git(project, "rev-parse", "HEAD") == before
