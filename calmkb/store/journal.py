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
        try:
            text = read_bytes(folder / path, limit=SIZE_LIMIT).decode()
            records.append(Stored(path, parse(text, path)))
        except UnreadableError as error:
            problems.append(Problem(error.path, error.line, error.reason))
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            problems.append(Problem(path, line, "is not UTF-8; save it as UTF-8"))
        except StoreError as error:
            problems.append(Problem(path, 1, str(error).replace(str(folder), "journal")))
    return records, problems


def _record_files(folder: Path, below: str) -> Iterator[str]:
    """Yield the paths that stand where records do; links are named, never followed."""
    for base, folders, names in os.walk(folder / below):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = (Path(base) / name).relative_to(folder).as_posix()
            if not name.startswith(".") and kind_of(path):
                yield path
