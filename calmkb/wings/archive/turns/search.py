"""Finds turns by words, the rare ones first, and what is around a hit.

What is asked weeks later is said in other words than in the session; an answer is near the turn
that shares words with the question.
"""

import json
import math
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest

from calmkb.model.sessions.kept import MomentsWanted
from calmkb.wings.archive.turns.expressions import Term, narrowed
from calmkb.wings.archive.turns.filling import read_levels

CANDIDATES = 400
BUDGET, OF_A_WORD = 40_000, 15_000
"""Turns that are ranked by all words and by one: a word that stands in more tells little."""
NEIGHBOURS = 0.3  # what the words beside a hit add, where its own count 1
_LOOKED_AT = 2_000  # of the best, how many are looked at for a phrase or a project
_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsWanted:
    """What is asked, its words as terms, and the projects that are searched: all where none is.

    The `beginning` is asked for where the last of the terms is in no turn.
    """

    asked: MomentsWanted
    terms: tuple[Term, ...]
    beginning: Term | None
    projects: tuple[str, ...]
    repositories: tuple[str, ...]

    @property
    def filters(self) -> str:
        """The expression of the filters; "" where all are off."""
        return " AND ".join(narrowed(self.asked))

    @property
    def since(self) -> int:
        """The first moment that is searched, in seconds since 1970."""
        day = self.asked.since
        return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) if day else 0


@dataclass(slots=True)
class TurnFound:
    """A turn that was found, by the row of its session, and how well it fits."""

    row: int
    session: int
    line: int
    place: int
    frame: int
    number: int
    is_tool: int
    same: int
    score: float


Accepts = Callable[[Sequence[TurnFound]], Iterable[TurnFound]]
"""Gives those of some turns that hold what only their text can tell, such as a phrase."""


def search_turns(
    db: sqlite3.Connection,
    wanted: TurnsWanted,
    near: Mapping[int, float] | None = None,
    accepts: Accepts | None = None,
) -> list[TurnFound]:
    """Return the turns that fit, best first; `near` are rows with what their meaning adds."""
    sessions = _sessions(db, wanted.projects, wanted.repositories)
    narrows = bool(accepts or wanted.since or sessions is not None)
    meant = _fitting(db, wanted, near or {})
    scores = _by_words(db, wanted, _LOOKED_AT if narrows else CANDIDATES, meant)
    for row, level in meant.items():
        scores[row] = scores.get(row, 0.0) + level
    found = _accepted(db, wanted, scores, sessions, accepts)
    return sorted(_in_context(found), key=lambda one: (-one.score, one.row))


def _by_words(
    db: sqlite3.Connection, wanted: TurnsWanted, most: int, also: Iterable[int]
) -> dict[int, float]:
    """Return the `most` best rows that hold any of the words, and `also`; the best counts 1."""
    if not wanted.terms:  # filters alone: the newest turns that they let through
        return _newest(db, wanted.filters) if wanted.filters else {}
    levels = read_levels(db)
    sums: dict[int, float] = {}
    for worth, rows in _affordable(db, wanted, len(levels)):
        for row in rows:
            sums[row] = sums.get(row, 0.0) + worth
    best = nlargest(most, ((worth * levels[row], -row) for row, worth in sums.items()))
    top = best[0][0] if best else 1.0
    rows = {-row: score / top for score, row in best}
    return rows | {row: sums[row] * levels[row] / top for row in also if row in sums}


def _newest(db: sqlite3.Connection, filters: str) -> dict[int, float]:
    asked = (
        "SELECT row, at FROM texts JOIN turns ON turns.row = texts.rowid WHERE texts MATCH ? "
        "ORDER BY at DESC, row DESC LIMIT ?"
    )
    return {row: float(at) for row, at in db.execute(asked, (filters, _LOOKED_AT))}


def _affordable(
    db: sqlite3.Connection, wanted: TurnsWanted, turns: int
) -> Iterator[tuple[float, Collection[int]]]:
    """Yield the rows of each word with its worth, the rarest first, as many as may be ranked.

    Rows are counted first: to count one takes a seventh of the time to fetch it.
    """
    joined = f" AND {wanted.filters}" if wanted.filters else ""
    expressions = [term.expression + joined for term in dict.fromkeys(wanted.terms)]
    counts = {expression: _count(db, expression) for expression in expressions}
    if wanted.beginning and not counts[expressions[-1]]:
        begun = wanted.beginning.expression + joined
        counts[begun] = _count(db, begun)
    spent = 0
    for number, (count, expression) in enumerate(
        sorted((n, one) for one, n in counts.items() if n)
    ):
        spent += count
        if number and (spent > BUDGET or count > OF_A_WORD):
            return
        yield math.log(1 + (turns - count + 0.5) / (count + 0.5)), _rows(db, expression)


