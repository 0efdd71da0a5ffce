"""Proposals in the order of their expected use."""

from collections.abc import Sequence

from calmkb.model import Proposal
from calmkb.reflect.proposals.merging import rank
from calmkb.reflect.proposals.scopes import Sources
from calmkb.reflect.similarity.methods import Method
from calmkb.reflect.statements.statements import Statement

NEAR = 0.2
"""The cosine from which a statement speaks of the same things."""
NEWEST = 2_000
"""Statements that are looked at, the newest: 0.3 s."""


def by_expected_use(
    proposals: Sequence[Proposal], statements: Sequence[Statement], method: Method, sources: Sources
) -> tuple[Proposal, ...]:
    """Return the proposals by importance, and by the people and the sessions that say it.

    Of equals, those about what most sessions deal with come first.

    What the next sessions will deal with is not known; what the last ones did is. Of 24 rules that
    a team wrote down later, 10 are near one of the first 60 proposals; by their dates alone, 8.
    """
    recent = statements[-NEWEST:]
    texts = [one.text for one in proposals]
    sessions: list[set[str]] = [set() for _ in proposals]
    for row, other, _ in method.near(texts, [one.text for one in recent], NEAR):
        sessions[row].add(recent[other].witness)
    order = sorted(
        zip(proposals, sessions, strict=True),
        key=lambda one: (
            -one[0].importance,
            -sources.people(one[0].evidence),
            -sources.sessions(one[0].evidence),
            -len(one[1]),
            rank(one[0]),
        ),
    )
    return tuple(proposal for proposal, _ in order)
