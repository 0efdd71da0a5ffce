"""Writers that are killed, and disks that refuse: all or nothing, and the next call finishes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calmkb.store.commits.commit import recover
from tests.conftest import git
from tests.store.commits.test_index_lock import git_that
from tests.store.writing import ROUNDS, opened, problems, state_of, write

ROOT = Path(__file__).parents[3]
# Is git, with hooks for what moves the branch.
HOOKED = """#!/bin/sh
case "$*" in *update-ref*--stdin*) ;; *) exec {git} "$@";; esac
for word; do
  shift
  [ "$word" = update-ref ] && set -- "$@" -c core.hooksPath={hooks}
  set -- "$@" "$word"
done
exec {git} "$@"
"""
NO_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="a writer is killed in a fork")


@NO_FORK
@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "writes", "stride"),
    [
        ("event", "new", 4),
        ("event", "review", 5),
        ("event", "group", 11),
        ("event", "finishing", 9),
        ("git", "new", 1),
        ("git", "review", 1),
        ("git", "group", 1),
        ("line", "new", 149),
        ("line", "review", 211),
        ("line", "group", 307),
        ("line", "finishing", 307),
    ],
)
def test_a_writer_killed_at_any_step_leaves_all_or_nothing(tmp_path, step, writes, stride):
    if ROUNDS > 1:  # `make soak` kills at each, but of the lines, thousands of them, at an eighth
        stride = max(1, stride // 8) if step == "line" else 1
    command = [sys.executable, "-m", "tests.store.killing", str(tmp_path), step, writes]
    done = subprocess.run(
        [*command, str(stride)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3, "the write was never killed"


@NO_FORK
def test_a_git_that_is_killed_as_it_moves_the_branch_leaves_no_lock(repo, tmp_path, monkeypatch):
    write(repo, "journal/first.md")
    hook = tmp_path / "hooks" / "reference-transaction"
    hook.parent.mkdir()
    hook.write_text('#!/bin/sh\n[ "$1" = prepared ] && kill -KILL 0\nexit 0\n')
    hook.chmod(0o755)
    code = (
        "import sys; from pathlib import Path; from tests.store.writing import write\n"
        "write(Path(sys.argv[1]), sys.argv[2])"
    )
    with monkeypatch.context() as patch:
        git_that(tmp_path, patch, HOOKED, hooks=hook.parent)
        command = [sys.executable, "-c", code, str(repo), "journal/killed.md"]
        killed = subprocess.run(command, cwd=ROOT, start_new_session=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (repo / ".git/refs/heads/main.lock").exists()
    write(repo, "journal/next.md")
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "ls-tree", "--name-only", "HEAD:journal").split() == [
        "first.md", "killed.md", "next.md"
    ]  # fmt: skip
    assert not [*(repo / ".git").glob("*.lock"), *(repo / ".git/refs/heads").glob("*.lock")]


def test_recover_gives_a_reader_the_file_of_a_killed_writer(repo, tmp_path):
    killed_before_check_out(repo)
    assert "D  journal/a.md" in git(repo, "status", "--porcelain")
    recover(opened(repo))
    assert git(repo, "status", "--porcelain") == ""
    assert (repo / "journal/a.md").read_bytes() == b"a\n"


def test_whoever_reads_the_journal_next_finds_what_a_killed_writer_committed(repo):
    write(repo, "journal/first.md")
    killed_before_check_out(repo)
    assert not (repo / "journal/a.md").exists()
    problems(repo)
    assert (repo / "journal/a.md").read_bytes() == b"a\n"
    assert git(repo, "status", "--porcelain") == ""


def test_what_a_person_did_after_a_crash_is_left_alone(repo):
    killed_before_check_out(repo)
    (repo / ".git/index.lock").unlink()  # as git itself asks after a crash
    git(repo, "checkout", "HEAD", "--", "journal/a.md")
    (repo / "journal/a.md").write_text("corrected\n")
    write(repo, "journal/b.md")
    assert git(repo, "status", "--porcelain") == " M journal/a.md\n"
    assert (repo / "journal/a.md").read_text() == "corrected\n"


def killed_before_check_out(repo: Path) -> None:
    killed_before("check_out", repo)


def killed_before(function: str, repo: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.store.killing import *\n"
        "function_reached(sys.argv[2])(); new(opened(Path(sys.argv[1])))"
    )
    if not hasattr(os, "fork"):
        pytest.skip("a process that kills itself needs SIGKILL")
    done = subprocess.run([sys.executable, "-c", code, str(repo), function], cwd=ROOT, check=False)
    assert done.returncode < 0


def plain(folder: Path, *options: str) -> Path:
    git(folder.parent, "init", "-q", "-b", "main", *options, str(folder))
    (folder / "kept.txt").write_text("kept\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def sha256(folder: Path) -> Path:
    return plain(folder, "--object-format=sha256")


def linked(folder: Path) -> Path:
    plain(folder.with_name("other"))
    git(folder.with_name("other"), "checkout", "-q", "--detach")
    git(folder.with_name("other"), "worktree", "add", "-q", str(folder), "main")
    return folder


STEPS = {
    "write": "nothing is on disk but the change in the spool",
    "prepare": "the commit is on disk, on a ref of its own",
    "check_unmoved": "what is about to happen is written down",
    "finish": "the index lock is held",
    "check_out": "the branch has moved",
    "_put": "the new index is in place, the file is not",
    "_sync": "the file is there, and the lock is gone",
    "note_recent": "the file is there, and nothing is answered",
    "drop_intent": "all is done but for the note of it",
}


@NO_FORK
@pytest.mark.slow
@pytest.mark.parametrize("kind", [plain, sha256, linked])
@pytest.mark.parametrize("step", list(STEPS))
def test_the_next_command_finishes_a_killed_write_beside_a_person(step, kind, tmp_path):
    repo = kind(tmp_path / "repo")
    write(repo, "journal/first.md")
    locks = f"{git(repo, 'rev-parse', '--absolute-git-dir').strip()}/index.lock"
    killed_before(step, repo)
    problems(repo)  # a command that reads
    assert not Path(locks).exists()
    (repo / "kept.txt").write_text("theirs\n")
    git(repo, "commit", "-qam", "theirs")
    write(repo, "journal/last.md")
    assert state_of(repo) == [["journal/last.md"], ["journal/a.md"], ["journal/first.md"]]
    assert (repo / "journal/a.md").read_bytes() == b"a\n"
    assert git(repo, "status", "--porcelain") == ""
    assert "calmkb" not in git(repo, "for-each-ref")
    git(repo, "fsck", "--strict")
