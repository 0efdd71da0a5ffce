"""Disks that are full or may not be written: a clear error, and nothing half done."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calmkb.errors import StoreError
from tests.conftest import git
from tests.store.writing import ROUNDS, state_of, write

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows mounts no small disks")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a repository on a disk of its own, of 3 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    owner = f"uid={os.getuid()},gid={os.getgid()}"
    if not mounted(["-t", "tmpfs", "-o", f"size=3m,{owner}", "tmpfs", str(folder)]):
        pytest.skip("a small disk can be mounted by root alone (or by sudo without a password)")
    try:
        git(folder, "init", "-q", "-b", "main")
        (folder / "kept.txt").write_text("kept\n")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "first")
        write(folder, "journal/first.md")
        yield folder
    finally:
        as_root(["umount", "-l", str(folder)])


def mounted(options: list[str]) -> bool:
    return shutil.which("mount") is not None and as_root(["mount", *options])


def as_root(command: list[str]) -> bool:
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run([*sudo, *command], capture_output=True, check=False).returncode == 0
    return False


def fill_but(folder: Path, free: int) -> Path:
    """Leave `free` bytes on the disk of `folder`."""
    ballast = folder / ".git/ballast"
    room = shutil.disk_usage(folder).free - free
    with ballast.open("wb") as file:
        file.write(b"\0" * max(0, room))
    return ballast


def test_a_disk_that_fills_up_at_any_point_leaves_all_or_nothing(disk):
    """From no room at all to enough room, four kilobytes at a time: each step has its turn."""
    acknowledged, refused, number = 1, 0, 0
    sizes = [free for free in range(0, 49_153, 4096 if ROUNDS > 1 else 8192) for _ in range(2)]
    for number, free in enumerate(sizes):
        ballast = fill_but(disk, free)
        try:
            write(disk, f"journal/{number}.md", b"x" * 5000)
            acknowledged += 1
        except StoreError as error:
            told = ("o space left", "Out of diskspace", "cannot write")
            assert any(words in str(error) for words in told), error
            refused += 1
        ballast.unlink()
        assert write(disk, f"journal/{number}-after.md").warning == ""
        assert git(disk, "status", "--porcelain") == ""
    found = [name for names in state_of(disk) for name in names]
    assert len(found) == len(set(found)) == acknowledged + number + 1
    assert refused
    assert acknowledged > 1
    assert git(disk, "fsck", "--strict", "--no-dangling") == ""
    assert [path.name for path in (disk / ".git").rglob("*.lock")] == ["write.lock"]


def test_a_disk_that_may_only_be_read_is_named_and_nothing_changes(disk):
    assert as_root(["mount", "-o", "remount,ro", str(disk)])
    with pytest.raises(StoreError, match=r"cannot write .*calmkb"):
        write(disk)
    assert as_root(["mount", "-o", "remount,rw", str(disk)])
    assert git(disk, "status", "--porcelain") == ""
    assert len(state_of(disk)) == 1


def test_a_git_directory_without_permission_is_named(repo):
    (repo / ".git").chmod(0o555)
    code = "import sys; from pathlib import Path; from tests.store.writing import write\n"
    command = [sys.executable, "-c", f"{code}write(Path(sys.argv[1]))", str(repo)]
    if os.geteuid() == 0:  # root is above permissions until it gives that up
        command = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", *command]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    (repo / ".git").chmod(0o755)
    assert re.search(r"StoreError: cannot write .*calmkb", done.stderr)
    assert git(repo, "status", "--porcelain") == ""
