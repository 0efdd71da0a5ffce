"""Proposals in the order in which a person is asked, and no subject twice among ten."""

import re
from collections.abc import Sequence

from calmkb.model import Proposal
from calmkb.reflect.proposals.merging import rank
from calmkb.reflect.proposals.scopes import Sources
from calmkb.reflect.similarity.methods import POSSIBLE, Method

TEN = 10
"""Proposals that a review shows at once."""
_MOST = 60
"""Proposals that are told apart by their subject, from the best."""
_COMMAND = re.compile(r"`([^`\s]+ [^`\s]+(?: [^`\s-]\S*)?)[^`]*`")


def by_importance(proposals: Sequence[Proposal], sources: Sources) -> tuple[Proposal, ...]:
    """Return the proposals by importance, then by the people and the sessions that say it.

    Of equals, those that cost most turns come first.
    """
    return tuple(
        sorted(
            proposals,
            key=lambda one: (
                -one.importance,
                -sources.people(one.evidence),
                -sources.sessions(one.evidence),
                -one.turns,
                rank(one),
            ),
        )
    )


def one_a_subject(proposals: Sequence[Proposal], method: Method) -> tuple[Proposal, ...]:
    """Return the proposals, in each ten only the best about one subject; others wait for the next.

    Two are about one subject where their words or quotes may tell of one trouble, or they name the
    same command.
    """
    first = proposals[:_MOST]
    commands = [set(_COMMAND.findall(one.text)) for one in first]
    texts = [(row, one.text) for row, one in enumerate(first)]
    quotes = [(row, item.quote) for row, one in enumerate(first) for item in one.evidence]
    near = {
        frozenset((said[one][0], said[other][0]))
        for said in (texts, quotes)
        for one, other, _ in method.near([t for _, t in said], None, method.cosine(POSSIBLE))
    }
    tens: list[list[int]] = [[] for _ in first]
    for row in range(len(first)):
        next(
            ten for ten in tens
            if len(ten) < TEN and not any(
                frozenset((row, other)) in near or commands[row] & commands[other] for other in ten
            )
        ).append(row)  # fmt: skip
    return (*(first[row] for ten in tens for row in ten), *proposals[_MOST:])
