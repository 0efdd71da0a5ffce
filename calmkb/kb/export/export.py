"""`export`: approved memories into the files that agents read. First `plan`, then `write`."""

import contextlib
import difflib
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from calmkb.documents.paths import FOLDERS
from calmkb.errors import ExportError
from calmkb.kb.base.approvals import require
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.own_records import memory_request
from calmkb.kb.export.digests import open_source
from calmkb.kb.export.files import Change, check_ready, remove_file
from calmkb.kb.export.plan import ExportRequest, Plan, plan
from calmkb.kb.journal.sessions import read_contents
from calmkb.model.words import counted
from calmkb.store.git.trees import tree_entries
from calmkb.system.files import make_private_folder, write_atomically
from calmkb.system.safe_paths import check_place, is_below

__all__ = ["ExportRequest", "Plan", "diff", "open_source", "plan", "write"]
_LOCK_SECONDS = 30
_SOURCES = re.compile(rb"<!-- calmkb: ([0-9a-f ]+) -->")


def write(kb: KnowledgeBase, made: Plan) -> None:
    """Carry a plan out, each file whole or not at all.

    With `force` the old file is kept beside the new one as `.bak`: it may hold a person's edit.

    Raises ExportError, and nothing is written, where a file is read-only, was changed since the
    plan was made, or would lose a memory that only cannot be read; StoreError where the disk
    refuses; TrustError where a memory would reach every project that was neither written nor
    approved on this machine.
    """
    if not made.changes:
        return
    # What is below the home reaches every project.
    home = (one.digest.selection.items for one in made.targets if one.place == "user")
    asked = [memory_request(item.memory) for items in home for item in items]
    require(kb, asked, how="calmkb export --place user")
    if not made.force:
        _refuse_hidden(kb, made.changes)
    with _locked(_lock_place(kb)):
        for change in made.changes:
            check_ready(change)
        for change in made.changes:
            inside = change.folder if is_below(change.path, change.folder) else None
            if made.force and change.before is not None:
                beside = change.path.with_name(f"{change.path.name}.bak")
                mode = change.path.stat().st_mode & 0o777
                write_atomically(beside, change.before, mode=mode, inside=inside)
            if change.after is not None:
                write_atomically(change.path, change.after, inside=inside)
                continue
            if inside:
                check_place(change.path, inside)
            remove_file(change.path, change.folder)


@contextlib.contextmanager
def _locked(place: Path | None) -> Iterator[None]:
    """Let other exports of this knowledge base wait."""
    if place is None:
        yield
        return
    from filelock import FileLock, Timeout

    make_private_folder(place.parent)
    try:
        with FileLock(place.with_suffix(".lock"), timeout=_LOCK_SECONDS, mode=0o600):
            yield
    except Timeout as error:
        raise ExportError("another export is running; try again") from error


def _refuse_hidden(kb: KnowledgeBase, changes: Sequence[Change]) -> None:
    """Raise ExportError where a file would lose a memory whose record is there and is not read.

    A record may be unreadable, or be in the last commit but not in the work tree: a sparse
    checkout, or a file deleted by hand.
    """
    for change in changes:
        lost = _ids(change.before) - _ids(change.after)
        if not lost:
            continue
        for why in (*_not_checked_out(kb, lost), *_unreadable(kb)):
            raise ExportError(
                f"{change.path} would lose {counted(len(lost), 'memory', 'memories')}, "
                f"and {why}; nothing was written. "
                "Fix that, or export without them with --force"
            )


def _ids(data: bytes | None) -> set[str]:
    """Return the beginnings of the ids of the memories that a digest names."""
    return {one.decode() for found in _SOURCES.findall(data or b"") for one in found.split()}


def _unreadable(kb: KnowledgeBase) -> Iterator[str]:
    folder = FOLDERS["memory"]
    for problem in read_contents(kb, "memory").problems:
        if problem.path.startswith((f"{folder}/", "./")):
            yield f"{kb.config.journal}/{problem.path} cannot be read: {problem.message}"


def _not_checked_out(kb: KnowledgeBase, lost: set[str]) -> Iterator[str]:
    folder = f"{kb.prefix}/{FOLDERS['memory']}"
    if kb.repository.tip("HEAD") is None:
        return
    for path in tree_entries(kb.repository, "HEAD", folder):
        if any(one in path for one in lost) and not (kb.repository.top / path).exists():
            yield f"{path} is in the last commit but not in the work tree"


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


def _lock_place(kb: KnowledgeBase) -> Path | None:
    """Return where exports of a knowledge base wait for each other: outside of the repository."""
    if not kb.root.is_dir():
        return None
    name = hashlib.blake2b(os.fsencode(os.path.realpath(kb.root)), digest_size=16).hexdigest()
    return kb.environment.state / "exports" / f"{name}.json"
