"""Nothing that was acknowledged is lost beside a person's own git."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from calmkb.store.commits.commit import land_waiting, recover
from calmkb.store.commits.recent import lost
from calmkb.store.commits.spool import Spool
from tests.conftest import git
from tests.store.writing import ROUNDS, change, opened, problems, write

PERSON = """
i=0
while [ ! -e stop ]; do
    i=$((i+1)); echo $i > mine.txt
    {commit} >/dev/null 2>&1
done
"""
COMMITS = {
    "commit -a": 'git commit -qam "user $i"',
    "add, then commit": 'git add mine.txt && git commit -qm "user $i"',
    "commit of one path": 'git commit -qm "user $i" -- mine.txt',
}

ALL = [(commit, writers) for commit in COMMITS for writers in (1, 16)]
TRIED = ALL if ROUNDS > 1 else [("commit -a", 16), ("commit -a", 1), ("add, then commit", 1)]
"""Each takes five seconds: `make soak` tries them all, and at length."""


@pytest.fixture
def large(repo):
    """Return a repository of 3,000 files: its index takes a while to read and write."""
    lines = ["commit refs/heads/main\ncommitter A <a@x> 1 +0000\ndata 1\nx\n"]
    lines += ["from refs/heads/main^0\n", "M 100644 inline mine.txt\ndata 2\n0\n\n"]
    lines += [f"M 100644 inline src/{n // 100}/{n}.txt\ndata 5\n{n:04}\n\n" for n in range(3_000)]
    stream = "".join(lines).encode()
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo, input=stream, check=True)
    git(repo, "reset", "-q", "--hard")
    return repo


def write_some(job: tuple[str, int, int]) -> list[str]:
    folder, writer, count = job
    paths = [f"journal/sessions/{writer}-{number}.md" for number in range(count)]
    for path in paths:
        write(Path(folder), path, f"{path}\n".encode())
    return paths


@pytest.mark.skipif(sys.platform == "win32", reason="the person's loop is a shell script")
@pytest.mark.slow
@pytest.mark.parametrize(("commit", "writers"), TRIED)
def test_all_acknowledged_records_are_in_head_beside_a_loop_of(commit, writers, large):
    git(large, "config", "gc.autoDetach", "false")  # no collection while git checks at the end
    count = (20 if writers == 1 else 2) * ROUNDS
    script = PERSON.format(commit=COMMITS[commit])
    person = subprocess.Popen(["sh", "-c", script], cwd=large)
    try:
        jobs = [(str(large), writer, count) for writer in range(writers)]
        with ProcessPoolExecutor(writers) as pool:
            acknowledged = [path for paths in pool.map(write_some, jobs) for path in paths]
    finally:
        (large / "stop").touch()
        person.wait(60)
    recover(opened(large))  # the next command
    held = git(large, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal").split()
    assert sorted(held) == sorted(acknowledged)
    history = git(large, "log", "--format=", "--name-only", "--", "journal").split()
    assert set(history) >= set(acknowledged)
    assert git(large, "log", "--format=%s", "--", "mine.txt").count("user ") > 0
    assert git(large, "fsck", "--strict", "--no-dangling") == ""


def take_out(repo: Path, path: str) -> None:
    """Do what a commit does that read the branch after us and the index before us."""
    git(repo, "rm", "-q", "--cached", path)
    git(repo, "commit", "-qm", "mine")


def test_a_record_that_a_race_took_out_is_put_back_by_the_next_write_which_says_so(repo):
    write(repo, "journal/sessions/a.md")
    take_out(repo, "journal/sessions/a.md")
    done = write(repo, "journal/sessions/b.md")
    assert "put back (journal/sessions/a.md)" in done.warning
    held = git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal").split()
    assert held == ["journal/sessions/a.md", "journal/sessions/b.md"]
    assert git(repo, "status", "--porcelain") == ""


def test_a_commit_of_ours_on_top_does_not_hide_that_a_record_was_taken_out(repo):
    """Somebody's commit can come between our look at the branch and our own commit."""
    write(repo, "journal/sessions/a.md")
    take_out(repo, "journal/sessions/a.md")
    repository = opened(repo)
    waiting = change({"journal/sessions/b.md": b"b\n"})
    Spool(repository.spool).put("refs/heads/main", ("Ada", "ada@example.org"), waiting)
    land_waiting(repository)
    assert "put back (journal/sessions/a.md)" in write(repo, "journal/sessions/c.md").warning
    held = git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal").split()
    assert held == [f"journal/sessions/{name}.md" for name in "abc"]


