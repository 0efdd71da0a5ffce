"""Proposals of one batch that say the opposite of each other: a person must see both."""

from collections.abc import Sequence
from dataclasses import replace

from calmkb.model import Proposal
from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import similarities

_MOST = 60
"""Proposals that are compared, from the best: nobody looks at more at once."""


def with_conflicts(
    proposals: Sequence[Proposal], duplicate: float, method: Method
) -> tuple[Proposal, ...]:
    """Return the proposals, each of two opposite ones with the other's words and which is later."""
    first = proposals[:_MOST]
    if len(first) < 2:
        return tuple(proposals)
    rows = list(range(len(first)))
    table = similarities(method.vectors([one.text for one in first]), rows, rows)
    against: dict[str, str] = {}
    for row, one in enumerate(first):
        near = (table[row] >= duplicate * CONFLICT_SHARE).nonzero()[0].tolist()
        other = next((first[at] for at in near if at != row and _opposite(one, first[at])), None)
        if other:
            order = "a later" if _newest(other) > _newest(one) else "another"
            against[one.id] = f"{order} proposal: {other.text}"
    return tuple(
        replace(one, contradicts=one.contradicts or against.get(one.id, "")) for one in proposals
    )


def _opposite(one: Proposal, other: Proposal) -> bool:
    return contradicts(one.text, other.text)


def _newest(proposal: Proposal) -> str:
    return max((item.date for item in proposal.evidence), default="")