def _count(db: sqlite3.Connection, expression: str) -> int:
    """Return how many rows hold an expression; of one in too many, how many are too many."""
    asked = "SELECT count(*) FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ?)"
    found: tuple[int] = db.execute(asked, (expression, OF_A_WORD + 1)).fetchone()
    return found[0]


def _rows(db: sqlite3.Connection, expression: str) -> list[int]:
    """Return the rows that hold an expression, not all of one that is in too many."""
    asked = (
        "SELECT json_group_array(rowid) FROM (SELECT rowid FROM texts WHERE texts MATCH ? LIMIT ?)"
    )
    rows: list[int] = json.loads(db.execute(asked, (expression, OF_A_WORD + 1)).fetchone()[0])
    return rows


def _fitting(
    db: sqlite3.Connection, wanted: TurnsWanted, near: Mapping[int, float]
) -> dict[int, float]:
    """Return those of the rows that the filters let through."""
    filters = wanted.filters
    if not near or not filters:
        return dict(near)
    test = "SELECT 1 FROM texts WHERE texts MATCH ? AND rowid = ?"
    return {
        row: level for row, level in near.items() if db.execute(test, (filters, row)).fetchone()
    }


def _accepted(
    db: sqlite3.Connection,
    wanted: TurnsWanted,
    scores: Mapping[int, float],
    sessions: set[int] | None,
    accepts: Accepts | None,
) -> Iterator[TurnFound]:
    """Yield the best of the turns that are of the projects, not too old, and accepted."""
    left = CANDIDATES
    best = sorted(scores, key=lambda row: (-scores[row], row))
    for start in range(0, len(best), _BATCH):
        turns = _turns(db, scores, best[start : start + _BATCH], wanted.since)
        own = [one for one in turns if sessions is None or one.session in sessions]
        for one in accepts(own) if accepts else own:
            yield one
            left -= 1
            if not left:
                return


def _sessions(
    db: sqlite3.Connection, projects: Collection[str], repositories: Collection[str]
) -> set[int] | None:
    """Return the sessions of the projects; None where these are all."""
    if not projects and not repositories:
        return None
    named = {name.casefold() for name in projects}
    kept = {name.casefold() for name in repositories}
    rows = db.execute("SELECT row, project, repository FROM sessions").fetchall()
    own = {row for row, project, repository in rows if project in named or repository in kept}
    return own if len(own) < len(rows) else None


def sessions_beside(db: sqlite3.Connection, wanted: TurnsWanted) -> int:
    """Return how many sessions are of other projects than those that are asked for."""
    own = _sessions(db, wanted.projects, wanted.repositories)
    count = int(db.execute("SELECT count(*) FROM sessions").fetchone()[0])
    return 0 if own is None else count - len(own)


def _turns(
    db: sqlite3.Connection, scores: Mapping[int, float], rows: Sequence[int], since: int
) -> list[TurnFound]:
    """Return turns in the order of the rows; rows that lead nowhere are left out."""
    asked = (
        "SELECT row, session, line, place, frame, number, is_tool, same FROM turns "
        "WHERE row IN (SELECT value FROM json_each(?)) AND at >= ?"
    )
    turns = db.execute(asked, (json.dumps(list(rows)), since))
    found: dict[int, TurnFound] = {one[0]: TurnFound(*(*one, scores[one[0]])) for one in turns}
    return [found[row] for row in rows if row in found]


def _in_context(found: Iterable[TurnFound]) -> list[TurnFound]:
    """Return the turns with what the words beside them add to their score."""
    turns = list(found)
    at: dict[tuple[int, int], float] = {}
    for one in turns:
        key = one.session, one.place
        at[key] = max(at.get(key, 0.0), one.score)
    for one in turns:
        before = at.get((one.session, one.place - 1), 0.0)
        after = at.get((one.session, one.place + 1), 0.0)
        one.score += NEIGHBOURS * max(before, after)
    return turns
