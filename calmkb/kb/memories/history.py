"""`memory history`: the commits that made, moved, changed and removed a memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from calmkb.documents import parse
from calmkb.documents.codec import UnreadableError
from calmkb.errors import NotFoundError
from calmkb.kb.base.filed import AmbiguousIdError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.files import locate
from calmkb.model import Approval, Memory
from calmkb.store.git.attributes import checked_out
from calmkb.store.git.authorship import same_person
from calmkb.store.git.file_versions import CommitSeen, commits_of

What = Literal["added", "edited", "moved", "brought back", "taken out"]
_NAMED = re.compile(r"-([0-9a-f]{8})(?:-\d+)?\.md\Z")


@dataclass(frozen=True, slots=True)
class Version:
    """What one commit made of a memory; `memory` is none where it was taken out."""

    commit: CommitSeen
    what: What
    path: str
    memory: Memory | None

    @property
    def by(self) -> str:
        """Who committed it."""
        return self.commit.email or self.commit.name


def history(kb: KnowledgeBase, prefix: str) -> tuple[str, tuple[Version, ...]]:
    """Return the id that begins with `prefix` and its versions, oldest first.

    Raises NotFoundError where neither the knowledge base nor its history knows the id.
    """
    identity, path = _identified(kb, prefix)
    named = commits_of(kb.repository, [f"{kb.prefix}/memories"], mentioning=identity)
    paths = {
        t.path for c in named for t in c.touched if _at(kb, identity, t.path, t.blob, t.before)
    }
    paths |= {path} - {""}
    versions = tuple(_versions(kb, identity, sorted(paths))) if paths else ()
    if not versions:
        raise NotFoundError(f"git holds nothing of memory {prefix!r}; commit its file first")
    return identity, versions


def claim(kb: KnowledgeBase, version: Version) -> str:
    """Return who the record claims approved it, where that is not who committed it."""
    claimed = version.memory.approved_by if version.memory else ""
    if not claimed or same_person(kb.repository, claimed, version.by):
        return ""
    return Approval(claimed, version.by, differs=True).words


def _versions(kb: KnowledgeBase, identity: str, paths: list[str]) -> Iterator[Version]:
    path, begun = "", False
    last: Memory | None = None
    for commit in commits_of(kb.repository, paths):
        after = [(t.path, found) for t in commit.touched
                 if (found := _at(kb, identity, t.path, t.blob))]  # fmt: skip
        now, memory = after[-1] if after else (path, None)
        if memory and (now, memory) != (path, last):
            what: What = "edited" if path == now or (last and last.text != memory.text) else "moved"
            if last is None:
                what = "brought back" if begun else "added"
            path, last, begun = now, memory, True
            yield Version(commit, what, path, memory)
        elif last and not memory and any(t.path == path and not t.blob for t in commit.touched):
            last = None
            yield Version(commit, "taken out", path, None)


def _at(kb: KnowledgeBase, identity: str, path: str, *blobs: str) -> Memory | None:
    """Return the memory in the first of the blobs that holds it."""
    found = (_read(kb, path, blob) for blob in blobs if blob)
    return next((one for one in found if one and one.id == identity), None)


def removed_ids(kb: KnowledgeBase) -> frozenset[str]:
    """Return the first eight characters of the ids of memories that were removed.

    They are read from file names; a file that a person renamed is not found.
    """
    if kb.repository_if_any is None:
        return frozenset()
    removed = commits_of(kb.repository, [f"{kb.prefix}/memories"], removing=True)
    names = (_NAMED.search(touched.path) for commit in removed for touched in commit.touched)
    return frozenset(name[1] for name in names if name)


def _identified(kb: KnowledgeBase, prefix: str) -> tuple[str, str]:
    """Return the whole id, and where it is now (from the repository's top) or nothing."""
    try:
        filed = locate(kb, prefix)
    except AmbiguousIdError:
        raise
    except NotFoundError:
        wanted = prefix.strip().lower()
        gone = {memory.id for memory in _removed(kb, wanted)} if len(wanted) > 1 else set()
        if len(gone) == 1:
            return gone.pop(), ""
        if len(gone) > 1:
            shown = ", ".join(identity[: len(wanted) + 8] for identity in sorted(gone)[:4])
            raise NotFoundError(
                f"memory {prefix!r} is not unique ({shown}); give more of the id"
            ) from None
        raise NotFoundError(
            f"memory {prefix!r} not found, neither here nor in git's history"
        ) from None
    return filed.record.id, f"{kb.prefix}/{filed.path}"


def _removed(kb: KnowledgeBase, wanted: str) -> Iterator[Memory]:
    """Yield the removed memories whose id begins so; a file's name ends with its id's start."""
    folder = f"{kb.prefix}/memories"
    for commit in commits_of(kb.repository, [folder], removing=True):
        for touched in commit.touched:
            name = _NAMED.search(touched.path)
            if touched.blob or (name and not _may_match(name[1], wanted)):
                continue
            memory = _read(kb, touched.path, touched.before)
            if memory and memory.id.startswith(wanted):
                yield memory


def _may_match(short: str, wanted: str) -> bool:
    return short.startswith(wanted) or wanted.startswith(short)


def _read(kb: KnowledgeBase, path: str, blob: str) -> Memory | None:
    try:
        text = checked_out(kb.repository, path, blob).decode()
        record = parse(text, path.removeprefix(f"{kb.prefix}/"))
    except (UnreadableError, UnicodeDecodeError):
        return None
    return record if isinstance(record, Memory) else None
