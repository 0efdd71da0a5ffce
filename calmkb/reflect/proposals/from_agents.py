"""Memories that agents proposed, as proposals beside those that calmkb found itself."""

import hashlib
from collections.abc import Iterable, Sequence

from calmkb.model import Memory, Proposal, Reflection, Verdict
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.similarity.methods import Method


def proposal_of(memory: Memory) -> Proposal:
    """Return the proposal to keep `memory`; its id changes with its words and its evidence."""
    cited = "".join(f"{item.source}\0{item.quote}\0" for item in memory.evidence)
    digest = hashlib.sha256(f"{cited}{memory.text}".encode()).hexdigest()[:16]
    return Proposal(
        id="P-" + hashlib.sha256(f"{memory.text}\0{digest}".encode()).hexdigest()[:10],
        text=memory.text,
        category=memory.category,
        importance=memory.importance,
        confidence=memory.confidence,
        scope=memory.scope,
        origin=memory.origin,
        evidence=memory.evidence,
        evidence_hash=digest,
        paths=memory.paths,
        waiting=(memory.id,),
        tags=memory.tags,
        supersedes=memory.supersedes,
    )


def rejection_of(
    proposal: Proposal, reflections: Sequence[Reflection], method: Method, duplicate: float
) -> str:
    """Return when and why a proposal was rejected before, or nothing where it may be asked.

    The same words on the same evidence stay rejected; words that cite nothing, in any wording.
    """
    earlier = [(record, item) for record in reflections for item in record.rejected]
    for record, item in earlier:
        if item.evidence == proposal.evidence_hash:
            return _when_and_why(record, item.reason)
    if proposal.evidence or not earlier:
        return ""
    known = [KnownText(str(number), item.text) for number, (_, item) in enumerate(earlier)]
    (verdict,) = judge([proposal.text], known, method, duplicate=duplicate)
    if verdict.kind != "duplicate":
        return ""
    record, item = earlier[int(verdict.other)]
    return _when_and_why(record, item.reason)


def replacing(proposal: Proposal, verdict: Verdict, memories: Iterable[Memory]) -> Verdict:
    """Return `verdict`, or a conflict where the proposal names the memory that it replaces."""
    for memory in memories:
        if memory.id == proposal.supersedes:
            same = verdict.other == memory.id
            level = verdict.similarity if same else 0.0
            return Verdict(kind="conflict", other=memory.id, text=memory.text, similarity=level)
    return verdict


def _when_and_why(record: Reflection, reason: str) -> str:
    day = f"{record.created_at:%Y-%m-%d}"
    return f"{day}: {reason}" if reason else day
