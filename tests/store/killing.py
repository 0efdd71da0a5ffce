"""Kills a writer at every step it takes, and looks what the next write finds.

Run as a program: it forks, and must have no threads when it does. A step is a line of calmkb/store,
an audit event (a file opened or renamed, a process started), or the begin or end of a git.
"""

import os
import shlex
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import calmkb.store
from calmkb.store.commits.commit import commit, recover
from calmkb.store.commits.spool import Spool
from calmkb.store.git.repository import Repository
from tests.conftest import git
from tests.store.reached import die, function_reached
from tests.store.writing import change, opened, state_of

STORE = str(Path(calmkb.store.__file__).parent)
ALL = {"journal/first.md": b"first\n", "journal/second.md": b"second\n"}
NEW = {"journal/a.md": b"a\n"}
REVIEW = {"journal/first.md": b"edited\n", "journal/second.md": None, "journal/memory.md": b"m\n"}
Write = Callable[[Repository], None]
_READERS = 5


def template(folder: Path) -> None:
    """Make a repository with two records and a person's work in every state."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name in ("kept.txt", "other.txt"):
        (folder / name).write_text(f"{name}\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    commit(opened(folder), change(ALL))
    (folder / "kept.txt").write_text("edited\n")
    (folder / "other.txt").write_text("staged\n")
    git(folder, "add", "other.txt")
    (folder / "loose.txt").write_text("loose\n")


def new(repository: Repository) -> None:
    commit(repository, change(NEW))


def review(repository: Repository) -> None:
    commit(repository, change(REVIEW))


def group(repository: Repository) -> None:
    """Write while two changes of killed writers wait, one of them not to be had."""
    spool = Spool(repository.spool)
    spool.put("refs/heads/main", ("Ada", "ada@example.org"), change({"journal/w.md": b"w\n"}))
    spool.put("refs/heads/main", ("Ada", "ada@example.org"), change({"kept.txt": b"lost\n"}))
    commit(repository, change(NEW))


def finishing(repository: Repository) -> None:
    """Recover from a writer that was killed once the branch had moved."""
    killed_at(function_reached("check_out"), review, repository)
    recover(repository)
    commit(repository, change(NEW))


def killed_at(hook: Callable[[], None], write: Write, repository: Repository) -> bool:
    """Run `write` in a process of its own, under `hook`; return whether it was killed."""
    child = os.fork()
    if not child:
        code = 70
        try:
            hook()
            write(repository)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.settrace(None)
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFSIGNALED(status)


def at_line(number: int) -> Callable[[], None]:
    """Return a hook that kills before the `number`th line of calmkb/store."""
    left = number

    def line(_frame: FrameType, event: str, _: object) -> object:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                die()
        return line

    """Return a hook that kills as one of our functions of that name is called."""

    def call(frame: FrameType, _event: str, _: object) -> object:
        return line if frame.f_code.co_filename.startswith(STORE) else None

    return lambda: sys.settrace(call)  # type: ignore[arg-type]


def at_event(number: int) -> Callable[[], None]:
    """Return a hook that kills before the `number`th audit event that touches the system."""
    left = number

    def audit(event: str, _: object) -> None:
        nonlocal left
        if event != "os.kill" and event.startswith(
            ("os.", "open", "subprocess.", "tempfile.", "fcntl.", "shutil.")
        ):
            left -= 1
            if left < 0:
                die()

    return lambda: sys.addaudithook(audit)


GIT = """#!/bin/sh
n=$(cat "$0.count")
echo $((n + 1)) > "$0.count"
[ $((2 * n)) = "$KILL_AT" ] && kill -9 $PPID
%s "$@"
code=$?
[ $((2 * n + 1)) = "$KILL_AT" ] && kill -9 $PPID
exit $code
"""


def at_git(number: int) -> Callable[[], None]:
    """Return a hook that kills when a git begins (even) or has ended (odd); the git lives on."""

    def hook() -> None:
        folder = Path.cwd() / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(GIT % shlex.quote(shutil.which("git") or "git"))
        (folder / "git").chmod(0o755)
        (folder / "git.count").write_text("0")
        os.environ |= {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "KILL_AT": str(number)}

    return hook


STEPS = {"line": at_line, "event": at_event, "git": at_git}
WRITES: dict[str, tuple[Write, list[dict[str, bytes | None]]]] = {
    "new": (new, [NEW]),
    "review": (review, [REVIEW]),
    "group": (group, [NEW, {"journal/w.md": b"w\n"}]),
    "finishing": (finishing, [REVIEW, NEW]),
}


def check(folder: Path, before: tuple[str, str], may: list[dict[str, bytes | None]]) -> None:
    """Write once more; every change must stand wholly, once, or not at all, and nothing else."""
    last: dict[str, bytes | None] = {"journal/last.md": b"last\n"}
    repository = opened(folder)
    done = commit(repository, change(last))
    assert done.warning == "", done.warning
    found = [sorted(names) for names in state_of(folder)]
    certain = [sorted(ALL), sorted(last)]
    maybe = [sorted(each) for each in may]
    assert all(found.count(each) == 1 for each in certain), found
    assert all(found.count(each) <= 1 for each in maybe), found
    assert len(found) == sum(found.count(each) for each in [*certain, *maybe]), found
    # A git whose parent was killed lives on, and may move the branch after our write: whoever
    # comes next finishes that too.
    for _ in range(_READERS):
        recover(repository)
        state = git(folder, "status", "--porcelain"), git(folder, "diff", "--cached")
        if state == before:
            break
    assert state == before
    assert (folder / "kept.txt").read_text() == "edited\n"
    kept = {path.name for path in repository.spool.iterdir() if not path.name.startswith(".")}
    assert all(name.endswith(".result") for name in kept), kept
    locks = {path.name for path in repository.git_dir.rglob("*.lock")}
    assert locks == {"write.lock"}, locks


def holds_ours(lock: Path) -> bool:
    """Whether a lock on the index is calmkb's: a git that lives on may have its own."""
    try:
        return lock.read_bytes().startswith(b"calmkb ")
    except FileNotFoundError:
        return False


def main(work: Path, step: str, writes: str, stride: int) -> int:
    """Kill at each step until the write gets through; return how many steps that were."""
    write, may = WRITES[writes]
    os.chdir(work)
    origin = work / "origin"
    template(origin)
    before = git(origin, "status", "--porcelain"), git(origin, "diff", "--cached")
    number, killed = 0, True
    while killed:
        folder = work / "copy"
        shutil.copytree(origin, folder)
        git(folder, "status")  # the copies have other inodes than the index knows
        killed = killed_at(STEPS[step](number * stride), write, opened(folder))
        try:
            if number % 2:  # whoever reads first takes the lock of the dead away
                recover(opened(folder))
                assert not holds_ours(folder / ".git/index.lock")
            check(folder, before, may)
        except BaseException:
            print(f"killed at {step} {number * stride} of {writes}:", file=sys.stderr)
            raise
        shutil.rmtree(folder)
        number += 1
    return number


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
