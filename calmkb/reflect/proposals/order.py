"""Proposals in the order in which a person is asked, and no subject twice among ten."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from calmkb.model import Proposal
from calmkb.reflect.similarity.methods import POSSIBLE, Method
from calmkb.reflect.similarity.terms import topics

TEN = 10  # proposals that a review shows at once
_MOST = 60  # proposals that are told apart by their subject, from the best
_OF_MANY = 0.15
"""The chance of one trouble from which two are about one subject where others take the place: of
nine pairs of three teams between it and `POSSIBLE` four were, and to wait costs little."""
_NAMED = re.compile(r"`(?:([^`\s]+ [^`\s]+(?: [^`\s-]\S*)?)[^`]*|([\w.]+\(\)))`")
_WHEN = re.compile(r"(?:after|before|if|once|when|whenever|while) ([^,:;`]+),", re.IGNORECASE)


def one_a_subject(proposals: Sequence[Proposal], method: Method) -> tuple[Proposal, ...]:
    """Return the proposals, in the first ten only the best about one subject.

    Two are about one subject where their words or quotes may tell of one trouble, or they name a
    command or function, or begin with a circumstance, that is the same.
    """
    first, chance = proposals[:_MOST], _OF_MANY if len(proposals) > TEN else POSSIBLE
    texts = [(row, one.text) for row, one in enumerate(first)]
    quotes = [(row, item.quote) for row, one in enumerate(first) for item in one.evidence]
    alike = {
        (said[one][0], said[other][0])
        for said in (texts, quotes)
        for one, other, _ in method.near([t for _, t in said], None, method.cosine(chance))
    }
    about = [_subject(text) for _, text in texts]
    alike |= {(row, at) for row, one in enumerate(about) for at, it in enumerate(about) if one & it}
    rows = range(len(first))
    beside = [[first[at].id for at in rows if at != row and (row, at) in alike] for row in rows]
    marked = [replace(one, alike=tuple(ids)) for one, ids in zip(first, beside, strict=True)]
    ten = differing(marked)
    return (*ten, *(one for one in marked if one not in ten), *proposals[_MOST:])


def differing(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Return the first proposals, ten at most, of which no two are about one subject."""
    ten: list[Proposal] = []
    for one in proposals:
        if len(ten) < TEN and not any(other.id in one.alike for other in ten):
            ten.append(one)
    return tuple(ten)


def _subject(text: str) -> set[tuple[str, ...]]:
    """Return what commands and functions a text names, and each two words of its circumstance."""
    when = _WHEN.match(text)
    return {*_NAMED.findall(text), *combinations(sorted(topics(when[1]) if when else ()), 2)}
