"""Search: BM25 over title, friction and the rest, then the records around each hit.

A session is understood from its surroundings: the sessions right before and after it in the same
project, and the project's day. Each of the three scores is scaled to 0 to 1 and they are summed,
which on LoCoMo finds more than reciprocal-rank fusion does.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from calmkb.store.index.index import Index
from calmkb.store.index.schema import has_full_text, mark
from calmkb.store.index.search_query import Query, Wanted, read_query

K = TypeVar("K", bound=Hashable)
NEIGHBOURS, DAY = 0.4, 0.6
"""What a hit's neighbours and its day add, where its own words count 1."""
BUDGET = 5_000
"""Records that are ranked by words that occur in many: a microsecond and a half each."""
CANDIDATES = 200
CHARACTERS_A_TOKEN = 4
_BEFORE, _AFTER = 1.0, 0.6
_OF_A_DAY = 3
_DAY_MICROSECONDS = 86_400_000_000


@dataclass(frozen=True)
class Match:
    """A row of the index, how well it fits (best first), and the words found in it."""

    row: int
    score: float
    snippet: str


_LONG = 8_000
"""Characters above which FTS5 makes no snippet: it takes the square of how often a word is there,
25 s where it is there 25,000 times."""


@dataclass(frozen=True)
class Candidate:
    """A row with its BM25 score (more is better) and its place: project, time, row before."""

    row: int
    score: float
    project: str
    created: int
    before: int | None
    id: str


def search(index: Index, wanted: Wanted) -> list[Match]:
    """Return the records that hold any of the words, best first; none from a file edited since.

    Text that is not cut into words (Chinese, Japanese) or half a word is found as a plain string.
    """
    query = read_query(wanted.query)
    matches = _search(index, query, wanted) if query.words else []
    if not index.verify([match.row for match in matches]):
        matches = _search(index, query, wanted)
    return matches


def _search(index: Index, query: Query, wanted: Wanted) -> list[Match]:
    full_text = has_full_text(index.db)
    asked = _expression(index, query, wanted) if full_text else ""
    found = _candidates(index, asked, wanted) if asked else []
    if not found:
        return _scan(index, query, wanted)
    scores = in_context(found)
    best = sorted(found, key=lambda c: (-scores[c.row], -c.created, c.id))[: wanted.limit]
    snippets = _snippets(index, asked, [candidate.row for candidate in best], query.words)
    return [Match(c.row, scores[c.row], snippets.get(c.row, "")) for c in best]


def in_context(found: Sequence[Candidate]) -> dict[int, float]:
    """Return each candidate's score with its neighbours' and its day's."""
    own = _scaled({c.row: c.score for c in found})
    beside: dict[int, float] = defaultdict(float)
    days: dict[tuple[str, int], list[float]] = defaultdict(list)
    for c in found:
        days[_day(c)].append(own[c.row])
        if c.before is not None and c.before in own:
            beside[c.row] += _BEFORE * own[c.before]
            beside[c.before] += _AFTER * own[c.row]
    near = _scaled(beside)
    sums = {day: sum(sorted(scores)[-_OF_A_DAY:]) for day, scores in days.items()}
    day_scores = _scaled(sums)
    return {
        c.row: own[c.row] + NEIGHBOURS * near.get(c.row, 0.0) + DAY * day_scores[_day(c)]
        for c in found
    }


def _day(candidate: Candidate) -> tuple[str, int]:
    return candidate.project, candidate.created // _DAY_MICROSECONDS


def _scaled(scores: Mapping[K, float]) -> dict[K, float]:
    """Return the scores as parts of the highest."""
    highest = max(scores.values(), default=0.0)
    return {key: score / highest if highest > 0 else 0.0 for key, score in scores.items()}


def _candidates(index: Index, matching: str, wanted: Wanted) -> list[Candidate]:
    tests, values = _filters(wanted)
    # Without a date, FTS5 itself finds the best before any record is looked at.
    ranked = "SELECT rowid AS row, -rank AS score FROM texts WHERE texts MATCH ? "
    if wanted.since is None:
        ranked += f"ORDER BY rank LIMIT {CANDIDATES}"
    asked = (
        "SELECT t.row, t.score, r.project, r.created, (SELECT b.row FROM records b "  # noqa: S608
        "WHERE b.project = r.project AND b.kind = r.kind AND (b.created, b.id) < "
        "(r.created, r.id) ORDER BY b.created DESC, b.id DESC LIMIT 1), r.id "
        f"FROM ({ranked}) t CROSS JOIN records r ON r.row = t.row WHERE 1 {tests} "
        f"ORDER BY t.score DESC, r.id LIMIT {CANDIDATES}"
    )
    rows = index.db.execute(asked, [matching, *values]).fetchall()
    return [Candidate(*row) for row in rows]


