"""A knowledge base's records on disk: all read, none skipped in silence."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calmkb.documents import SIZE_LIMIT, kind_of, parse
from calmkb.documents.codec import UnreadableError
from calmkb.documents.paths import FOLDERS
from calmkb.errors import StoreError
from calmkb.model import Problem, Record
from calmkb.system.files import read_bytes

NOT_UTF8 = "its name is not UTF-8; rename it"
NOT_A_RECORD = (
    "is not in a folder of records, so it is not read; records are .md files in "
    f"{', '.join(f'{folder}/' for folder in FOLDERS.values())} (a later calmkb may know others)"
)
OTHER_ENDING = "is not read: the name of a record ends in .md; rename it"
LINKED_FOLDER = "is a symbolic link, which is not followed; move the records here"

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")


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
    for path in sorted(_record_files(folder, below, problems)):
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


def why_not_read(path: str) -> str:
    """Return why Markdown at `path` is no record, or "" for a record and for any other file.

    Pictures and the like may lie beside records; a README may explain the folder.
    """
    name = path.rpartition("/")[2].lower()
    if name.startswith(".") or is_record_place(path) or not name.endswith(_MARKDOWN):
        return ""
    if below_records(path):
        return OTHER_ENDING
    return "" if path.lower() == "readme.md" else NOT_A_RECORD


def is_utf8(path: str) -> bool:
    """Return whether a path as the system gives it can be written as UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def readable(path: str) -> str:
    """Return a path whose bytes are not UTF-8 with those bytes escaped."""
    return path.encode(errors="backslashreplace").decode()


def unreadable_folder(error: OSError) -> str:
    """Return why the records of a folder are missing."""
    return f"this folder cannot be read ({error.strerror or error}); make it readable"


def is_linked_folder(path: str) -> bool:
    """Return whether a symbolic link leads to a folder, to nothing, or to itself."""
    return os.path.islink(path) and not os.path.isfile(path)  # noqa: PTH113, PTH114


def below_records(path: str) -> bool:
    """Return whether `path` below the journal folder is where records of some kind are kept."""
    return path.partition("/")[0] in FOLDERS.values()


def _record_files(folder: Path, below: str, problems: list[Problem]) -> Iterator[str]:
    """Yield the paths where records are; links and what cannot be read become problems."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            path = os.path.relpath(error.filename, folder).replace(os.sep, "/")
            problems.append(Problem(f"{readable(path)}/", 1, unreadable_folder(error)))

    for base, folders, names in os.walk(folder / below, onerror=refuse):
        inside = Path(base).relative_to(folder)
        for name in [*folders, *names]:
            path = (inside / name).as_posix()
            if name.startswith("."):
                continue
            if not is_utf8(path):
                problems.append(Problem(readable(path), 1, NOT_UTF8))
            elif is_record_place(path) and name not in folders:
                yield path
            elif below_records(path) and is_linked_folder(str(folder / path)):
                problems.append(Problem(path, 1, LINKED_FOLDER))
            elif name not in folders and (why := why_not_read(path)):
                problems.append(Problem(path, 1, why))
        folders[:] = [name for name in folders if not name.startswith(".") and is_utf8(name)]
