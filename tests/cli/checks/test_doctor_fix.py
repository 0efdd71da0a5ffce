"""`calmkb agents doctor --fix`: what killed commands left is repaired where that loses nothing."""

import json
import os
import shlex
import subprocess
import time
from pathlib import Path

import pytest

from calmkb.store.commits.spool import Spool
from tests.conftest import git
from tests.store.commits.test_crashes import killed_before_check_out
from tests.store.writing import change, write

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="locks are judged by /proc")


def lines(cli) -> dict[str, dict]:
    return {line["what"]: line for line in json.loads(cli("doctor", "--json").out)["findings"]}


def age(path: Path, seconds: float) -> Path:
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def spool_of(project: Path) -> Path:
    return project / ".git/calmkb/spool"


@pytest.mark.parametrize("torn", [b"", b'{"branch": "refs/he'])
def test_a_torn_intent_is_named_and_its_record_comes_back(project, cli, torn):
    killed_before_check_out(project)
    intent = spool_of(project) / "intent"
    intent.write_bytes(torn)
    found = lines(cli)["intent"]
    assert (found["level"], str(intent) in found["said"]) == ("fail", True)
    assert cli("wrapup", "--summary", "x").code == 1
    said = cli("doctor", "--fix")
    assert f"moved {intent} to " in said.out
    assert "intent" not in lines(cli)
    (kept,) = (project / ".git/calmkb/broken").iterdir()
    assert kept.read_bytes() == torn
    assert (project / "journal/a.md").read_bytes() == b"a\n"
    assert git(project, "status", "--porcelain") == ""
    assert cli("wrapup", "--summary", "x").code == 0


def test_waiting_changes_are_counted_without_broken_files_and_committed(project, cli):
    write(project, "journal/first.md")
    Spool(spool_of(project)).put(
        "refs/heads/main", ("Ada", "a@b.c"), change({"journal/w.md": b"w"})
    )
    broken = spool_of(project) / "1-x.broken"
    broken.write_bytes(b"\0" * 9)
    (spool_of(project) / "1-y.result").write_text("{}")
    found = lines(cli)
    assert found["spool"]["said"].startswith("1 changes wait")
    assert str(broken) in found["broken"]["said"]
    said = cli("doctor", "--fix").out
    assert "committed 1 of 1 changes" in said
    assert f"moved {broken} to " in said
    assert (project / "journal/w.md").read_bytes() == b"w"
    assert {"spool", "broken"}.isdisjoint(lines(cli))
    (kept,) = (project / ".git/calmkb/broken").iterdir()
    assert kept.read_bytes() == b"\0" * 9


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_that_nothing_holds_goes_once_it_is_old(project, cli, name):
    lock = project / ".git" / name
    lock.touch()
    assert "it is younger than 5 minutes" in cli("doctor", "--fix").out
    assert lock.exists()
    age(lock, 600)
    assert f"removed {lock}, 6" in cli("doctor", "--fix").out
    assert "lock" not in lines(cli)
    assert cli("wrapup", "--summary", "x").code == 0


def test_a_lock_stays_while_a_process_has_it_open_or_a_git_runs_there(project, cli, tmp_path):
    lock = project / ".git/index.lock"
    with lock.open("w"):
        age(lock, 600)
        assert "may need it" in cli("doctor", "--fix").out
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho open; read answer\n")
    editor.chmod(0o755)
    lock.unlink()
    (project / "calmkb.toml").write_text("# edited\n")
    env = os.environ | {"GIT_EDITOR": shlex.quote(str(editor))}
    person = subprocess.Popen(["git", "commit", "-a"], cwd=project, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, env=env)  # fmt: skip
    try:
        assert person.stdout
        assert person.stdout.readline() == "open\n"
        age(lock, 600)
        assert f"git (process {person.pid}) may need it" in cli("doctor", "--fix").out
        assert lock.exists()
    finally:
        person.communicate("\n", timeout=60)


def test_what_killed_gits_left_goes_after_an_hour(project, cli):
    cli("wrapup", "--summary", "x")
    objects = project / ".git/objects"
    (objects / "pack").mkdir(exist_ok=True)
    (objects / "tmp_objdir-incoming-1").mkdir()
    (objects / "tmp_objdir-incoming-1/pack").touch()
    left = [objects / "pack/tmp_pack_1", objects / "tmp_idx_1", spool_of(project) / ".1.record.x"]
    for path in left:
        path.touch()
    left.append(objects / "tmp_objdir-incoming-1")
    assert "litter" not in lines(cli)
    for path in left:
        age(path, 4_000)
    assert lines(cli)["litter"]["said"].startswith("4 unfinished files")
    assert "removed 4 of 4 unfinished files" in cli("doctor", "--fix").out
    assert not [path for path in left if path.exists()]
    git(project, "fsck", "--strict")


def test_nothing_is_removed_behind_a_link_in_the_git_directory(project, cli, tmp_path):
    cli("wrapup", "--summary", "x")
    mine = tmp_path / "mine"
    mine.mkdir()
    kept = [mine / "tmp_of_mine", mine / "HEAD.lock"]
    for path in kept:
        path.touch()
        age(path, 4_000)
    (project / ".git/objects/pack").rmdir()
    (project / ".git/objects/pack").symlink_to(mine)
    (project / ".git/refs/heads/linked").symlink_to(mine)
    cli("doctor", "--fix")
    assert all(path.exists() for path in kept)


def test_refs_of_killed_commands_go_after_an_hour(project, cli):
    cli("wrapup", "--summary", "x")
    then = {"GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
    tree = git(project, "rev-parse", "HEAD^{tree}").strip()
    made = subprocess.run(["git", "commit-tree", tree, "-m", "old"], cwd=project, text=True,
                          env=os.environ | then, capture_output=True, check=True)  # fmt: skip
    for name in ("refs/calmkb/unsent/x", "refs/calmkb/sync", "refs/worktree/calmkb/sync-1"):
        git(project, "update-ref", name, made.stdout.strip())
    git(project, "update-ref", "refs/calmkb/proposals/kept", made.stdout.strip())
    assert lines(cli)["refs"]["said"].startswith("3 refs of killed commands")
    assert "removed 3 refs" in cli("doctor", "--fix").out
    kept = git(project, "for-each-ref", "--format=%(refname)", "refs/calmkb", "refs/worktree")
    assert kept == "refs/calmkb/proposals/kept\n"


def test_the_next_writer_sweeps_what_killed_writers_left_in_the_spool(project, cli):
    cli("wrapup", "--summary", "x")
    old = [spool_of(project) / "1-x.result", spool_of(project) / ".1-x.record.tmp"]
    new = [spool_of(project) / "2-x.result", spool_of(project) / ".2-x.record.tmp"]
    for path in (*old, *new):
        path.touch()
    for path in old:
        age(path, 700)
    cli("wrapup", "--summary", "y")
    assert [path.exists() for path in (*old, *new)] == [False, False, True, True]


def test_where_nothing_was_left_nothing_is_done(project, cli):
    cli("wrapup", "--summary", "x")
    assert not [line for line in cli("doctor", "--fix").out.splitlines() if line.startswith("fix")]
