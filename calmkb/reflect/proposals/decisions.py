"""Decisions taken on proposals become memories and one reflection record."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from calmkb.errors import CalmError
from calmkb.model import (
    CONFIDENCES,
    UNKNOWN_SCOPE,
    Decision,
    Evidence,
    Memory,
    Proposal,
    Reflection,
    Rejection,
    Section,
)
from calmkb.model.review.reflections import ANY_EVIDENCE
from calmkb.reflect.proposals.propose import EXPIRED, Proposals
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.statements.wording import confidence_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a review leaves: memories to keep and the record that lists all that was decided.

    `changed` are standing memories that took the evidence of a proposal.
    """

    memories: tuple[Memory, ...]
    reflection: Reflection
    changed: tuple[Memory, ...] = ()


def decide(
    proposals: Proposals,
    decisions: Sequence[Decision],
    statements: Sequence[Statement],
    *,
    entries: Sequence[str],
    existing: Sequence[Memory] = (),
    now: datetime,
    reviewer: str,
    new_id: Callable[[], str],
) -> Outcome:
    """Return what the decisions make of the proposals.

    An entry of `entries` counts as reflected when nothing that it says was skipped; what was held
    back keeps none open. `standing` are the memories that a proposal can be merged into. Raises
    CalmError on a decision for a proposal that was not put, two for one, or a merge into nothing.
    """
    taken = _by_proposal(proposals, decisions)
    made = _Made(now, reviewer, new_id, {memory.id: memory for memory in existing})
    skipped = []
    for proposal in (*proposals.open, *proposals.held):
        decision = taken.get(proposal.id)
        if decision and decision.action != "skip":
            made.take(proposal, decision)
        elif proposal in proposals.open and not proposal.held:
            skipped.append(proposal)
    late = [f"- {' '.join(one.text.split())}" for one in proposals.held
            if one.held == EXPIRED and one.id not in taken]  # fmt: skip
    reflection = made.reflection(_reflected(entries, statements, skipped), late)
    changed = tuple(made.standing[key] for key in reflection.merged)
    return Outcome(tuple(made.memories), reflection, changed)


@dataclass
class _Made:
    """What decisions have made so far; `standing` are the memories by id, as they are by now."""

    now: datetime
    reviewer: str
    new_id: Callable[[], str]
    standing: dict[str, Memory]
    memories: list[Memory] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)

    def take(self, proposal: Proposal, decision: Decision) -> None:
        """Do what one decision says; CalmError where it names no memory."""
        if decision.action == "merge":
            into = find_memory(self.standing.values(), decision)
            united = with_evidence(into, proposal.evidence)
            self.standing[into.id] = replace(united, approved_by=self.reviewer)
            self.merged.append(into.id)
        elif decision.action in ("accept", "replace"):
            if decision.action == "replace":
                into = find_memory(self.standing.values(), decision)
                decision = replace(decision, into=into.id)
            check_scope(proposal, decision)
            identity = proposal.waiting[0] if proposal.waiting else self.new_id()
            self.memories.append(
                _memory(proposal, decision, now=self.now, reviewer=self.reviewer, id=identity)
            )
        else:
            self.rejected.append(_rejection(proposal, decision))

    def reflection(self, entries: tuple[str, ...], late: Sequence[str]) -> Reflection:
        """Return the record of the review; `late` are lines of what nobody decided on in time."""
        heading = EXPIRED[0].upper() + EXPIRED[1:]
        return Reflection(
            id=self.new_id(),
            created_at=self.now,
            entries=entries,
            memories=tuple(memory.id for memory in self.memories),
            memories_created=len(self.memories),
            merged=tuple(dict.fromkeys(self.merged)),
            reviewed_by=self.reviewer,
            accepted=tuple(memory.text for memory in self.memories),
            rejected=tuple(self.rejected),
            sections=(Section(heading, "\n".join(late)),) if late else (),
        )


def _reflected(
    entries: Sequence[str], statements: Sequence[Statement], skipped: Sequence[Proposal]
) -> tuple[str, ...]:
    """Return the entries of which no fresh statement was skipped."""
    waiting = {item.source for proposal in skipped for item in proposal.evidence}
    fresh = {statement.entry_id for statement in statements if statement.fresh}
    return tuple(e for e in entries if e not in waiting or e not in fresh)


