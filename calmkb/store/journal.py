"""A knowledge base's records on disk: all read, none skipped in silence."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calmkb.documents import SIZE_LIMIT, kind_of, parse
from calmkb.documents.codec import UnreadableError
from calmkb.errors import StoreError
from calmkb.model import Problem, Record
from calmkb.store.files import read_bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A record and its path below the journal folder."""

    path: str
    record: Record


def read_journal(folder: Path, *, below: str = "") -> tuple[list[Stored], list[Problem]]:
    """Return every record of the journal `folder` in path order, and a problem for each unreadable.

    `below` narrows it to one of its folders.
    """
    records: list[Stored] = []
    problems: list[Problem] = []
    for path in sorted(_record_files(folder, below)):
        found, _ = read_record(folder, path)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            records.append(Stored(path, found))
    return records, problems


def read_record(folder: Path, path: str) -> tuple[Record | Problem, int]:
    """Return the record at `path` below `folder`, or what is wrong with it, and its characters."""
    try:
        text = read_bytes(folder / path, limit=SIZE_LIMIT).decode()
        return parse(text, path), len(text)
    except UnreadableError as error:
        return Problem(error.path, error.line, error.reason), 0
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return Problem(path, line, "is not UTF-8; save it as UTF-8"), 0
    except StoreError as error:
        return Problem(path, 1, str(error).replace(str(folder), "journal")), 0


def is_record_place(path: str) -> bool:
    """Say whether a file at `path` below the journal folder should hold a record."""
    return not path.rpartition("/")[2].startswith(".") and kind_of(path) is not None


def _record_files(folder: Path, below: str) -> Iterator[str]:
    """Yield the paths that stand where records do; links are named, never followed."""
    for base, folders, names in os.walk(folder / below):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = (Path(base) / name).relative_to(folder).as_posix()
            if is_record_place(path):
                yield path
