"""Statements in themes, at a cost that hardly grows with the journal.

A window votes, the rest joins: `communities` looks at the newest `WINDOW` texts alone, older ones
join the theme that their neighbours are of, and what none takes is clustered by itself. That is
done anew only when the journal has grown by a twentieth, at a checkpoint that the number of
statements alone fixes; those said since join in the same way. So the themes hang on the statements
and on nothing else, and the costly part can be kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.proposals.wording import choose_statement
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.clusters import closenesses, cluster
from calmkb.reflect.themes.assign import WINDOW, homes
from calmkb.reflect.themes.communities import communities, votes_of_first
from calmkb.reflect.themes.memo import Groups, Memo, kept

_FEW, _TWENTIETH = 300, 20


@dataclass(frozen=True, slots=True)
class Themed:
    """Distinct texts, and themes of them: row numbers, the one that speaks for a theme first."""

    texts: list[str]
    groups: Groups


def checkpoint(count: int) -> int:
    """Return up to where `count` statements are settled: all if few, else all but a twentieth."""
    if count <= _FEW:
        return count
    last = _FEW
    while (further := last + last // _TWENTIETH) <= count:
        last = further
    return last


def themed(statements: Sequence[Statement], method: Method, memo: Memo | None = None) -> Themed:
    """Return the texts of `statements` (oldest first) in themes; `memo` keeps what is settled."""
    at = checkpoint(len(statements))
    old = _distinct(statements[:at])
    known = {one.text for one in old}
    new = [one for one in _distinct(statements[at:]) if one.text not in known]
    groups = kept(memo, [one.text for one in old], method, lambda: settled(old, method))
    said = [*old, *new]
    texts = [one.text for one in said]
    if new:
        taken, rest = homes(texts, groups, range(len(old), len(said)), method)
        grown = [_apart(said, *pair) for pair in zip(groups, taken, strict=True)]
        groups = [part for parts in grown for part in parts] + _spoken_for(said, rest, method)
    return Themed(texts, groups)


def settled(said: Sequence[Statement], method: Method) -> Groups:
    """Return statements of distinct texts in themes: row numbers, the one that speaks first.

    It hangs on the texts, in their order, and on `method` alone.
    """
    texts = [one.text for one in said]
    if not texts:
        return []
    start = max(0, len(texts) - WINDOW)
    window = texts[start:]
    views = method.views(window)
    asked = votes_of_first(len(window), len(views))
    first = cluster(method.vectors(window), method.theme) if asked else ()
    votes = communities(views, method.agreement, first=first)
    groups = [[start + row for row in rows] for rows in votes]
    taken, rest = homes(texts, groups, range(start), method)
    grown = [sorted([*rows, *more]) for rows, more in zip(groups, taken, strict=True)]
    return _spoken_for(said, [*grown, *rest], method)


def _distinct(statements: Iterable[Statement]) -> list[Statement]:
    """Return one statement of each text, in the order in which the texts were said last."""
    return list({one.text: one for one in reversed(list(statements))}.values())[::-1]


def _spoken_for(said: Sequence[Statement], groups: Groups, method: Method) -> Groups:
    """Put the row that says best what a group says before the others of it."""
    if all(len(rows) == 1 for rows in groups):
        return groups
    # A text's weight hangs on all texts, those that stand alone too.
    vectors = method.vectors([said[row].text for rows in groups for row in rows])
    places = iter(range(vectors.shape[0]))
    near = closenesses(vectors, [list(islice(places, len(rows))) for rows in groups])
    found = []
    for rows, levels in zip(groups, near, strict=True):
        members = [said[row] for row in rows]
        best = choose_statement(members, levels) if rows[1:] else members[0]
        speaker = rows[members.index(best)]
        found += _apart(said, [speaker], [row for row in rows if row != speaker])
    return found


def _apart(said: Sequence[Statement], rows: list[int], more: list[int]) -> Groups:
    """Add rows to a group; those that say the opposite of its speaker stand alone behind it."""
    speaker = said[rows[0]].text
    against = [row for row in more if contradicts(speaker, said[row].text)]
    lone = set(against)
    return [[*rows, *(row for row in more if row not in lone)], *([row] for row in against)]
