"""`verify --fix`: paths that moved, written as they are now."""

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from posixpath import normpath, relpath

from calmkb.documents.findings import Finding
from calmkb.store.git.repository import find_repository
from calmkb.system.files import disk_told, read_bytes, write_atomically
from calmkb.system.safe_paths import check_place

_LIMIT = 1024 * 1024
_PLAIN = re.compile(r"[\w./@+-]{1,300}")


def renamed(value: str, path: str, moved_to: str, folder: str) -> str:
    """Return how a text in `folder` names a file that moved from `path`, as it named it before.

    From the top of the repository, from the text's folder, or by the end of the path; "" where
    none of these was how. A name with other signs is left to a person: it may be words of others.
    """
    plain = normpath(value)
    if "*" in value or not _PLAIN.fullmatch(moved_to):
        return ""
    if plain == path:
        return moved_to
    if normpath(f"{folder}/{plain}") == path:
        return relpath(moved_to, folder)
    if path.endswith(f"/{plain}"):
        return "/".join(moved_to.split("/")[-len(plain.split("/")) :])
    return ""


def fix(folder: Path, findings: Iterable[Finding]) -> list[Finding]:
    """Write the sure fixes into the work tree that `folder` is in; return what was fixed.

    A line that does not hold the old path any more is left alone, and so is a file that is no text.
    StoreError where a file cannot be written: those before it are.
    """
    repository = find_repository(folder)
    if repository is None:
        return []
    sure, done = (one for one in findings if one.fix), list[Finding]()
    for path, wanted in groupby(sure, key=lambda one: one.path):
        done += _fix_file(check_place(repository.top / path, repository.top), [*wanted])
    return done


def _fix_file(path: Path, wanted: list[Finding]) -> list[Finding]:
    try:
        lines = read_bytes(path, limit=_LIMIT).decode().split("\n")
    except (OSError, ValueError):
        return []
    done = []
    for one in wanted:
        assert one.fix is not None  # noqa: S101 - only these were asked for
        old, new = one.fix
        pattern = re.compile(rf"(?<![\w/.-]){re.escape(old)}(?![\w-]|[./]\w)")
        line, count = pattern.subn(new.replace("\\", r"\\"), lines[one.line - 1])
        if count:
            lines[one.line - 1] = line
            done.append(one)
    if done:
        with disk_told(f"write {path}"):
            write_atomically(path, "\n".join(lines).encode(), mode=path.stat().st_mode & 0o777)
    return done
