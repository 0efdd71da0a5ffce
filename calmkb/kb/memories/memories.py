"""Memories: added, found, listed, retired, compared, and what was given back on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from calmkb.errors import NotFoundError, RecordError
from calmkb.kb.base import points
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.instructions.files import HandwrittenMatch
from calmkb.kb.instructions.handwritten import handwritten_matches, instructions_of
from calmkb.kb.journal.sessions import read_contents, read_memories
from calmkb.kb.memories.feedback import counted, feedback_given
from calmkb.kb.memories.files import category_of, find_successor, locate, message
from calmkb.kb.project.init import ensure_kb
from calmkb.kb.search.methods import method_of
from calmkb.model import GLOBAL_SCOPE, Feedback, FeedbackCounts, Helped, Memory, Verdict
from calmkb.reflect.memories.stale import meet
from calmkb.reflect.proposals.duplicates import Candidate as Candidate
from calmkb.reflect.proposals.duplicates import Merged, merge
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.similarity.vectors import near


@dataclass(frozen=True, slots=True)
class Found:
    """A memory and how alike it is to what was asked, 0 to 1."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A merged proposal, compared with memories, earlier rejections and instruction files.

    `held` says why a person should not be asked about it.
    """

    merged: Merged
    verdict: Verdict
    rejected: Verdict
    written: HandwrittenMatch | None
    held: str


def keep_memory(kb: KnowledgeBase, memory: Memory) -> Memory:
    """Commit a memory that a person has approved, and return it."""
    kb = ensure_kb(kb)
    memory = points.memory_made(kb, memory)
    kb.save_record(memory, message("memory", memory))
    return memory


def list_memories(
    kb: KnowledgeBase, *, category: str | None = None, limit: int = 50, offset: int = 0
) -> tuple[Memory, ...]:
    """Return memories, newest first."""
    if category is not None:
        category_of(category)
    found = [m for m in read_memories(kb) if category in (None, m.category)]
    return tuple(found[offset : offset + limit])


def retrieve_memories(
    kb: KnowledgeBase,
    query: str,
    *,
    limit: int = 10,
    min_similarity: float = 0.0,
    category: str | None = None,
) -> tuple[Found, ...]:
    """Return the memories most like `query`, best first, those of similarity 0 left out."""
    if not query.strip():
        raise RecordError("query is empty; give it at least one word")
    memories = list_memories(kb, category=category, limit=1_000_000)
    if not memories:
        return ()
    alike = near([query], [memory.text for memory in memories], 0.0)
    found = (Found(memories[row], round(level, 4)) for _, row, level in alike)
    kept = [item for item in found if item.similarity > 0 and item.similarity >= min_similarity]
    return tuple(sorted(kept, key=lambda item: (-item.similarity, item.memory.id))[:limit])


def get_memory(kb: KnowledgeBase, memory_id: str) -> Memory:
    """Return the memory with this id; NotFoundError where it is unknown or not whole."""
    for memory in read_memories(kb):
        if memory.id == memory_id:
            return memory
    raise NotFoundError(f"memory {memory_id!r} not found; list the memories there are")


def retire_memory(kb: KnowledgeBase, memory_id: str, *, reason: str = "") -> tuple[Memory, str]:
    """Remove a memory from the knowledge base; return it and the commit that removed it.

    Git keeps its history and the reason. Raises NotFoundError on an id that is unknown or not
    whole.
    """
    filed = locate(kb, get_memory(kb, memory_id).id)
    note = message("retire", filed.record, reason=kb.redactor.text(reason).strip())
    done = kb.save({filed.path: None}, note, expected=filed.expected)
    return filed.record, done.id


def compare_with_memories(kb: KnowledgeBase, text: str, scope: str = GLOBAL_SCOPE) -> Verdict:
    """Compare a text with the memories of its scope, superseded ones aside."""
    kb.catch_up()
    memories = read_memories(kb)
    replaced = {memory.supersedes for memory in memories}
    met = [m for m in memories if m.id not in replaced and meet(m.scope, scope)]
    known = [KnownText(memory.id, memory.text) for memory in met]
    method = method_of(kb)
    return judge([text], known, method, duplicate=method.duplicate)[0]


def dedupe_proposals(kb: KnowledgeBase, candidates: Sequence[Candidate]) -> tuple[Judged, ...]:
    """Merge proposals; compare each with memories, earlier rejections and instruction files."""
    from calmkb.kb.memories.agent_quotes import why_not_proposed  # loads the transcript formats

    contents = read_contents(kb, "memory", "reflection")
    method = method_of(kb)
    cleaned = [candidate.cleaned(kb.redactor.text) for candidate in candidates]
    known = [KnownText(memory.id, memory.text) for memory in contents.memories]
    refused = [KnownText(r.id, item.text) for r in contents.reflections for item in r.rejected]
    merged, verdicts, refusals = merge(
        cleaned, known, refused, duplicate=method.duplicate, method=method
    )
    texts = [one.kept.content for one in merged]
    written = handwritten_matches(texts, instructions_of(kb), lambda: method)
    held = why_not_proposed(kb, [one.kept for one in merged])
    rows = zip(merged, verdicts, refusals, written, held, strict=True)
    return tuple(Judged(*row) for row in rows)


def record_feedback(
    kb: KnowledgeBase, memory_id: str, verdict: str, *, note: str = "", given_by: str = ""
) -> FeedbackCounts:
    """Commit one verdict on a memory, or on what it was merged into, and return the counts.

    Raises NotFoundError on an unknown memory, RecordError on a verdict that is none.
    """
    memory = find_successor(kb, memory_id)
    record = Feedback(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        memory=memory.id,
        verdict=cast("Helped", verdict),
        note=kb.redactor.text(note).strip(),
        given_by=kb.redactor.line(given_by) or kb.reviewer(),
    )
    message = f"feedback({verdict}): {memory.id[:8]}\n\nCalm-Memory: {memory.id}\n"
    kb.save_record(record, message)
    return counted(feedback_given(kb, read_memories(kb)).get(memory.id, ()))