def _filters(wanted: Wanted) -> tuple[str, list[object]]:
    tests = ["AND r.successor IS NULL"]
    values: list[object] = []
    if wanted.kind:
        tests.append("AND r.kind = ?")
        values.append(wanted.kind)
    if wanted.project:
        test, named = wanted.project.test()
        tests.append(f"AND {test}")
        values += named
    if wanted.since is not None:
        tests.append("AND r.created >= ?")
        values.append(wanted.since)
    return " ".join(tests), values


def _snippets(
    index: Index, matching: str, rows: Iterable[int], words: tuple[str, ...]
) -> dict[int, str]:
    asked = (
        "SELECT rowid, snippet(texts, -1, '', '', '…', 16) FROM texts "
        "WHERE texts MATCH ? AND rowid = ?"
    )
    found = {}
    for row in rows:
        long = index.db.execute(
            "SELECT kind, record FROM records WHERE row = ? AND characters > ?", (row, _LONG)
        ).fetchone()
        if long:
            from calmkb.store.index.scan import surroundings

            kind, record = long
            found[row] = surroundings(kind, record, words)
        elif shown := index.db.execute(asked, (matching, row)).fetchone():
            found[row] = " ".join(shown[1].split())
    return found


def _scan(index: Index, query: Query, wanted: Wanted) -> list[Match]:
    """Return the newest records that hold every word as a plain string."""
    from calmkb.store.index.scan import holds, pattern

    tests, values = _filters(wanted)
    likes = " ".join("AND r.record LIKE ? ESCAPE '!'" for _ in query.words)
    asked = (
        f"SELECT r.row, r.kind, r.record FROM records r WHERE 1 {likes} {tests} "  # noqa: S608
        "ORDER BY r.created DESC, r.id DESC"
    )
    rows = index.db.execute(asked, [*(pattern(word) for word in query.words), *values])
    matches = []
    for row, kind, record in rows:
        snippet = holds(kind, record, query.words)
        if snippet is not None:
            matches.append(Match(row, 0.0, snippet))
        if len(matches) == wanted.limit:
            break
    return matches


def _expression(index: Index, query: Query, wanted: Wanted) -> str:
    """Return the FTS5 expression that finds any of the words; nothing if none is there.

    In a large journal the words that occur in many records count only where all of them meet, as
    ranking by each would take tenths of a second and hardly move what is found first.
    """
    marks = [[mark(name, value) for value in values] for name, values in wanted.marked() if values]
    narrowed = "".join(f" AND marks : {_any(_quoted(words))}" for words in marks)
    terms = list(query.terms)
    # Where the word itself is found, its beginning would bring in others: `docs*` finds docker.
    if query.beginning and not _count(index, _within_texts(terms[-1]) + narrowed):
        terms.append(query.beginning)
    if _size(index) > BUDGET:
        terms = _affordable(index, terms, narrowed)
    return _within_texts(_any(terms)) + narrowed if terms else ""


def _any(terms: Iterable[str]) -> str:
    return f"({' OR '.join(terms)})"


def _quoted(words: Iterable[str]) -> list[str]:
    return [f'"{word}"' for word in words]


def _within_texts(expression: str) -> str:
    return f"({{title friction rest}} : ({expression}))"


def _affordable(index: Index, terms: list[str], narrowed: str) -> list[str]:
    def count(term: str) -> int:
        return _count(index, _within_texts(term) + narrowed)

    counts = {term: count(term) for term in terms}
    rare: list[str] = []
    common: list[str] = []
    spent = 0
    for term in sorted((term for term in terms if counts[term]), key=counts.__getitem__):
        spent += counts[term]
        (rare if spent <= BUDGET else common).append(term)
    together = " AND ".join(common if len(common) > 1 or not rare else [*common, _any(rare)])
    if common and not rare and not count(together):
        return common[:1]
    return rare + ([f"({together})"] if common else [])


def _count(index: Index, expression: str) -> int:
    asked = "SELECT count(*) FROM texts WHERE texts MATCH ?"
    found: tuple[int] = index.db.execute(asked, (expression,)).fetchone()
    return found[0]


def _size(index: Index) -> int:
    found = index.db.execute("SELECT max(row) FROM records").fetchone()
    return found[0] or 0
