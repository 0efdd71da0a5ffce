"""Paths that differ in case only: a disk that does not tell them apart holds one of them."""

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from calmkb.documents.findings import Finding
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.git.repository import find_repository
from calmkb.store.sharing.proposal_branches import names_at


def case_findings(kb: KnowledgeBase, known: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each path below the journal that another one hides on such a disk.

    `known` are in the work tree. The last commit is looked at too: it has both, where the disk
    has one.
    """
    repository = find_repository(kb.root) if kb.root.is_dir() else None
    committed: list[str] = []
    if repository and (tip := repository.tip("HEAD")):
        inside = f"{kb.prefix}/"
        names = names_at(repository, tip, kb.prefix)
        committed = [name.removeprefix(inside) for name in names]
    seen: dict[str, str] = {}
    for path in _with_folders({*known, *committed}):
        other = seen.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if other != path:
            message = f"differs from {other} in case only, and some disks hold one of the two"
            yield Finding(path, 1, "case-only-name", f"{message}; rename it with git mv")


def _with_folders(paths: Iterable[str]) -> list[str]:
    """Return the paths and the folders above them, sorted."""
    found: set[str] = set()
    for path in paths:
        parents = (parent.as_posix() for parent in PurePosixPath(path).parents)
        found.update((path, *(parent for parent in parents if parent != ".")))
    return sorted(found)
