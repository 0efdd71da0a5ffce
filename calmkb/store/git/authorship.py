"""Who wrote each file of a folder as it is in the last commit, and who merged it.

One walk of the history, kept beside the index: the next time only what is new is walked.
"""

import contextlib
import json
import os
from binascii import crc32
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from calmkb.errors import StoreError
from calmkb.store.git.file_versions import read_log
from calmkb.store.git.repository import Repository, git_in
from calmkb.store.git.trees import tree_entries
from calmkb.system.files import write_atomically

_VERSION = 1
_MERGES = ("--merges", "--first-parent", "-m")


@dataclass(frozen=True, slots=True)
class Committed:
    """A file in the last commit: its blob, the addresses of who wrote it and of who merged it.

    The addresses are as git recorded them; empty where the history here does not tell.
    """

    blob: str
    author: str = ""
    merger: str = ""


def committed_files(repository: Repository, folder: str) -> dict[str, Committed]:
    """Return the files below `folder` in the last commit, by path from the top."""
    tip = repository.tip("HEAD")
    if tip is None:
        return {}
    known = _load(repository, folder)
    if known and known["tip"] == tip:
        return _files(known)
    blobs = tree_entries(repository, tip, folder)
    git = repository.git
    if known and git.ask("merge-base", "--is-ancestor", known["tip"], tip) is not None:
        before, span = _files(known), f"{known['tip']}..{tip}"
    else:
        before, span = {}, tip
    written = _brought(repository, span, folder, ("--no-merges",))
    # Most histories have no merge; to ask for those of a folder costs as much as the first walk.
    has_merges = git.ask("rev-list", *_MERGES[:2], "-1", span)
    merged = _brought(repository, span, folder, _MERGES) if has_merges else {}
    found = {
        path: _committed(path, entry.split(" ")[1], written, merged, before.get(path))
        for path, entry in blobs.items()
    }
    rows = {path: asdict(one) for path, one in found.items()}
    document = {"version": _VERSION, "tip": tip, "folder": folder, "files": rows}
    with contextlib.suppress(StoreError):  # a cache: without it the next call takes longer
        write_atomically(_place(repository, folder), json.dumps(document).encode(), durable=False)
    return found


def same_person(repository: Repository, one: str, other: str) -> bool:
    """Say whether two addresses are one person's, by .mailmap too."""
    if one.casefold() == other.casefold():
        return True
    if not (one and other) or any(c in one + other for c in "<>\n"):
        return False
    return len(set(people_of(repository, (one, other)).values())) == 1


def people_of(repository: Repository, addresses: Iterable[str]) -> dict[str, str]:
    """Return for each address the one that .mailmap gives its person, in the form compared."""
    asked = sorted({one for one in addresses if one and not any(c in one for c in "<>\n")})
    if not asked:
        return {}
    lines = "".join(f"<{one}>\n" for one in asked).encode(errors="replace")
    mapped = repository.git.check_mailmap("--stdin", istream=lines, stdout_as_string=False)
    found = mapped.decode(errors="replace").splitlines()
    people = (line.rpartition("<")[2].rstrip(">").casefold() for line in found)
    return dict(zip(asked, people, strict=False))


def _committed(
    path: str,
    blob: str,
    written: Mapping[tuple[str, str], str],
    merged: Mapping[tuple[str, str], str],
    before: Committed | None,
) -> Committed:
    """Return who brought this very content; what only a merge made is its author's."""
    key = (path, blob)
    same = before if before and before.blob == blob else Committed(blob)
    merger = merged.get(key, same.merger)
    return Committed(blob, written.get(key) or same.author or merger, merger)


def _brought(
    repository: Repository, span: str, folder: str, options: tuple[str, ...]
) -> dict[tuple[str, str], str]:
    """Return the address of who last brought a path to a blob, by both."""
    found: dict[tuple[str, str], str] = {}
    for commit in read_log(repository, "--no-mailmap", *options, span, "--", folder):
        for one in commit.touched:
            found.setdefault((one.path, one.blob), commit.email)
    return found


def _load(repository: Repository, folder: str) -> dict[str, Any] | None:
    """Return what was kept, or None where it is of another version or folder, or broken."""
    try:
        kept = json.loads(_place(repository, folder).read_text(encoding="utf-8"))
        sound = (kept["version"], kept["folder"]) == (_VERSION, folder)
        _files(kept)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return kept if sound else None


def _place(repository: Repository, folder: str) -> Path:
    return repository.git_dir / "calmkb" / f"authors-{crc32(folder.encode()):08x}.json"


def _files(kept: dict[str, Any]) -> dict[str, Committed]:
    return {path: Committed(**row) for path, row in kept["files"].items()}


def configured_address(folder: Path) -> str:
    """Return the address that git puts under commits in a folder of no repository, "" for none."""
    return os.environ.get("GIT_AUTHOR_EMAIL") or git_in(folder).ask("config", "user.email") or ""