def _rejection(proposal: Proposal, decision: Decision) -> Rejection:
    return Rejection(
        text=proposal.text,
        evidence=ANY_EVIDENCE if decision.action == "dismiss" else proposal.evidence_hash,
        reason=" ".join(decision.reason.split()),
    )


def with_evidence(memory: Memory, evidence: Sequence[Evidence]) -> Memory:
    """Return the memory resting on more evidence: confidence and sources follow from all of it."""
    united = tuple(
        sorted(
            dict.fromkeys((*memory.evidence, *evidence)),
            key=lambda item: (item.date, item.source, item.quote),
        )
    )
    sessions = {item.source or item.quote for item in united}
    found = confidence_of(len(sessions))
    return replace(
        memory,
        evidence=united,
        sources=tuple(dict.fromkeys((*memory.sources, *(item.source for item in united)))),
        confidence=max(memory.confidence, found, key=CONFIDENCES.index),
    )


def find_memory(memories: Iterable[Memory], decision: Decision) -> Memory:
    """Return the memory that a decision names; CalmError where its id fits none or many."""
    wanted = decision.into.strip().lower()
    found = [memory for memory in memories if wanted and memory.id.startswith(wanted)]
    if len(found) != 1:
        what = "merge into" if decision.action == "merge" else "replace"
        fault = f"names no memory to {what}" if not found else "fits several memories"
        raise CalmError(
            f"proposal {decision.proposal_id!r}: {decision.into!r} {fault}; "
            "give an id as `calmkb memory list` shows it"
        )
    return found[0]


def check_scope(proposal: Proposal, decision: Decision) -> None:
    """Raise CalmError where a proposal would be kept and nobody has said where it holds."""
    kept = decision.action in ("accept", "replace")
    if kept and proposal.scope == UNKNOWN_SCOPE and not decision.scope:
        raise CalmError(
            f"proposal {proposal.id!r}: no session tells where it holds; say it: "
            '"scope": "NAME" of a project or "global" (at a terminal: a here, a everywhere, '
            "a NAME, or a src/**)"
        )


def _by_proposal(proposals: Proposals, decisions: Sequence[Decision]) -> Mapping[str, Decision]:
    open_ids = {proposal.id for proposal in (*proposals.open, *proposals.held)}
    taken: dict[str, Decision] = {}
    for decision in decisions:
        if decision.proposal_id not in open_ids:
            raise CalmError(
                f"proposal {decision.proposal_id!r} is not open (its text or evidence has changed, "
                "or it was decided before); print them again with `calmkb reflect --json`"
            )
        if decision.proposal_id in taken:
            raise CalmError(f"proposal {decision.proposal_id!r} is decided twice; keep one")
        taken[decision.proposal_id] = decision
    return taken


def _memory(
    proposal: Proposal,
    decision: Decision,
    *,
    now: datetime,
    reviewer: str,
    id: str,  # noqa: A002
) -> Memory:
    text = decision.text.strip() or proposal.text
    sources = tuple(dict.fromkeys(item.source for item in proposal.evidence))
    importance = decision.importance
    return Memory(
        id=id,
        created_at=now,
        text=text,
        category=decision.category or proposal.category,
        importance=proposal.importance if importance is None else importance,
        confidence=proposal.confidence,
        scope=decision.scope or proposal.scope,
        paths=decision.paths or proposal.paths,
        origin=proposal.origin if text == proposal.text else "person",
        approved_by=reviewer,
        supersedes=decision.into if decision.action == "replace" else "",
        # What the learning is based on, and what an analyst thought where one did.
        why="\n\n".join(filter(None, [_met(proposal), proposal.reasoning])),
        evidence=proposal.evidence,
        sources=sources,
        tags=proposal.tags,
    )


def _met(proposal: Proposal) -> str:
    if not proposal.evidence:
        return "An agent proposed it and cited no session."
    sessions = len({item.source for item in proposal.evidence})
    projects = len({item.project for item in proposal.evidence})
    first, last = proposal.evidence[0].date, proposal.evidence[-1].date
    if sessions == 1:
        return f"Seen in one session, on {first}."
    span = f"between {first} and {last}" if first != last else f"on {first}"
    where = f" in {projects} projects" if projects > 1 else ""
    return f"Seen in {sessions} sessions{where}, {span}."
