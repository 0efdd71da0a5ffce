"""Which commits a file or one line of it is from."""

import re
from pathlib import Path

from calmkb.errors import NotFoundError
from calmkb.store.git.repository import Repository
from calmkb.store.git.run import GitFailedError, ask_git, run_git

_HEAD = re.compile(rb"^([0-9a-f]{40,64}) \d+ \d+", re.MULTILINE)


def commits_of_line(repository: Repository, path: str, line: int) -> tuple[list[str], str]:
    """Return the commit that a line of the committed file is from, and the line's text.

    The last commit is asked, not the work tree: a filter of the repository would run. NotFoundError
    where there is no such line.
    """
    asked = ["blame", "--porcelain", "--no-textconv", "-L", f"{line},{line}", "HEAD", "--", path]
    try:
        found = run_git(asked, cwd=repository.top)
    except GitFailedError as error:
        raise NotFoundError(f"{path} has no line {line} in the last commit") from error
    text = next((row[1:] for row in found.split(b"\n") if row.startswith(b"\t")), b"")
    return [one.decode() for one in _HEAD.findall(found)[:1]], text.decode(errors="replace")


def commits_of_file(repository: Repository, path: str, most: int) -> list[str]:
    """Return the commits that changed a file, the newest first, also under former names.

    NotFoundError where git has no such file.
    """
    asked = ["-c", "log.showSignature=false", "log", "--follow", "--no-ext-diff", "--no-textconv",
             "--format=%H", f"-{most}", "HEAD", "--", path]  # fmt: skip
    found = ask_git(asked, cwd=repository.top)
    if not found:
        raise NotFoundError(f"git knows no commit of {path}; name a file that is committed")
    return found.split("\n")


def path_in(repository: Repository, file: Path) -> str:
    """Return a file's path from the top of the repository; NotFoundError where it is outside."""
    try:
        return file.resolve().relative_to(repository.top.resolve()).as_posix()
    except ValueError:
        raise NotFoundError(f"{file} is not in the repository {repository.top}") from None