def test_a_record_is_put_back_after_work_on_another_branch(repo):
    write(repo, "journal/sessions/a.md")
    take_out(repo, "journal/sessions/a.md")
    git(repo, "checkout", "-q", "-b", "side")
    write(repo, "journal/sessions/b.md")
    git(repo, "checkout", "-q", "main")
    assert "put back (journal/sessions/a.md)" in write(repo, "journal/sessions/c.md").warning
    held = git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal").split()
    assert held == ["journal/sessions/a.md", "journal/sessions/c.md"]


def test_the_next_reader_puts_it_back_and_says_so(repo):
    write(repo, "journal/sessions/a.md")
    take_out(repo, "journal/sessions/a.md")
    (told,) = [p for p in problems(repo) if p.path == "HEAD"]
    assert "put back (journal/sessions/a.md)" in told.message
    assert git(repo, "status", "--porcelain") == ""
    again = problems(repo)
    assert not [p for p in again if p.path == "HEAD"]


def test_a_record_whose_commit_a_rebase_dropped_is_put_back_once(repo):
    before = git(repo, "rev-parse", "HEAD").strip()
    write(repo, "journal/sessions/a.md")
    git(repo, "reset", "-q", "--hard", before)  # as an aborted rebase does that began before us
    done = write(repo, "journal/sessions/b.md")
    assert "put back (journal/sessions/a.md)" in done.warning
    assert (repo / "journal/sessions/a.md").read_bytes() == b"hello\n"
    git(repo, "reset", "-q", "--hard", before)
    write(repo, "journal/sessions/c.md")
    assert not (repo / "journal/sessions/a.md").exists()


def test_what_a_teammate_deletes_stays_deleted_after_a_rebase(repo, tmp_path):
    write(repo, "journal/sessions/a.md")
    git(tmp_path, "clone", "-q", "repo", "other")
    git(tmp_path / "other", "rm", "-q", "journal/sessions/a.md")
    git(tmp_path / "other", "commit", "-qm", "delete it")
    write(repo, "journal/sessions/b.md")
    git(repo, "pull", "-q", "--rebase", str(tmp_path / "other"), "main")
    assert write(repo, "journal/sessions/c.md").warning == ""
    assert not (repo / "journal/sessions/a.md").exists()


def test_what_a_person_deletes_stays_deleted(repo):
    write(repo, "journal/sessions/a.md")
    git(repo, "rm", "-q", "journal/sessions/a.md")
    git(repo, "commit", "-qm", "delete it")
    assert write(repo, "journal/sessions/b.md").warning == ""
    assert not (repo / "journal/sessions/a.md").exists()


def test_a_record_that_is_taken_out_three_times_is_put_back_three_times_and_then_stays_out(repo):
    """A loop of commits can lose a record again in the moment it is put back."""
    write(repo, "journal/sessions/a.md")
    for number in range(3):
        take_out(repo, "journal/sessions/a.md")
        recover(opened(repo))
        held = git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal")
        assert held.split() == ["journal/sessions/a.md"], number
    take_out(repo, "journal/sessions/a.md")
    assert write(repo, "journal/sessions/c.md").warning == ""
    assert "a.md" not in git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal")


def test_a_record_is_put_back_though_a_process_was_killed_before_it_could(repo):
    write(repo, "journal/sessions/a.md")
    take_out(repo, "journal/sessions/a.md")
    repository = opened(repo)
    assert lost(repository, "refs/heads/main", repository.tip("refs/heads/main"))  # then killed
    recover(opened(repo))
    assert "a.md" in git(repo, "ls-tree", "-r", "--name-only", "HEAD", "--", "journal")
    assert recover(opened(repo)) == ""


def test_a_journal_that_is_ignored_by_now_stays_out(repo):
    write(repo, "journal/sessions/a.md")
    (repo / ".gitignore").write_text("journal/\n")
    git(repo, "add", ".gitignore")
    take_out(repo, "journal/sessions/a.md")
    recover(opened(repo))
    assert "a.md" not in git(repo, "ls-tree", "-r", "--name-only", "HEAD")


def test_the_users_staged_and_unstaged_changes_are_left_as_they_were(repo):
    (repo / "kept.txt").write_text("staged\n")
    git(repo, "add", "kept.txt")
    (repo / "kept.txt").write_text("edited\n")
    before = git(repo, "status", "--porcelain"), git(repo, "diff", "--cached")
    write(repo, "journal/sessions/a.md")
    assert (git(repo, "status", "--porcelain"), git(repo, "diff", "--cached")) == before
