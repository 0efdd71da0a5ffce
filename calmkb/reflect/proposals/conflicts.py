"""Proposals of one batch that say the opposite of each other: a person must see both."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from calmkb.model import Proposal
from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.opposites.defaults import defaults_differ, defaults_of
from calmkb.reflect.proposals.merging import newest
from calmkb.reflect.statements.wording import confidence_of


def with_conflicts(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Return the proposals, opposite ones with the other's words and as sure as they have more.

    Of two that are about one subject one may say the opposite.
    """
    by_id = {one.id: one for one in proposals}
    against: dict[str, dict[str, Any]] = {}
    for one in proposals:
        others = [*map(by_id.__getitem__, one.alike), *_other_defaults(one, proposals)]
        if opposed := [it for it in others if contradicts(one.text, it.text)]:
            order = "a later" if newest(opposed[0]) > newest(one) else "another"
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
