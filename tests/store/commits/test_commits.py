"""A commit of ours beside a person at work."""

import os
import shlex
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.errors import StoreError
from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.repository import create_repository, find_repository
from tests.conftest import git

AT = datetime(2026, 10, 19, 14, 22, 33, tzinfo=UTC)


def write(folder: Path, path: str = "journal/sessions/a.md", data: bytes | None = b"hello\n"):
    repository = find_repository(folder)
    assert repository
    return commit(repository, Change({path: data}, "wrapup(x): hello", AT))


def test_a_commit_holds_only_our_file_and_leaves_the_rest_as_it_was(repo):
    (repo / "staged.txt").write_text("staged\n")
    git(repo, "add", "staged.txt")
    (repo / "kept.txt").write_text("edited\n")
    (repo / "loose.txt").write_text("loose\n")
    before = git(repo, "status", "--porcelain"), git(repo, "diff", "--cached")
    write(repo)
    assert (git(repo, "status", "--porcelain"), git(repo, "diff", "--cached")) == before
    assert git(repo, "show", "--format=", "--name-status", "HEAD") == "A\tjournal/sessions/a.md\n"
    assert (repo / "journal/sessions/a.md").read_bytes() == b"hello\n"
    assert git(repo, "log", "-1", "--format=%s|%an|%ae|%at").strip() == (
        "wrapup(x): hello|Ada Reviewer|ada@example.org|1792419753"
    )


def test_the_first_commit_of_a_repository_keeps_what_was_staged(tmp_path):
    git(tmp_path, "init", "-q", "-b", "trunk")
    (tmp_path / "staged.txt").write_text("staged\n")
    git(tmp_path, "add", "staged.txt")
    write(tmp_path)
    assert git(tmp_path, "status", "--porcelain") == "A  staged.txt\n"
    assert git(tmp_path, "ls-tree", "-r", "--name-only", "trunk") == "journal/sessions/a.md\n"


def test_a_detached_head_is_refused_and_nothing_changes(repo):
    git(repo, "checkout", "-q", "--detach")
    with pytest.raises(StoreError, match=r"detached .* check out a branch"):
        write(repo)
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "rev-list", "--count", "--all") == "1\n"


def test_a_linked_worktree_gets_the_commit_on_its_own_branch(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    write(tmp_path / "side")
    assert git(repo, "log", "--format=%s", "side").startswith("wrapup")
    assert git(repo, "log", "--format=%s", "main") == "first\n"
    assert git(tmp_path / "side", "status", "--porcelain") == ""


def test_hooks_and_fsmonitor_of_the_repository_do_not_run(repo, tmp_path):
    mark = tmp_path / "ran"
    for name in ("reference-transaction", "post-commit", "post-index-change"):
        hook = repo / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
        hook.chmod(0o755)
    git(repo, "config", "core.fsmonitor", shlex.quote(str(repo / ".git/hooks/post-commit")))
    write(repo)
    assert not mark.exists()


def test_inside_a_hook_the_commit_goes_to_the_repository_asked_for(repo, tmp_path):
    other = tmp_path / "kb"
    other.mkdir()
    create_repository(other)
    hook = repo / ".git/hooks/pre-commit"
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path; from tests.store.commits.test_commits import write\n"
        "write(Path(sys.argv[1]))"
    )
    root = Path(__file__).parents[3]
    hook.write_text(f"#!/bin/sh\n'{sys.executable}' -c '{code}' '{other}' '{root}' || exit 1\n")
    hook.chmod(0o755)
    (repo / "kept.txt").write_text("again\n")
    git(repo, "commit", "-qam", "second")
    assert git(repo, "show", "--format=", "--name-only", "HEAD") == "kept.txt\n"
    assert git(other, "ls-tree", "-r", "--name-only", "HEAD") == "journal/sessions/a.md\n"


def test_a_person_without_an_email_gets_a_neutral_one(repo, home):
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n")
    write(repo)
    assert git(repo, "log", "-1", "--format=%an|%ae") == "Ada|calmkb@localhost\n"


