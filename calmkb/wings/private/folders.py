"""The folders of the two private journals, their entries, and what may be read."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import NotFoundError, RecordError
from calmkb.wings.private.entries import Owner, PrivateEntry, time_of

FOLDER = ".private-journal"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FILE_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Journals:
    """The folder of the project's journal and of the user's; they may be the same."""

    project: Path
    user: Path

    def folder(self, owner: Owner) -> Path:
        """Return the folder of one of them."""
        return self.project if owner == "project" else self.user


def find_journals(
    *, cwd: Path, home: Path | None, env: Mapping[str, str], option: str | None = None,
    project_option: str | None = None,
) -> Journals:  # fmt: skip
    """Return the journals as the reference program places them.

    `option` or PRIVATE_JOURNAL_PATH names one folder for both, `project_option` or JOURNAL_PATH the
    project's alone; without a home the user's is in /tmp.
    """
    both = option or env.get("PRIVATE_JOURNAL_PATH")
    if both:
        folder = cwd / Path(both).expanduser()
        project = cwd / Path(project_option).expanduser() if project_option else folder
        return Journals(project, folder)
    named = project_option or env.get("JOURNAL_PATH")
    project = cwd / Path(named).expanduser() if named else cwd / FOLDER
    return Journals(project, (home or Path("/tmp")) / FOLDER)  # noqa: S108 - the reference's place


def read_entries(journals: Journals, owners: tuple[Owner, ...]) -> list[PrivateEntry]:
    """Return the entries of the journals asked for, newest first; unreadable files are skipped.

    A folder that two journals share is read once.
    """
    seen: set[Path] = set()
    found = []
    for owner in owners:
        folder = journals.folder(owner)
        if folder.resolve() in seen:
            continue
        seen.add(folder.resolve())
        found += [entry for path in _files(folder) if (entry := _read(path, owner))]
    return sorted(found, key=lambda entry: (-entry.timestamp, str(entry.path)))


def read_one(journals: Journals, path: str, *, cwd: Path) -> str:
    """Return the exact text of an entry.

    Raises RecordError on anything but a `.md` file that is, with links resolved, inside one of the
    journals, and NotFoundError where it does not exist.
    """
    if "\0" in path:
        raise RecordError("the path holds a NUL; give the path of an entry")
    try:
        real = (cwd / Path(path).expanduser()).resolve()
        roots = [folder.resolve() for folder in (journals.project, journals.user)]
    except (OSError, RuntimeError) as error:
        raise RecordError(f"{path} cannot be followed; give the path of an entry") from error
    if real.suffix != ".md" or not any(real.is_relative_to(root) for root in roots):
        raise RecordError(f"{path} is not an entry of the private journal; list recent entries")
    try:
        if not real.is_file() or real.stat().st_size > _FILE_LIMIT:
            raise NotFoundError(f"{path} does not exist; list recent entries")
        return real.read_bytes().decode(errors="replace")
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}") from error


def _files(folder: Path) -> Iterator[Path]:
    """Yield the entries' files: in folders named by date, links not followed."""
    try:
        days = sorted(entry.path for entry in os.scandir(folder) if _DAY.fullmatch(entry.name))
    except OSError:
        return
    for day in days:
        try:
            files = [entry for entry in os.scandir(day) if entry.is_file(follow_symlinks=False)]
        except OSError:
            continue
        yield from (Path(entry.path) for entry in files if entry.name.endswith(".md"))


def _read(path: Path, owner: Owner) -> PrivateEntry | None:
    try:
        state = path.stat()
        if state.st_size > _FILE_LIMIT:
            return None
        text = path.read_bytes().decode(errors="replace")
    except OSError:
        return None
    return PrivateEntry(path, owner, time_of(path, text, state.st_mtime), text)
