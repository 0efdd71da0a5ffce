"""Proposals that say the same made one: the clearest words, all of the evidence."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from calmkb.model import CONFIDENCES, Confidence, Evidence, Proposal
from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.proposals.scopes import Sources
from calmkb.reflect.similarity.clusters import cluster
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.mined import is_failure
from calmkb.reflect.statements.wording import confidence_of, risen


def evidence_digest(evidence: Iterable[Evidence]) -> str:
    """Return 16 hex digits that change with what is quoted and where it is from."""
    lines = sorted(f"{item.source}\0{item.quote}" for item in evidence)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def identified(proposal: Proposal) -> Proposal:
    """Return the proposal with the id that its text and evidence fix: approval binds to both."""
    bound = f"{proposal.text}\0{proposal.evidence_hash}"
    return replace(proposal, id="P-" + hashlib.sha256(bound.encode()).hexdigest()[:10])


def merge_same(
    proposals: list[Proposal], level: float, method: Method, sources: Sources, kept: Store | None
) -> list[Proposal]:
    """Merge proposals whose texts say the same, the most important one's words kept."""
    ranked = by_importance(proposals, sources)
    if len(ranked) < 2:
        return ranked
    texts = [proposal.text for proposal in ranked]
    inputs = [method.key, level, *texts]
    groups = memoized(kept, "merged", inputs, lambda: cluster(method.vectors(texts), level))
    parts = [[ranked[row] for row in part] for rows in groups for part in agreeing(texts, rows)]
    return [_merge(part, sources) if len(part) > 1 else part[0] for part in parts]


def agreeing(texts: Sequence[str], places: Iterable[int]) -> list[list[int]]:
    """Return the places of texts in parts, in their order, so that no two of a part are opposed."""
    parts: list[list[int]] = []
    for at in places:
        fits = (part for part in parts if not any(opposed(texts[o], texts[at]) for o in part))
        if (part := next(fits, None)) is None:
            parts.append([at])
        else:
            part.append(at)
    return parts


def _merge(same: list[Proposal], sources: Sources) -> Proposal:
    evidence = sorted(
        dict.fromkeys(item for proposal in same for item in proposal.evidence),
        key=lambda item: (item.date, item.source, item.quote),
    )
    sessions = sources.sessions(evidence)
    ours = all(proposal.source for proposal in same)  # what an agent gave stays as it is
    more = sessions - sources.sessions(same[0].evidence) if ours else 0
    return identified(
        replace(
            same[0],
            importance=risen(max(proposal.importance for proposal in same), more),
            confidence=_surest(same, sessions),
            scope=sources.scope(evidence) if evidence else same[0].scope,
            evidence=tuple(evidence),
            evidence_hash=evidence_digest(evidence),
            paths=same[0].paths if len({p.paths for p in same}) == 1 else (),
            turns=sum(proposal.turns for proposal in same),
            held="" if any(proposal.waiting for proposal in same) else same[0].held,
            waiting=tuple(one for proposal in same for one in proposal.waiting),
            tags=tuple(dict.fromkeys(tag for proposal in same for tag in proposal.tags)),
            supersedes=next((p.supersedes for p in same if p.supersedes), ""),
        )
    )


def _surest(same: list[Proposal], sessions: int) -> Confidence:
    """Return the confidence of several proposals in one; failures alone make none surer."""
    if any(is_failure(one.text) and one.source == "mined" for one in same):
        return max((one.confidence for one in same), key=CONFIDENCES.index)
    return confidence_of(sessions)


def by_importance(proposals: Iterable[Proposal], sources: Sources) -> list[Proposal]:
    """Return the proposals by importance, which a proved remedy raises.

    Of equals those first that more people, then more sessions said, cost most, and are newest.
    """
    return sorted(
        proposals,
        key=lambda one: (
            -one.importance,
            -sources.people(one.evidence),
            -sources.sessions(one.evidence),
            -one.turns,
            -date.fromisoformat(newest(one)).toordinal(),
        ),
    )


def newest(proposal: Proposal) -> str:
    """Return the day of the last of what a proposal is based on, an early one where of nothing."""
    return max((item.date for item in proposal.evidence), default="0001-01-01")
