"""Proposals of one batch that say the opposite of each other: a person must see both."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from calmkb.model import Proposal
from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.opposites.defaults import defaults_differ, defaults_of
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.wording import confidence_of

_MOST = 60  # proposals that are compared, from the best: nobody looks at more at once


def with_conflicts(
    proposals: Sequence[Proposal], duplicate: float, method: Method
) -> tuple[Proposal, ...]:
    """Return the proposals, opposite ones with the other's words and as sure as they have more."""
    first = proposals[:_MOST]
    if len(first) < 2:
        return tuple(proposals)
    near: dict[int, list[int]] = {}
    for row, at, _ in method.near([one.text for one in first], None, duplicate * CONFLICT_SHARE):
        near.setdefault(row, []).append(at)
    against: dict[str, dict[str, Any]] = {}
    for row, one in enumerate(first):
        beside = (first[at] for at in near.get(row, ()) if at != row)
        others = [*beside, *_other_defaults(one, proposals)]
        if opposed := [it for it in others if contradicts(one.text, it.text)]:
            order = "a later" if _newest(opposed[0]) > _newest(one) else "another"
            words = one.contradicts or f"{order} proposal: {opposed[0].text}"
            theirs = {item.source for it in opposed for item in it.evidence}
            more = len({item.source for item in one.evidence}) - len(theirs)
            against[one.id] = {"contradicts": words, "confidence": confidence_of(more)}
    return tuple(replace(one, **against.get(one.id, {})) for one in proposals)


def _other_defaults(one: Proposal, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals that say another default of the same thing, however they say it."""
    if not defaults_of(one.text):
        return []
    return [it for it in proposals if defaults_differ(one.text, it.text)]


def _newest(proposal: Proposal) -> str:
    return max((item.date for item in proposal.evidence), default="")
