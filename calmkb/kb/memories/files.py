"""A memory and its file: found by the beginning of an id, with what git holds of it right now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calmkb.errors import NotFoundError, StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index
from calmkb.kb.journal.sessions import read_memories
from calmkb.model import Memory
from calmkb.store.index.queries import with_prefix

if TYPE_CHECKING:
    from calmkb.store.index.queries import Found

_SUBJECT_LENGTH = 72


@dataclass(frozen=True, slots=True)
class Filed:
    """A memory, its path below the journal, and the blob that git held there as it was read.

    A change that is made from it is refused once git holds another one.
    """

    memory: Memory
    path: str
    blob: str

    @property
    def expected(self) -> Mapping[str, str]:
        """What must still stand when a change is committed."""
        return {self.path: self.blob}


def locate(kb: KnowledgeBase, prefix: str) -> Filed:
    """Return the memory whose id begins with `prefix`, as it stands on disk now.

    Raises NotFoundError where none or many do, StoreError where its file cannot be read.
    """
    from calmkb.store.commits.worktree import tree_entries
    from calmkb.store.journal import read_record

    kb.catch_up()
    found = _find(kb, prefix)
    # First git, then the file: a change that comes in between makes the commit refuse.
    placed = f"{kb.prefix}/{found.path}"
    try:
        entry = tree_entries(kb.repository, "HEAD", [placed]).get(placed, "")
    except StoreError:  # no commit yet
        entry = ""
    record, _ = read_record(kb.journal, found.path)
    if not isinstance(record, Memory):
        raise StoreError(f"{found.path} changed as it was read; try again")
    return Filed(record, found.path, entry.partition(" ")[2])


def find_memory(kb: KnowledgeBase, prefix: str) -> Memory:
    """Return the memory whose id begins with `prefix`; NotFoundError where none or many do."""
    record = _find(kb, prefix).record
    assert isinstance(record, Memory)  # noqa: S101 - only memories were asked for
    return record


def find_heir(kb: KnowledgeBase, prefix: str) -> Memory:
    """Return the memory whose id begins so, or the one that such a memory was merged into."""
    try:
        return find_memory(kb, prefix)
    except NotFoundError:
        memories = read_memories(kb)
        found = _merged_into(memories, prefix)
        if len(found) != 1:
            raise
        return next(memory for memory in memories if memory.id == found[0])


def successors(memories: Sequence[Memory]) -> dict[str, str]:
    """Return, for each id that stands or was merged away, the id of the memory it lives on in."""
    standing = {memory.id for memory in memories}
    into = {old: memory.id for memory in reversed(memories) for old in memory.merged}
    return into | {identity: identity for identity in standing}


def message(verb: str, memory: Memory, *, reason: str = "") -> str:
    """Return a commit's message: `verb(category): first line`, the reason, the trailer."""
    first = memory.text.split("\n", 1)[0]
    subject = f"{verb}({memory.category}): {first}"
    if len(subject) > _SUBJECT_LENGTH:
        subject = subject[: _SUBJECT_LENGTH - 1].rstrip() + "…"
    body = f"{reason}\n\n" if reason else ""
    return f"{subject}\n\n{body}Calm-Memory: {memory.id}\n"


def _find(kb: KnowledgeBase, prefix: str) -> "Found":
    wanted = prefix.strip().lower()
    found: list[Found] = []
    if wanted:
        found = ask_index(kb, lambda at: with_prefix(at, wanted, kind="memory"))
    if not found:
        raise NotFoundError(_why_not_found(kb, prefix))
    ids = {item.fields["id"] for item in found}
    if len(ids) > 1:
        shown = ", ".join(identity[: len(wanted) + 8] for identity in sorted(ids)[:4])
        raise NotFoundError(f"memory {prefix!r} is not unique ({shown}); give more of the id")
    if len(found) > 1:
        paths = " and ".join(sorted(item.path for item in found)[:2])
        raise NotFoundError(
            f"memory {prefix!r} stands in two files, {paths}, as two people had edited it; "
            "put both into one and delete the other"
        )
    return found[0]


def _why_not_found(kb: KnowledgeBase, prefix: str) -> str:
    into = _merged_into(read_memories(kb), prefix)
    if len(into) == 1:
        return f"memory {prefix!r} not found: it was merged into {into[0]}; name that one"
    return f"memory {prefix!r} not found; list the memories there are"


def _merged_into(memories: Sequence[Memory], prefix: str) -> list[str]:
    wanted = prefix.strip().lower()
    known = successors(memories)
    found = (successor for old, successor in known.items() if wanted and old.startswith(wanted))
    return list(dict.fromkeys(found))
