"""`export`: approved memories into the files that agents read."""

import contextlib
import difflib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import ExportError, StoreError
from calmkb.export.targets.table import find_exporter
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.own_records import memory_request
from calmkb.kb.export.files import Change, check_ready
from calmkb.kb.export.plan import Plan, Wanted, folder_of, plan
from calmkb.kb.export.unreadable import check_nothing_is_hidden
from calmkb.kb.trust import require
from calmkb.model.trust import TrustRequest
from calmkb.store.local.undo import keep_before, restore
from calmkb.system.files import make_private_folder, sync_folder, write_atomically
from calmkb.system.safe_paths import check_place, is_below

__all__ = ["Change", "Exported", "Plan", "Wanted", "diff", "export", "plan", "undo", "write"]
_LOCK_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Exported:
    """The file, how many memories it holds now, and whether it had to change."""

    path: Path
    memories: int
    changed: bool


def write(kb: KnowledgeBase, made: Plan) -> None:
    """Carry a plan out, each file whole or not at all; the files before it can be had back once.

    Raises ExportError, and nothing is written, where a file is read-only, was changed since the
    plan was made, or would lose a memory that only cannot be read; StoreError where the disk
    refuses; TrustError where a memory would reach every project that was neither written nor
    approved on this machine.
    """
    if not made.changes:
        return
    require(kb, _for_every_project(made), how="calmkb export --place user")
    if not made.force:
        check_nothing_is_hidden(kb, made.changes)
    place = _undo_place(kb)
    with _alone(place):
        for change in made.changes:
            check_ready(change)
        if place:
            keep_before(place, {one.path: (one.before, one.after) for one in made.changes})
        for change in made.changes:
            inside = change.folder if is_below(change.path, change.folder) else None
            if change.after is not None:
                write_atomically(change.path, change.after, inside=inside)
                continue
            if inside:
                check_place(change.path, inside)
            _remove(change)


def _for_every_project(made: Plan) -> list[TrustRequest]:
    """Return the approvals that the memories below the home need: they reach every project."""
    home = [told for told in made.told if told.place == "user"]
    return [memory_request(item.memory) for told in home for item in told.digest.selection.items]


def _remove(change: Change) -> None:
    """Remove a file, and the folders that are empty without it."""
    change.path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for folder in change.path.parents:
            if folder == change.folder or not folder.is_relative_to(change.folder):
                break
            folder.rmdir()
            sync_folder(folder.parent)


@contextlib.contextmanager
def _alone(place: Path | None) -> Iterator[None]:
    """Keep other exports of this knowledge base waiting."""
    if place is None:
        yield
        return
    from filelock import FileLock, Timeout

    make_private_folder(place.parent)
    try:
        with FileLock(place.with_suffix(".lock"), timeout=_LOCK_SECONDS, mode=0o600):
            yield
    except Timeout as error:
        raise ExportError("another export is at work here; try again") from error


def undo(kb: KnowledgeBase) -> list[Path]:
    """Put the files of the last export back; StoreError where one was changed since."""
    place = _undo_place(kb)
    if place is None:
        raise StoreError("there is no export to undo")
    with _alone(place):
        return restore(place)


def export(
    kb: KnowledgeBase,
    target: str,
    *,
    file: Path | None = None,
    project: str | None = None,
    check: bool = False,
    force: bool = False,
) -> Exported:
    """Bring the files of one target up to date; with `check` only say whether they are.

    Raises ExportError as `plan` does.
    """
    made = plan(kb, Wanted(targets=(target,), file=file, project=project, force=force))
    if not check:
        write(kb, made)
    told = made.told[0]
    return Exported(
        told.changes[0].path if told.changes else folder_of(kb) / find_exporter(target).file,
        len(told.digest.selection.items),
        bool(made.changes),
    )


def diff(made: Plan) -> str:
    """Return what a plan would change, as a unified diff."""
    parts: list[str] = []
    for change in made.changes:
        before, after = (
            (data or b"").decode(errors="replace") for data in (change.before, change.after)
        )
        lines = difflib.unified_diff(
            before.splitlines(), after.splitlines(), str(change.path), str(change.path), lineterm=""
        )
        parts += lines
    return "\n".join(parts)


def _undo_place(kb: KnowledgeBase) -> Path | None:
    """Return where it is kept: not in the repository, which would then say what is written."""
    if not kb.root.is_dir():
        return None
    name = hashlib.blake2b(os.fsencode(os.path.realpath(kb.root)), digest_size=16).hexdigest()
    return kb.environment.state / "exports" / f"{name}.json"
