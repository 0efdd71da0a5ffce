"""Memories in words of one's own: a person's are kept, an agent's wait until a person decides."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from calmkb.errors import NotFoundError, RecordError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.kb.journal.sessions import get_session, read_contents, read_memories
from calmkb.kb.memories.files import category_of, find_memory
from calmkb.kb.memories.memories import compare_with_memories, keep_memory
from calmkb.kb.project.init import ensure_kb
from calmkb.kb.search.friction import find_trouble
from calmkb.kb.search.methods import method_of
from calmkb.kb.signals.signals import fresh_store
from calmkb.model import (
    GLOBAL_SCOPE,
    UNKNOWN_SCOPE,
    Evidence,
    Memory,
    Reflection,
    Rejection,
    Verdict,
)
from calmkb.reflect.proposals.from_agents import evidence_for, proposal_of, rejection_of
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.statements.wording import category_of as category_said
from calmkb.reflect.statements.wording import confidence_of
from calmkb.store.local.reviews import add_proposed, drop_proposed, load_proposed

SOURCES = 20
"""Entries and signals that a proposal may cite."""
_QUOTE = 1_000
_REPEATED = "Already proposed: it waits for a person, and is not stored twice."
Status = Literal["proposed", "known", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRequest:
    """A memory as it is proposed.

    Without a scope it is that of its sources' project, else of the current one. Without a category
    the words decide. `sources` are ids of session entries and troubles (or their beginnings), and
    of signals.
    """

    content: str
    category: str = ""
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    scope: str = ""
    paths: tuple[str, ...] = ()
    supersedes: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedProposal:
    """A proposal and how it compares: only what is `proposed` waits for a person.

    `known` repeats a memory, `rejected` was decided on before: `note` says when, or that the same
    proposal waits already.
    """

    memory: Memory
    status: Status
    verdict: Verdict = field(default_factory=Verdict)
    note: str = ""


def propose_memory(kb: KnowledgeBase, request: ProposalRequest) -> ComparedProposal:
    """Keep a proposal for the next review, unless it is known, was rejected or waits already.

    Raises RecordError on a broken limit, NotFoundError on a source that does not exist, StoreError
    where too many proposals wait.
    """
    memory = _memory(kb, request)
    verdict = compare_with_memories(kb, memory.text, memory.scope)
    if verdict.kind == "duplicate" and verdict.other != memory.supersedes:
        return ComparedProposal(memory, "known", verdict)
    reflections, method = read_contents(kb, "reflection").reflections, method_of(kb)
    rejected = rejection_of(proposal_of(memory), reflections, method, method.duplicate)
    if rejected:
        return ComparedProposal(memory, "rejected", verdict, f"rejected on {rejected}")
    waiting = load_proposed(kb.environment.state, kb.root)
    before = [other for other in waiting if _same(other, memory)]
    if verdict.kind == "new":
        others = [other for other in waiting if other not in before]
        verdict = _among_waiting(kb, memory, others) or verdict
    if before:  # a client may ask in a second call, with the same arguments
        return ComparedProposal(before[0], "proposed", verdict, _REPEATED)
    add_proposed(kb.environment.state, kb.root, memory)
    return ComparedProposal(memory, "proposed", verdict)


def compared(kb: KnowledgeBase, request: ProposalRequest) -> Verdict:
    """Return how a memory of a person compares with those of the scope that it would get."""
    made = _memory(kb, request)
    scope = GLOBAL_SCOPE if made.scope == UNKNOWN_SCOPE else made.scope
    return compare_with_memories(kb, made.text, scope)


def store_memory(
    kb: KnowledgeBase, content: str, category: str = "", *, approved_by: str, **more: Any
) -> Memory:
    """Commit one memory in a person's own words; `more` is that of a ProposalRequest.

    Outside any project it holds everywhere. Raises RecordError on a broken limit, NotFoundError on
    a source that does not exist.
    """
    made = _memory(kb, ProposalRequest(content=content, category=category, **more))
    scope = GLOBAL_SCOPE if made.scope == UNKNOWN_SCOPE else made.scope
    return keep_memory(kb, replace(made, scope=scope, origin="person", approved_by=approved_by))


def waiting_count(kb: KnowledgeBase) -> int:
    """Return how many proposals of agents wait for a person."""
    return len(load_proposed(kb.environment.state, kb.root))


def approve(kb: KnowledgeBase, offered: ComparedProposal, *, approved_by: str) -> Memory:
    """Commit what a person has approved, word for word; what it contradicts is superseded."""
    for known in read_memories(kb):
        if known.id == offered.memory.id:  # approved at a terminal while the dialogue was open
            return known
    memory = replace(
        offered.memory,
        approved_by=approved_by,
        created_at=kb.environment.now(),
        supersedes=offered.memory.supersedes or _contradicted(kb, offered.verdict),
    )
    kept = keep_memory(kb, memory)
    drop_proposed(kb.environment.state, kb.root, [memory.id])
    return kept


def reject(kb: KnowledgeBase, offered: ComparedProposal, *, reviewed_by: str) -> None:
    """Record that a person rejected a proposal, so that it is not proposed again."""
    kb = ensure_kb(kb)
    proposal = proposal_of(offered.memory)
    record = Reflection(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        reviewed_by=reviewed_by,
        rejected=(Rejection(text=proposal.text, evidence=proposal.evidence_hash),),
    )
    message = f"reflect: 1 proposal rejected\n\nCalm-Reflection: {record.id}\n"
    kb.save_record(record, message)
    drop_proposed(kb.environment.state, kb.root, [offered.memory.id])


def _memory(kb: KnowledgeBase, request: ProposalRequest) -> Memory:
    """Return the memory that would be kept, filtered, with what its sources say of it."""
    category = category_of(request.category or category_said(request.content))
    if len(request.sources) > SOURCES:
        raise RecordError(f"sources: {len(request.sources)} given; at most {SOURCES} are allowed")
    redactor = kb.redactor.knowing((request.content, *request.tags))
    text = redactor.text(request.content).strip()
    said = (one for source in request.sources for one in _evidence(kb, source, text))
    evidence = tuple(dict.fromkeys(said))[:SOURCES]
    projects = {item.project for item in evidence}
    sources = tuple(dict.fromkeys(item.source for item in evidence))
    return Memory(
        id=kb.environment.new_id(),
        created_at=kb.environment.now(),
        text=text,
        category=category,
        importance=request.importance,
        confidence=confidence_of(len(sources)),
        scope=redactor.line(request.scope)
        or (projects.pop() if len(projects) == 1 else "")
        or default_scope(kb),
        origin="agent",
        supersedes=find_memory(kb, request.supersedes).id if request.supersedes else "",
        tags=tuple(redactor.line(tag) for tag in request.tags),
        paths=tuple(redactor.line(path) for path in request.paths),
        evidence=evidence,
        sources=sources,
    )


def default_scope(kb: KnowledgeBase) -> str:
    """Return the project of the working folder; outside any, a person has to say."""
    place = kb.place
    own = kb.environment.home / ".calm" / "kb"  # the personal knowledge base is not a project
    if place is None or Path(place.folder) == own:
        return UNKNOWN_SCOPE
    return current_project(kb, Path(place.folder)) or UNKNOWN_SCOPE


def _evidence(kb: KnowledgeBase, source: str, text: str) -> tuple[Evidence, ...]:
    """Return what a source says on `text`; NotFoundError where there is no such source."""
    try:
        if source.startswith("SIG-"):
            signal = fresh_store(kb.environment).get(source)
            quote = " ".join(signal.content.split())[:_QUOTE]
            return (Evidence(quote=quote, source=signal.id, date=signal.timestamp[:10]),)
        found = evidence_for(text, get_session(kb, source).entry)
    except NotFoundError:
        if met := find_trouble(kb, source):
            return met.evidence
        raise NotFoundError(
            f"source {source!r} is not one session entry or signal, nor a trouble; give ids of "
            "entries, as list_journal_entries returns them, of signals, as `calmkb signal query` "
            "shows them, or of troubles, as the site does"
        ) from None
    return (replace(found, quote=found.quote[:_QUOTE]),)


def _same(other: Memory, memory: Memory) -> bool:
    return (other.text, other.scope, other.category, other.sources, other.supersedes) == (
        memory.text, memory.scope, memory.category, memory.sources, memory.supersedes
    )  # fmt: skip


def _among_waiting(kb: KnowledgeBase, memory: Memory, waiting: Sequence[Memory]) -> Verdict | None:
    """Return how a proposal compares to those that wait; their text is for the reviewer alone."""
    if not waiting:
        return None
    method = method_of(kb)
    known = [KnownText(other.id, other.text) for other in waiting]
    (verdict,) = judge([memory.text], known, method, duplicate=method.duplicate)
    return replace(verdict, text="") if verdict.kind != "new" else None


def _contradicted(kb: KnowledgeBase, verdict: Verdict) -> str:
    """Return the memory that a verdict says is contradicted, if it is one."""
    memories = {memory.id for memory in read_memories(kb)}
    return verdict.other if verdict.kind == "conflict" and verdict.other in memories else ""
