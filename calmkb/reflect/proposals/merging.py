"""Proposals that say the same made one: the clearest words, all of the evidence."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from calmkb.model import CONFIDENCES, Confidence, Evidence, Proposal
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
    proposals: list[Proposal], duplicate: float, method: Method, sources: Sources
) -> list[Proposal]:
    """Merge proposals whose texts say the same, the most important one's words kept."""
    ranked = sorted(proposals, key=rank)
    if len(ranked) < 2:
        return ranked
    vectors = method.vectors([proposal.text for proposal in ranked])
    merged = []
    for rows in cluster(vectors, duplicate):
        first = ranked[rows[0]]
        same = [row for row in rows if not opposed(first.text, ranked[row].text)]
        merged.append(_merge([ranked[row] for row in same], sources) if len(same) > 1 else first)
        merged += [ranked[row] for row in rows if row not in same]
    return merged


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


def rank(proposal: Proposal) -> tuple[float, int, int, str]:
    """Order by importance, then by the sessions that say it, the newest first; never by kind."""
    newest = max(
        (date.fromisoformat(item.date).toordinal() for item in proposal.evidence), default=0
    )
    sessions = len({item.source for item in proposal.evidence})
    return (-proposal.importance, -sessions, -newest, proposal.text)
