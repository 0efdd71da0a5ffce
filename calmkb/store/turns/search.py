"""Finds turns by words: BM25, then what is around a hit counts too; the best by session.

What is asked weeks later is said in other words than in the session; an answer is near the turn
that shares words with the question, and in a session that does so more than once.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calmkb.store.turns.words import mark, signs_apart

CANDIDATES = 400
BUDGET = 30_000
"""Turns that are ranked by words that stand in many: two microseconds each."""
NEIGHBOURS = 0.3
"""What the words beside a hit add, where its own count 1."""
SECOND = 0.5
"""What the second moment of a session adds to the session, and the third the half of that."""
_OF_A_SESSION = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsWanted:
    """What is asked: terms of FTS5, and filters that are off when empty; times since 1970."""

    terms: tuple[str, ...]
    who: str = ""
    files: tuple[str, ...] = ()
    tool: str = ""
    errors: bool = False
    projects: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    since: int = 0


@dataclass(frozen=True, slots=True)
class TurnFound:
    """A turn that was found, by the row of its session, and how well it fits."""

    row: int
    session: int
    line: int
    place: int
    frame: int
    is_tool: bool
    score: float


def search_turns(
    db: sqlite3.Connection, wanted: TurnsWanted, near: Mapping[int, float] | None = None
) -> list[TurnFound]:
    """Return the turns that fit, best first; `near` are rows with what their meaning adds."""
    by_words = _by_words(db, wanted)
    scores = _scaled(by_words)
    for row, level in _fitting(db, wanted, near or {}).items():
        scores[row] = scores.get(row, 0.0) + level
    found = _places(db, scores)
    return sorted(_in_context(found), key=lambda one: (-one.score, one.row))


def _by_words(db: sqlite3.Connection, wanted: TurnsWanted) -> dict[int, float]:
    asked = _expression(db, wanted)
    if not asked:
        return {}
    if not wanted.terms:  # filters alone: the newest turns that they let through
        ranked = "SELECT rowid AS found, 1.0 AS score FROM texts WHERE texts MATCH ?"
        order = "at DESC, found DESC"
    else:
        ranked = "SELECT rowid AS found, -rank AS score FROM texts WHERE texts MATCH ?"
        order = "score DESC"
        if not wanted.since:  # FTS5 itself finds the best before any turn is looked at
            ranked += f" ORDER BY rank LIMIT {CANDIDATES}"
    rows = db.execute(
        f"SELECT found, score FROM ({ranked}) JOIN turns ON turns.row = found "  # noqa: S608
        f"WHERE at >= ? ORDER BY {order} LIMIT {CANDIDATES}",
        (asked, wanted.since),
    )
    return dict(rows.fetchall())


def _fitting(
    db: sqlite3.Connection, wanted: TurnsWanted, near: Mapping[int, float]
) -> dict[int, float]:
    """Return those of the rows that the filters let through."""
    asked = _narrowed(wanted)
    if not asked and not wanted.since:
        return dict(near)
    match = "texts MATCH ? AND" if asked else ""
    joined = "texts JOIN turns ON turns.row = texts.rowid"
    test = f"SELECT at FROM {joined} WHERE {match} texts.rowid = ?"  # noqa: S608
    kept = {}
    for row, level in near.items():
        found = db.execute(test, [*([asked] if asked else []), row]).fetchone()
        if found and found[0] >= wanted.since:
            kept[row] = level
    return kept


def _expression(db: sqlite3.Connection, wanted: TurnsWanted) -> str:
    """Return the FTS5 expression; nothing where no word is known."""
    narrowed = _narrowed(wanted)
    if not wanted.terms:
        return narrowed
    terms = _affordable(db, [signs_apart(term) for term in wanted.terms])
    if not terms:
        return ""
    words = f"({' OR '.join(terms)})"  # marks are no words that anybody types
    return f"{words} AND {narrowed}" if narrowed else words


def _narrowed(wanted: TurnsWanted) -> str:
    marks = [
        [mark("who", wanted.who)] if wanted.who else [],
        [mark("tool", wanted.tool)] if wanted.tool else [],
        [mark("error", "")] if wanted.errors else [],
        [mark("project", name) for name in wanted.projects]
        + [mark("repository", name) for name in wanted.repositories],
    ]
    parts = [f"marks : ({' OR '.join(words)})" for words in marks if words]
    parts += [f'{{files did got}} : "{_quoted(name)}"' for name in wanted.files]
    return " AND ".join(f"({part})" for part in parts)


def _quoted(text: str) -> str:
    return text.replace('"', " ")


def _affordable(db: sqlite3.Connection, terms: Sequence[str]) -> list[str]:
    """Return the rarest of the terms, as many as may be ranked; at least one that is there."""
    counts = {term: _count(db, term) for term in dict.fromkeys(terms)}
    chosen: list[str] = []
    spent = 0
    for term in sorted((one for one in counts if counts[one]), key=lambda one: counts[one]):
        spent += counts[term]
        if chosen and spent > BUDGET:
            break
        chosen.append(term)
    return chosen


def _count(db: sqlite3.Connection, term: str) -> int:
    asked = "SELECT count(*) FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ?)"
    found: tuple[int] = db.execute(asked, (term, BUDGET)).fetchone()
    return found[0]


def _places(db: sqlite3.Connection, scores: Mapping[int, float]) -> list[TurnFound]:
    asked = (
        "SELECT row, session, line, place, frame, is_tool FROM turns "
        "WHERE row IN (SELECT value FROM json_each(?))"
    )
    rows = db.execute(asked, (json.dumps(list(scores)),))
    return [
        TurnFound(row, session, line, place, frame, bool(is_tool), scores[row])
        for row, session, line, place, frame, is_tool in rows
    ]


def _in_context(found: Iterable[TurnFound]) -> list[TurnFound]:
    """Return the turns with what the words beside them add to their score."""
    turns = list(found)
    at: dict[tuple[int, int], float] = defaultdict(float)
    for one in turns:
        at[one.session, one.place] = max(at[one.session, one.place], one.score)

    def beside(one: TurnFound) -> float:
        return max(at.get((one.session, one.place + step), 0.0) for step in (-1, 1))

    return [replace(one, score=one.score + NEIGHBOURS * beside(one)) for one in turns]


def best_sessions(
    found: Sequence[TurnFound], sessions: int, moments: int, *, apart: bool = True
) -> list[tuple[TurnFound, ...]]:
    """Return the best turns of the best sessions; with `apart` none that a better one shows.

    `found` are best first. A session counts by its three best.
    """
    groups: dict[int, list[TurnFound]] = defaultdict(list)
    for one in found:
        group = groups[one.session]
        if len(group) < moments and not (apart and any(_beside(one, other) for other in group)):
            group.append(one)

    def worth(group: Sequence[TurnFound]) -> float:
        return sum(one.score * SECOND**rank for rank, one in enumerate(group[:_OF_A_SESSION]))

    best = sorted(groups.values(), key=lambda group: (-worth(group), group[0].row))
    return [tuple(group) for group in best[:sessions]]


def _beside(one: TurnFound, other: TurnFound) -> bool:
    """Return whether a turn is among the words that are shown with another."""
    return not one.is_tool and abs(one.place - other.place) <= 1


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    most = max(scores.values(), default=0.0)
    return {row: score / most if most > 0 else 0.0 for row, score in scores.items()}
