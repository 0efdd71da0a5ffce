"""Memories found by the beginning of an id, merged ones by the memory that holds them now."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calmkb.errors import NotFoundError
from calmkb.kb.base.filed import Filed, commit_message, read_filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import AmbiguousIdError, find_records, only
from calmkb.kb.journal.sessions import read_memories
from calmkb.kb.memories.feedback import surviving_ids
from calmkb.model import CATEGORIES, Category, Memory, check_choice

if TYPE_CHECKING:
    from calmkb.store.index.queries import Found


def locate(kb: KnowledgeBase, prefix: str) -> Filed[Memory]:
    """Return the memory whose id begins with `prefix`, as it is on disk now.

    Raises NotFoundError where none or many do, StoreError where its file cannot be read.
    """
    kb.catch_up()
    return read_filed(kb, _find(kb, prefix).path, Memory)


def find_memory(kb: KnowledgeBase, prefix: str) -> Memory:
    """Return the memory whose id begins with `prefix`; NotFoundError where none or many do."""
    record = _find(kb, prefix).record
    assert isinstance(record, Memory)  # noqa: S101 - only memories were asked for
    return record


def find_successor(kb: KnowledgeBase, prefix: str) -> Memory:
    """Return the memory whose id begins so, or the one that such a memory was merged into."""
    try:
        return find_memory(kb, prefix)
    except NotFoundError:
        found = _merged_into(read_memories(kb), prefix)
        if len(found) != 1:
            raise
        return find_memory(kb, found[0])


def message(verb: str, memory: Memory, *, reason: str = "") -> str:
    """Return a commit's message: `verb(category): first line`, the reason, the trailer."""
    first = memory.text.split("\n", 1)[0]
    subject = f"{verb}({memory.category}): {first}"
    return commit_message(subject, reason, f"Calm-Memory: {memory.id}")


def _find(kb: KnowledgeBase, prefix: str) -> "Found":
    found = find_records(kb, prefix, "memory")
    ids = sorted({item.fields["id"] for item in found})
    missing = "" if found else _why_not_found(kb, prefix)
    only("memory", prefix, [(one, one) for one in ids], missing)
    if len(found) > 1:
        paths = " and ".join(sorted((item.path for item in found), key=len)[:2])
        raise AmbiguousIdError(
            f"memory {prefix!r} exists in two files, {paths} (edited concurrently); "
            f"decide with: calmkb memory resolve {found[0].fields['id'][:8]}"
        )
    return found[0]


def _why_not_found(kb: KnowledgeBase, prefix: str) -> str:
    match _merged_into(read_memories(kb), prefix):
        case [into] if not into.startswith(prefix.strip().lower()):  # else it came in just now
            return f"not found: it was merged into {into}; name that one"
    return "not found; list them with: calmkb memory list"


def _merged_into(memories: Sequence[Memory], prefix: str) -> list[str]:
    wanted = prefix.strip().lower()
    known = surviving_ids(memories)
    found = (successor for old, successor in known.items() if wanted and old.startswith(wanted))
    return list(dict.fromkeys(found))


def category_of(value: str) -> Category:
    """Return `value` as a category; RecordError where it is none."""
    check_choice(value, "Category", CATEGORIES)
    return value  # type: ignore[return-value]  # checked just now
