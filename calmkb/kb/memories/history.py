"""`memory history`: the commits that made, moved, changed and removed a memory."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from calmkb.documents import parse
from calmkb.documents.codec import UnreadableError
from calmkb.errors import NotFoundError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import AmbiguousIdError
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

    They are found by the id in their files' names, and by the name that the memory has now. Raises
    NotFoundError where neither the knowledge base nor its history knows the id.
    """
    commits = commits_of(kb.repository, [f"{kb.prefix}/memories"])
    try:
        filed = locate(kb, prefix)
        identity, path = filed.record.id, f"{kb.prefix}/{filed.path}"
    except AmbiguousIdError:
        raise
    except NotFoundError:
        identity, path = _removed(kb, commits, prefix), ""
    versions = tuple(_versions(kb, identity, path, commits))
    if not versions:
        raise NotFoundError(f"git holds nothing of memory {prefix!r}; commit its file first")
    return identity, versions


def claim(kb: KnowledgeBase, version: Version) -> str:
    """Return who the record claims approved it, where that is not who committed it."""
    claimed = version.memory.approved_by if version.memory else ""
    if not claimed or same_person(kb.repository, claimed, version.by):
        return ""
    return Approval(claimed, version.by, differs=True).words


def _versions(
    kb: KnowledgeBase, identity: str, now: str, commits: Sequence[CommitSeen]
) -> Iterator[Version]:
    path, begun = "", False
    last: Memory | None = None
    for commit in commits:
        named = [one for one in commit.touched if one.path == now or identity[:8] in one.path]
        read = [(one.path, _read(kb, one.path, one.blob)) for one in named if one.blob]
        after = [(at, memory) for at, memory in read if memory and memory.id == identity]
        if after and after[-1] != (path, last):
            at, memory = after[-1]
            what: What = "edited" if path == at or (last and last.text != memory.text) else "moved"
            if last is None:
                what = "brought back" if begun else "added"
            path, last, begun = at, memory, True
            yield Version(commit, what, path, memory)
        elif last and not after and any(one.path == path and not one.blob for one in named):
            last = None
            yield Version(commit, "taken out", path, None)


def removed_ids(kb: KnowledgeBase) -> frozenset[str]:
    """Return the first eight characters of the ids of memories and sessions that were removed.

    They are read from file names; a file that a person renamed is not found.
    """
    if kb.repository_if_any is None:
        return frozenset()
    folders = [f"{kb.prefix}/memories", f"{kb.prefix}/sessions"]
    removed = commits_of(kb.repository, folders, removing=True)
    names = (_NAMED.search(touched.path) for commit in removed for touched in commit.touched)
    return frozenset(name[1] for name in names if name)


def _removed(kb: KnowledgeBase, commits: Sequence[CommitSeen], prefix: str) -> str:
    """Return the id of the removed memory whose id begins so."""
    wanted = prefix.strip().lower()
    gone = {found.id for commit in commits for one in commit.touched
            if not one.blob and len(wanted) > 1 and f"-{wanted[:8]}" in one.path
            and (found := _read(kb, one.path, one.before))
            and found.id.startswith(wanted)}  # fmt: skip
    if len(gone) != 1:
        fault = f"is not unique ({', '.join(sorted(gone))})" if gone else "not found"
        raise NotFoundError(f"memory {prefix!r} {fault}, neither here nor in git's history")
    return gone.pop()


def _read(kb: KnowledgeBase, path: str, blob: str) -> Memory | None:
    try:
        text = checked_out(kb.repository, path, blob).decode()
        record = parse(text, path.removeprefix(f"{kb.prefix}/"))
    except (UnreadableError, UnicodeDecodeError):
        return None
    return record if isinstance(record, Memory) else None
