"""What is in a folder of the journal, each name with a signature that changes with it."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.store.index import watch as index_watch
from calmkb.store.journal import (
    LINKED_FOLDER,
    NOT_UTF8,
    below_records,
    is_linked_folder,
    is_record_place,
    is_utf8,
    readable,
    unreadable_folder,
    why_not_read,
)


@dataclass(slots=True)
class Listing:
    """A folder as it is: signatures of itself and of its files, and its subfolders.

    `problems` says why one of `files` is no record, where reading it would not.
    """

    signature: int
    folders: list[str] = field(default_factory=list)
    files: dict[str, int] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def refuse(self, path: str, why: str) -> None:
        """Name what cannot be read; it is looked at again each time, until it can."""
        self.files[path], self.problems[path] = index_watch.UNTRUSTED, why


def list_folder(journal: Path, folder: str) -> Listing | None:
    """Return what is in a folder below the journal; None if it is gone.

    The time is taken before the look.
    """
    now, base = index_watch.clock(), f"{journal}/"
    prefix = f"{folder}/" if folder else ""
    try:
        listing = Listing(index_watch.trusted_signature(os.stat(base + folder), now))  # noqa: PTH116
        with os.scandir(base + folder) as entries:
            for entry in entries:
                _enter(listing, entry, base, prefix + entry.name, now)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        listing = Listing(index_watch.UNTRUSTED)
        listing.refuse(prefix or "./", unreadable_folder(error))
    return listing


def _enter(listing: Listing, entry: os.DirEntry[str], base: str, path: str, now: int) -> None:
    if entry.name.startswith("."):
        return
    if not is_utf8(path):
        listing.refuse(readable(path), NOT_UTF8)
    elif entry.is_dir(follow_symlinks=False):
        listing.folders.append(path)
    elif is_record_place(path):
        listing.files[path] = signature_of(entry.stat(follow_symlinks=False), now)
    elif is_linked_folder(base + path) and below_records(path):
        listing.refuse(path, LINKED_FOLDER)
    elif why := why_not_read(path):
        listing.files[path] = signature_of(entry.stat(follow_symlinks=False), now)
        listing.problems[path] = why


def signature_of(status: os.stat_result, now: int) -> int:
    """Return a file's signature; a link's target can change unseen."""
    if stat.S_ISLNK(status.st_mode):
        return index_watch.UNTRUSTED
    return index_watch.trusted_signature(status, now)
