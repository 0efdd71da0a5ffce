"""Which commits a file or a line of it is from."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import GitFailedError, NotFoundError
from calmkb.store.git.repository import Repository


@dataclass(frozen=True)
class LineOrigin:
    """The commit that a line is from, the file's path at that time, and the line's text."""

    commit: str
    path: str
    text: str


def line_origins(
    repository: Repository, path: str, commit: str = "HEAD", *, only: int | None = None
) -> list[LineOrigin]:
    """Return where each line of a committed file is from, or `only` one; nothing where it is not.

    A commit is asked, not the work tree: a filter of the repository would run.
    """
    asked = ["--line-porcelain", *([f"-L{only},{only}"] if only else []), commit, "--", path]
    try:
        found = repository.git.blame(*asked, stdout_as_string=False).decode(errors="replace")
    except GitFailedError:
        return []
    origins, current, name = [], "", path
    for row in found.split("\n"):
        if row.startswith("\t"):
            origins.append(LineOrigin(current, name, row[1:]))
            current = ""
        elif not current:
            current = row.partition(" ")[0]
        elif row.startswith("filename "):
            name = row.removeprefix("filename ")
    return origins


def commits_of_file(repository: Repository, path: str, most: int) -> list[str]:
    """Return the commits that changed a file, the newest first, also under former names.

    NotFoundError where git has no such file.
    """
    found = repository.git.ask("log", "--follow", "--format=%H", f"-{most}", "HEAD", "--", path)
    if not found:
        raise NotFoundError(f"git knows no commit of {path}; name a file that is committed")
    return found.split("\n")


def path_in(repository: Repository, file: Path) -> str:
    """Return a file's path from the top of the repository; NotFoundError where it is outside."""
    try:
        return file.resolve().relative_to(repository.top.resolve()).as_posix()
    except ValueError:
        raise NotFoundError(f"{file} is not in the repository {repository.top}") from None
