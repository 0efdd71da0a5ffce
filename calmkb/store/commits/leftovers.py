"""What killed processes and failing disks left in the git directory, and what can safely be done.

`doctor` lists it, `doctor --fix` repairs what loses nothing: bytes that nobody can read are moved
aside and kept.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from filelock import Timeout

from calmkb.errors import StoreError
from calmkb.store.commits.commit import land_waiting, write_lock
from calmkb.store.commits.index_lock import described, git_at_work, holder_of, locks_of
from calmkb.store.commits.intent import Intent, read_intent, write_intent
from calmkb.store.commits.landed import intent_path
from calmkb.store.commits.spool import Spool
from calmkb.store.commits.worktree import path_changes
from calmkb.store.git.repository import Repository
from calmkb.store.git.temporary_refs import PLACE
from calmkb.system.files import disk_told

_MINUTES = 300
_HOUR = 3_600
_LOCK_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Leftover:
    """Something that was left: what it is, what to do, and what `doctor --fix` does about it."""

    what: str
    text: str
    fix: str
    repair: Callable[[], str]
    serious: bool = False


def leftovers(repository: Repository) -> list[Leftover]:
    """Return what was left in `repository`, in the order in which it is repaired."""
    return [*_locks(repository), *_intent(repository), *_spool(repository), *_refs(repository),
            *_litter(repository)]  # fmt: skip


def _locks(repository: Repository) -> Iterator[Leftover]:
    for lock in filter(partial(_inside, repository), locks_of(repository)):
        fix = f"if no git command runs: calmkb agents doctor --fix, or delete {lock}"
        yield Leftover("lock", described(lock), fix, partial(_remove_lock, repository, lock))


def _remove_lock(repository: Repository, lock: Path) -> str:
    """Remove a lock that is minutes old, if the system shows that no process may need it.

    `git commit` keeps its lock while an editor is open, with the file closed: any git that works in
    this repository counts.
    """
    try:
        age = time.time() - lock.stat().st_mtime
    except OSError:
        return f"{lock} is gone by now"
    if holder := holder_of(lock) or git_at_work(repository):
        return f"left {lock}: {holder} may need it"
    if age < _MINUTES:
        return f"left {lock}: it is younger than {_MINUTES // 60} minutes"
    with contextlib.suppress(FileNotFoundError):
        lock.unlink()
    return f"removed {lock}, {age:,.0f} s old and held by no process"


def _intent(repository: Repository) -> Iterator[Leftover]:
    try:
        read_intent(intent_path(repository))
    except StoreError as error:
        repair = partial(_set_intent_aside, repository)
        yield Leftover("intent", str(error), "calmkb agents doctor --fix", repair, serious=True)


def _set_intent_aside(repository: Repository) -> str:
    """Keep the torn file elsewhere; bring in what the spool shows to be committed all the same."""
    path = intent_path(repository)
    with write_lock(repository, timeout=_LOCK_SECONDS):
        moved = _set_aside(repository, path)
        taken = Spool(repository.spool).taken()
        files = {path: data for change in taken for path, data in change.files.items()}
        landed = path_changes(repository, files) if repository.tip("HEAD") else ()
        if landed:
            write_intent(path, Intent(unfinished=landed))
    land_waiting(repository)
    return f"{moved}; {len(landed)} files of it were committed and are in place"


def _spool(repository: Repository) -> Iterator[Leftover]:
    names = sorted(repository.spool.iterdir()) if repository.spool.is_dir() else []
    waiting = [path for path in names if path.suffix in {".record", ".taken"}]
    if waiting:
        yield Leftover(
            "spool", f"{len(waiting)} changes wait in {repository.spool}",
            "the next calmkb command that writes commits them, or: calmkb agents doctor --fix",
            partial(_land, repository, len(waiting)),
        )  # fmt: skip
    for path in names:
        if path.suffix == ".broken":
            text = f"{path} does not read: a failing disk tore it, and it was never committed"
            fix = "calmkb agents doctor --fix keeps it elsewhere; see whether its words are needed"
            yield Leftover("broken", text, fix, partial(_set_aside, repository, path))


def _land(repository: Repository, waiting: int) -> str:
    land_waiting(repository)
    left = sum(path.suffix in {".record", ".taken"} for path in repository.spool.iterdir())
    return f"committed {waiting - left} of {waiting} changes that waited in {repository.spool}"


def _set_aside(repository: Repository, path: Path) -> str:
    folder = repository.git_dir / "calmkb" / "broken"
    with disk_told(f"move {path} to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        return f"moved {path} to {path.replace(folder / f'{path.name}-{time.time_ns()}')}"


def _refs(repository: Repository) -> Iterator[Leftover]:
    listed = repository.git.for_each_ref(
        "--format=%(creatordate:unix) %(refname)", PLACE, "refs/calmkb/unsent/", "refs/calmkb/sync"
    )
    rows = [line.partition(" ") for line in listed.split("\n") if line]
    old = [name for seconds, _, name in rows if time.time() - int(seconds or 0) > _HOUR]
    if old:
        text = f"{len(old)} refs of killed commands ({', '.join(old[:3])})"
        yield Leftover(
            "refs", text, "calmkb agents doctor --fix", partial(_drop_refs, repository, old)
        )


def _drop_refs(repository: Repository, names: list[str]) -> str:
    for name in names:
        repository.git.update_ref("-d", name)
    return f"removed {len(names)} refs of killed commands: {', '.join(names[:3])}"


def _litter(repository: Repository) -> Iterator[Leftover]:
    """Name unfinished files of killed gits, as `git prune` sees them, and of our own."""
    objects, own = repository.common_dir / "objects", repository.git_dir / "calmkb"
    theirs = [*objects.glob("tmp_*"), *objects.glob("pack/tmp_*"), *objects.glob("??/tmp_*")]
    ours = [*own.glob(".*"), *own.glob("spool/.*"), *own.glob("spool/*.result")]
    old = [path for path in (*theirs, *ours) if _age(path) > _HOUR and _inside(repository, path)]
    if old:
        text = f"{len(old)} unfinished files of killed commands in {repository.common_dir}"
        yield Leftover("litter", text, "calmkb agents doctor --fix", partial(_remove, old))


def _remove(paths: list[Path]) -> str:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    gone = sum(not path.exists() for path in paths)
    return f"removed {gone} of {len(paths)} unfinished files of killed commands"


def _inside(repository: Repository, path: Path) -> bool:
    """Return whether a path is in the git directory: a link there can lead to a person's files."""
    folder = Path(os.path.realpath(path.parent))
    places = (repository.git_dir, repository.common_dir)
    return any(folder.is_relative_to(os.path.realpath(place)) for place in places)


def _age(path: Path) -> float:
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:
        return 0


def repair(repository: Repository) -> Iterator[str]:
    """Repair what is safe, one thing after another, and say what was done about each."""
    for left in leftovers(repository):
        try:
            yield left.repair()
        except (StoreError, OSError, Timeout) as error:
            yield f"could not repair {left.what}: {error}"