def test_a_path_with_odd_letters_is_committed_under_its_name(repo):
    path = 'wissens bank/ü "quoted"/a.md'
    write(repo, path)
    assert git(repo, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")[1] == path
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.parametrize("path", ["../a.md", "/etc/a.md", "a/../../b.md", ".git/config", "",
                                  "a/.GIT/b.md", "git~1/config", ".git. /config"])  # fmt: skip
def test_a_path_outside_the_work_tree_is_refused(repo, path):
    with pytest.raises(StoreError, match="not a path inside"):
        write(repo, path)


def test_a_path_through_a_link_is_refused(repo, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (repo / "journal").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="symbolic link"):
        write(repo)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_linked_folder_of_calmkbs_in_git_is_refused(repo, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (repo / ".git/calmkb").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="calmkb is a symbolic link"):
        write(repo)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_with_uncommitted_edits_is_not_overwritten(repo):
    (repo / "kept.txt").write_text("edited\n")
    with pytest.raises(StoreError, match=r"kept.txt has uncommitted changes"):
        write(repo, "kept.txt")
    assert (repo / "kept.txt").read_text() == "edited\n"


def test_a_committed_file_can_be_replaced_and_removed(repo):
    write(repo, "kept.txt", b"new\n")
    assert (repo / "kept.txt").read_text() == "new\n"
    write(repo, "kept.txt", None)
    assert not (repo / "kept.txt").exists()
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "ls-tree", "-r", "--name-only", "HEAD") == ""


def test_an_index_that_stays_locked_is_named_and_nothing_is_written(repo):
    lock = repo / ".git/index.lock"
    with lock.open("w"), pytest.raises(StoreError, match="nothing was written") as refused:
        write(repo)
    assert str(lock) in str(refused.value)
    assert f"(process {os.getpid()})" in str(refused.value) or sys.platform != "linux"
    lock.unlink()
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "log", "--format=%s") == "first\n"


def test_an_index_that_a_person_holds_for_a_moment_is_waited_for(repo):
    lock = repo / ".git/index.lock"
    lock.touch()
    freed = threading.Timer(0.3, lock.unlink)
    freed.start()
    assert write(repo).warning == ""
    freed.join()
    assert git(repo, "status", "--porcelain") == ""


def _write_many(job: tuple[str, int]) -> None:
    folder, writer = job
    for number in range(5):
        write(Path(folder), f"journal/{writer}-{number}.md", f"{writer} {number}\n".encode())


def test_eight_writers_at_once_lose_nothing_and_mix_nothing(repo):
    with ProcessPoolExecutor(8) as pool:
        list(pool.map(_write_many, [(str(repo), writer) for writer in range(8)]))
    commits = git(repo, "log", "--format=%H", "main", "--", "journal").split()
    assert len(commits) == 40
    listed = git(repo, "log", "--format=", "--name-only", "main", "--", "journal").split()
    assert len(listed) == len(set(listed)) == 40
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "fsck", "--strict") == ""


def test_commits_made_by_hand_meanwhile_are_kept(repo):
    """The branch moves between our look at it and our write: the race is run again."""
    again = "git commit -q --allow-empty -m rival && echo ok"
    script = f"n=0; while [ $n -lt 40 ]; do {again}; n=$((n+1)); done"
    rival = subprocess.Popen(["sh", "-c", script], cwd=repo, stdout=-1, stderr=-1, text=True)
    number = 0
    while rival.poll() is None:
        write(repo, f"journal/{number}.md")
        number += 1
    by_hand = rival.communicate()[0].count("ok")
    subjects = git(repo, "log", "--format=%s").split("\n")
    assert (subjects.count("rival"), subjects.count("wrapup(x): hello")) == (by_hand, number)


def test_a_folder_that_is_no_repository_is_none(tmp_path):
    assert find_repository(tmp_path) is None


def test_git_variables_of_a_surrounding_tool_do_not_leak_in(repo, tmp_path):
    env = {**os.environ, "GIT_DIR": str(tmp_path / "nowhere"), "GIT_INDEX_FILE": "/nowhere"}
    root = Path(__file__).parents[3]
    code = (
        "from pathlib import Path; from tests.store.commits.test_commits import write; "
        "write(Path.cwd())"
    )
    env["PYTHONPATH"] = str(root)
    subprocess.run([sys.executable, "-c", code], cwd=repo, env=env, check=True)
    assert git(repo, "log", "-1", "--format=%s") == "wrapup(x): hello\n"
