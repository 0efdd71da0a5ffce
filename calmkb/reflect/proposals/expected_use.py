"""Proposals in the order of their expected use, and no subject twice among ten."""

import re
from collections.abc import Sequence

from calmkb.model import Proposal
from calmkb.reflect.proposals.merging import rank
from calmkb.reflect.proposals.scopes import Sources
from calmkb.reflect.similarity.methods import POSSIBLE, Method
from calmkb.reflect.statements.statements import Statement

NEAR = 0.2
"""The cosine from which a statement speaks of the same things."""
NEWEST = 2_000
"""Statements that are looked at, the newest: 0.3 s."""
TEN = 10
"""Proposals that a review shows at once."""
_MOST = 60
"""Proposals that are told apart by their subject, from the best."""
_COMMAND = re.compile(r"`([^`\s]+ [^`\s]+(?: [^`\s-]\S*)?)[^`]*`")


def by_expected_use(
    proposals: Sequence[Proposal], statements: Sequence[Statement], method: Method, sources: Sources
) -> tuple[Proposal, ...]:
    """Return the proposals by importance, and by the people and the sessions that say it.

    Of equals, those that cost most turns come first, then what most sessions deal with.

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
            -one[0].turns,
            -len(one[1]),
            rank(one[0]),
        ),
    )
    return tuple(proposal for proposal, _ in order)


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
