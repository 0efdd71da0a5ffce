"""What is kept on this machine, and the choice of a person whether it is."""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from calmkb.capture.history.sources import all_session_files
from calmkb.errors import CalmError, StoreError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import forget_failure
from calmkb.model.sessions.archive import KeptSession
from calmkb.store.local.choices import keeping, save_keeping
from calmkb.system.files import disk_told
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import is_damaged, read_session
from calmkb.wings.archive.turns.schema import NAME, open_index
from calmkb.wings.archive.verbs.meaning import LOCK
from calmkb.wings.archive.verbs.place import archive_of, not_kept

_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_LEAST = 1024**2
_SECONDS = 30  # how long a switch or a removal waits for a process that keeps sessions to end
_LOCKS = (".lock", LOCK)


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """Sessions kept and their bytes, those of the index, the limit, and files of clients.

    `damaged` are files that hold something that cannot be read, `faults` say why the sessions of an
    agent cannot be. `not_kept` counts the files of clients that were never looked at.
    """

    on: bool
    folder: str
    sessions: int
    size: int
    index_size: int
    limit: int
    client_files: int
    damaged: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    not_kept: int = 0
    excluded: tuple[str, ...] = ()


def archive_state(environment: Environment) -> ArchiveState:
    """Return what is kept."""
    archive, choice = archive_of(environment), keeping(environment.own)
    index, kept = archive.folder / NAME, archive.files()
    files, faults = all_session_files(environment.home, environment.env)
    return ArchiveState(
        choice.on,
        str(archive.folder),
        len(kept),
        sum(path.stat().st_size for path in kept),
        index.stat().st_size if index.exists() else 0,
        choice.limit,
        len(files),
        tuple(str(path) for path in kept if is_damaged(path)),
        tuple(faults),
        len(not_kept(environment, files)),
        choice.excluded,
    )


def switch_keeping(
    environment: Environment,
    *,
    on: bool | None = None,
    limit: str = "",
    exclude: Iterable[str] = (),
    include: Iterable[str] = (),
) -> None:
    """Remember a person's choice; CalmError where `limit` is no size of at least a megabyte.

    `exclude` and `include` are names of projects and folders, told by a separator, `.` or `~`.
    CalmError where what is to be included is not excluded. Switched off, it ends what keeps
    sessions, which writes nothing after this returns.
    """
    choice = keeping(environment.own)
    out, back = ({_place(environment, one): one for one in given} for given in (exclude, include))
    if unknown := [one for place, one in back.items() if place not in choice.excluded]:
        raise CalmError(f"{unknown[0]!r} is not excluded; see: calmkb agents keep --status")
    if out or back:
        excluded = sorted({*choice.excluded, *out} - back.keys())
        choice = replace(choice, excluded=tuple(excluded), stamp=environment.new_id())
    if on is not None:
        choice = replace(choice, on=on, stamp=environment.new_id())
    if limit:
        choice = replace(choice, limit=_bytes(limit))
    save_keeping(environment.own, choice)
    archive = archive_of(environment)
    if not choice.on:
        forget_failure(environment, "keep", "vectors")
    if (not choice.on or out or back) and archive.folder.is_dir():
        with _alone(archive):  # the turns of one session may be half written
            if back:  # they are looked at again
                with open_index(archive) as db:
                    db.execute("DELETE FROM sources WHERE kept = ''")


def remove_archive(environment: Environment) -> int:
    """Remove all that was kept, its index and what is made of it too; return how many sessions.

    Ends what keeps sessions or makes vectors of them; StoreError where that takes longer than half
    a minute.
    """
    archive = archive_of(environment)
    _end_begun(environment)
    with _alone(archive):
        count = len(archive.files())
        _remove(one for one in archive.folder.iterdir() if one.name not in _LOCKS)
        archive.folder.touch()
        # The disk's clock is the one of transcripts. The stamp ends what was begun meanwhile, too.
        _end_begun(environment, removed_at=archive.folder.stat().st_mtime)
    return count


def kept_sessions(environment: Environment, ids: Collection[str], project: str) -> set[str]:
    """Return the agents' ids of kept sessions that are among `ids`, or of `project` if named."""
    found = (one for _, one in _sessions(environment))
    return {
        one.part_of or one.resume_id or one.name
        for one in found
        if _names(one) & set(ids) or (project and one.project == project)
    }


def remove_kept(environment: Environment, ids: Collection[str]) -> None:
    """Remove what is kept of these sessions, their sub-agents' too, and the index, made again.

    StoreError as `remove_archive`.
    """
    archive = archive_of(environment)
    if not archive.folder.is_dir():
        return
    with _alone(archive):  # what keeps sessions now may have read one of these, and write it yet
        doomed = [path for path, one in _sessions(environment) if _names(one) & set(ids)]
        made = [one for one in archive.folder.iterdir() if one.is_file() and one.name not in _LOCKS]
        _remove((*doomed, *made) if doomed else ())


def _sessions(environment: Environment) -> Iterator[tuple[Path, KeptSession]]:
    for path in archive_of(environment).files():
        if session := read_session(path):
            yield path, session


def _names(session: KeptSession) -> set[str]:
    return {session.name, session.resume_id, session.part_of} - {""}


@contextmanager
def _alone(archive: Archive) -> Iterator[None]:
    """Wait until nobody else writes to the archive; StoreError after half a minute."""
    with archive.held(seconds=_SECONDS) as is_ours:
        lock = FileLock(archive.folder / LOCK, timeout=_SECONDS, mode=0o600)
        try:
            if not is_ours:
                raise Timeout(str(archive.folder))
            with lock if (archive.folder / LOCK).exists() else nullcontext():
                yield
        except Timeout:
            raise StoreError(
                f"{archive.folder} is being written to; that ends soon: try again in a minute"
            ) from None


def _end_begun(environment: Environment, **changed: Any) -> None:
    choice = replace(keeping(environment.own), stamp=environment.new_id(), **changed)
    save_keeping(environment.own, choice)


def _remove(places: Iterable[Path]) -> None:
    for place in tuple(places):
        with disk_told(f"remove {place}"):
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)


def _place(environment: Environment, given: str) -> str:
    """Return the name of a project as it is, a folder as its real path."""
    if given[:1] not in ("~", ".") and not {"/", os.sep} & {*given}:
        return given
    below = environment.home / given[2:] if given[:2] in ("~", "~/") else environment.cwd / given
    return os.path.realpath(below)


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if size < _LEAST:
        raise CalmError(f"--limit is {text!r}; give a size of at least 1MB, such as 500MB or 2GB")
    return size
