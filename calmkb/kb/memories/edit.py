"""`memory edit` and `memory merge`: an approved memory changed by a person, its id kept."""

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from calmkb.documents import render
from calmkb.errors import CalmError
from calmkb.kb.base import points
from calmkb.kb.base.filed import Filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.memories.files import category_of, locate, message
from calmkb.model import GLOBAL_SCOPE, Category, Memory
from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.proposals.decisions import with_evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What to change in a memory; None leaves a field as it is."""

    text: str | None = None
    category: str | None = None
    importance: float | None = None
    scope: str | None = None
    paths: tuple[str, ...] | None = None


def edit_memory(
    kb: KnowledgeBase, filed: Filed[Memory], edits: Edits, *, approved_by: str
) -> Memory | None:
    """Commit the edits and return the memory, or None where they change nothing.

    The editor approves the new text and scope, and what it speaks of as it is committed now: so an
    edit without another change says that the memory still holds where its code changed. A new
    category moves the file in the same commit. Raises RecordError on a broken limit,
    StoreError where the file has changed since it was read; then nothing is written.
    """
    edited = points.memory_made(kb, _edited(kb, filed.record, edits))
    if edited == filed.record:
        return None
    edited = replace(edited, approved_by=approved_by)
    path = _path_for(filed, edited.category)
    files: dict[str, bytes | None] = {path: render(edited).encode()}
    expected = dict(filed.expected)
    if path != filed.path:
        files[filed.path] = None
        expected[path] = ""
    kb.save(files, message("edit", edited), expected=expected)
    return edited


def merge_memories(
    kb: KnowledgeBase,
    gone: Filed[Memory],
    into: Filed[Memory],
    *,
    approved_by: str,
    text: str = "",
    force: bool = False,
) -> Memory:
    """Commit `into` with the evidence, sources and tags of both, `gone` taken out; return it.

    Words, category, scope and paths stay those of `into`, but for a `text`. Raises CalmError where
    the two say opposite things, unless `force`, and StoreError where either has changed since.
    """
    if gone.record.id == into.record.id:
        raise CalmError(f"memory {gone.record.id} cannot be merged into itself; name another one")
    if opposed(gone.record.text, into.record.text) and not force:
        raise CalmError(
            f"memories {gone.record.id[:8]} and {into.record.id[:8]} say opposite things; retire "
            "the one that is wrong, or merge them with --force"
        )
    made = replace(united(into.record, gone.record), approved_by=approved_by)
    if text.strip():
        made = points.memory_made(kb, _reworded(made, kb.redactor.text(text).strip()))
    note = message("merge", made, reason=f"{gone.record.id} went into {into.record.id}.")
    files = {into.path: render(made).encode(), gone.path: None}
    kb.save(files, note, expected={**into.expected, **gone.expected})
    return made


def united(into: Memory, gone: Memory) -> Memory:
    """Return `into` with what `gone` rests on; confidence by the sessions of both."""
    replaced = (into.supersedes, gone.supersedes)
    return replace(
        with_evidence(into, gone.evidence),
        sources=tuple(dict.fromkeys((*into.sources, *gone.sources))),
        tags=tuple(dict.fromkeys((*into.tags, *gone.tags))),
        merged=tuple(dict.fromkeys((*into.merged, gone.id, *gone.merged))),
        supersedes=next((old for old in replaced if old not in ("", gone.id, into.id)), ""),
    )


def locate_both(kb: KnowledgeBase, gone: str, into: str) -> tuple[Filed[Memory], Filed[Memory]]:
    """Return the two memories of a merge; NotFoundError where one is not there."""
    return locate(kb, gone), locate(kb, into)


def _edited(kb: KnowledgeBase, memory: Memory, edits: Edits) -> Memory:
    redactor = kb.redactor
    globs = [redactor.line(path).strip() for path in edits.paths or ()]
    made = replace(
        memory,
        category=category_of(edits.category) if edits.category else memory.category,
        importance=memory.importance if edits.importance is None else edits.importance,
        scope=memory.scope if edits.scope is None else redactor.line(edits.scope) or GLOBAL_SCOPE,
        paths=memory.paths if edits.paths is None else tuple(dict.fromkeys(filter(None, globs))),
    )
    if edits.text is None:
        return made
    return _reworded(made, redactor.text(edits.text).strip())


def _reworded(memory: Memory, text: str) -> Memory:
    """Return the memory in other words: those of a person."""
    return memory if text == memory.text.strip() else replace(memory, text=text, origin="person")


def _path_for(filed: Filed[Memory], category: Category) -> str:
    """Return the file's path; only a new category moves it, and its name stays."""
    if category == filed.record.category:
        return filed.path
    return f"memories/{category}/{PurePosixPath(filed.path).name}"
