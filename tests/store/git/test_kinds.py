"""Repositories of every kind: a write, an edit and a sync do the right thing, or say why not."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from calmkb.errors import StoreError
from calmkb.store.git.repository import find_repository
from calmkb.wings.sharing.git.sync import Synced, sync
from tests.conftest import git
from tests.store.writing import opened, write

FIRST, SECOND = "journal/memories/fact/a.md", "journal/sessions/b.md"


def team(folder: Path, *options: str) -> Path:
    """Make a bare remote with one commit; return it."""
    git(folder, "init", "-q", "--bare", "-b", "main", *options, "team.git")
    git(folder, "init", "-q", "-b", "main", *options, "begin")  # old gits clone no empty SHA-256
    begin = folder / "begin"
    git(begin, "remote", "add", "origin", f"file://{folder}/team.git")
    for name in ("calmkb.toml", "src/code.py", "journal/sessions/first.md"):
        (begin / name).parent.mkdir(parents=True, exist_ok=True)
        (begin / name).write_text(f"{name}\n")
    git(begin, "add", ".")
    git(begin, "commit", "-qm", "begin")
    git(begin, "push", "-q", "origin", "HEAD:main")
    return folder / "team.git"


def clone(folder: Path, *options: str) -> Path:
    git(folder, "clone", "-q", *options, f"file://{folder}/team.git", "here")
    return folder / "here"


def worktree(folder: Path) -> Path:
    git(clone(folder), "worktree", "add", "-q", "-b", "topic", str(folder / "beside"), "main")
    git(folder / "beside", "branch", "-q", "-u", "origin/main")
    return folder / "beside"


def sparse(folder: Path, kept: str) -> Path:
    here = clone(folder)
    git(here, "sparse-checkout", "set", "--cone", kept)
    return here


def submodule(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main", "outer")
    git(folder / "outer", "-c", "protocol.file.allow=always", "submodule", "add", "-q",
        f"file://{folder}/team.git", "inner")  # fmt: skip
    git(folder / "outer/inner", "checkout", "-q", "main")
    return folder / "outer/inner"


def unborn(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main", "here")
    git(folder / "here", "remote", "add", "origin", str(folder / "team.git"))
    return folder / "here"


KINDS: dict[str, Callable[[Path], Path]] = {
    "plain clone": clone,
    "worktree": worktree,
    "shallow": lambda folder: clone(folder, "--depth=1"),
    "partial": lambda folder: clone(folder, "--filter=blob:none"),
    "sparse": lambda folder: sparse(folder, "journal"),
    "sparse without the journal": lambda folder: sparse(folder, "src"),
    "submodule": submodule,
    "unborn": unborn,
}


def share(folder: Path) -> Synced:
    repository = find_repository(folder)
    assert repository
    return sync(repository, "journal", FileLock(repository.git_dir / "test.lock"))


def elsewhere(folder: Path) -> None:
    """Push a record from another machine."""
    git(folder / "begin", "pull", "-q", "--rebase", "origin", "main")
    write(folder / "begin", "journal/sessions/elsewhere.md")
    git(folder / "begin", "push", "-q", "origin", "HEAD:main")


@pytest.mark.parametrize("kind", KINDS)
def test_a_write_an_edit_and_a_sync_of_diverged_clones_in_a_clone_that_is(kind, tmp_path):
    bare = team(tmp_path)
    git(bare, "config", "uploadpack.allowFilter", "true")
    here = KINDS[kind](tmp_path)
    if kind == "unborn":  # its own history: what is there is taken first
        assert share(here).pulled == 1
    assert write(here, FIRST, b"words\n").warning == ""
    elsewhere(tmp_path)
    assert (share(here).pulled, git(here, "status", "--porcelain")) == (1, "")
    assert write(here, FIRST, b"other words\n").warning == ""
    assert share(here).pushed == 1
    assert (here / FIRST).read_bytes() == b"other words\n"
    held = git(bare, "ls-tree", "-r", "--name-only", "main", "journal").split()
    assert held == [FIRST, "journal/sessions/elsewhere.md", "journal/sessions/first.md"]
    assert git(here, "status", "--porcelain") == ""
    git(here, "fsck", "--strict", "--no-dangling")


def test_a_detached_head_refuses_a_write_and_a_sync_with_the_fix(tmp_path):
    team(tmp_path)
    here = clone(tmp_path)
    git(here, "checkout", "-q", "--detach")
    for act in (lambda: write(here), lambda: share(here)):
        with pytest.raises(StoreError, match=r"HEAD of .* is detached .* check out a branch"):
            act()
    assert git(here, "status", "--porcelain") == ""


def test_a_bare_repository_is_no_place_to_write(tmp_path):
    assert find_repository(team(tmp_path)) is None


def has_reftable() -> bool:
    """Return whether git keeps refs in tables, as 2.45 and newer can."""
    said = subprocess.run(["git", "version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2])) >= (2, 45)


FORMS = ["files", *(["reftable"] if has_reftable() else [])]


@pytest.mark.parametrize("form", FORMS)
def test_refs_are_read_and_moved_however_git_keeps_them(tmp_path, form):
    folder = tmp_path / "tables"
    folder.mkdir()
    option = ["--ref-format=reftable"] if form == "reftable" else []
    git(folder, "init", "-q", "-b", "main", *option)
    write(folder, FIRST)
    write(folder, SECOND)
    assert git(folder, "rev-list", "--count", "HEAD").strip() == "2"
    assert git(folder, "status", "--porcelain") == ""


def test_sha256_clones_that_diverged_come_together(tmp_path):
    team(tmp_path, "--object-format=sha256")
    here = clone(tmp_path)
    for data in (b"words\n", b"other words\n"):
        write(here, FIRST, data)
    elsewhere(tmp_path)
    assert (share(here).pulled, share(here).pushed) == (1, 0)
    assert git(here, "status", "--porcelain") == ""
    assert git(here, "rev-list", "--count", "origin/main").strip() == "4"


def test_what_a_killed_sync_left_among_the_refs_goes_with_the_next(tmp_path):
    team(tmp_path)
    here = clone(tmp_path)
    write(here, FIRST)
    elsewhere(tmp_path)
    git(here, "update-ref", "refs/worktree/calmkb/sync-a-999999999", "HEAD")
    assert share(here).pulled == 1
    assert "refs/worktree" not in git(here, "for-each-ref")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the person's loop is a shell script")
def test_syncs_beside_a_loop_of_commits_lose_no_record_and_no_words(tmp_path):
    team(tmp_path)
    here = clone(tmp_path)
    script = """
    i=0
    while [ ! -e ../stop ]; do
        i=$((i+1)); echo $i >> mine.txt; git add mine.txt
        git commit -qam "user $i" >/dev/null 2>&1 && echo $i >> ../committed
    done
    """
    records = []
    person = subprocess.Popen(["sh", "-c", script], cwd=here)
    try:
        for number in range(6):
            records.append(f"journal/sessions/here-{number}.md")
            write(here, records[-1])
            elsewhere_number(tmp_path, number)
            sync(opened(here), ".", FileLock(here / ".git/test.lock"))
    finally:
        (tmp_path / "stop").touch()
        person.wait(60)
    sync(opened(here), ".", FileLock(here / ".git/test.lock"))
    git(tmp_path / "begin", "pull", "-q", "--rebase", "origin", "main")
    theirs = [f"journal/sessions/there-{number}.md" for number in range(6)]
    for folder in (here, tmp_path / "begin"):
        held = git(folder, "ls-tree", "-r", "--name-only", "HEAD", "journal").split()
        assert set(held) >= {*records, *theirs}
    words = (here / "mine.txt").read_text().split()
    assert words == [str(number) for number in range(1, len(words) + 1)]
    subjects = git(here, "log", "--format=%s", "--", "mine.txt").split("\n")
    for number in (tmp_path / "committed").read_text().split():
        assert f"user {number}" in subjects
    git(here, "fsck", "--strict", "--no-dangling")


def elsewhere_number(folder: Path, number: int) -> None:
    git(folder / "begin", "pull", "-q", "--rebase", "origin", "main")
    write(folder / "begin", f"journal/sessions/there-{number}.md")
    git(folder / "begin", "push", "-q", "origin", "HEAD:main")
