"""The FTS5 expression of a query, as dear as a large journal can afford."""

from collections.abc import Iterable

from calmkb.store.index.index import Index
from calmkb.store.index.schema import mark
from calmkb.store.index.search_query import Query, Wanted

BUDGET = 5_000
"""Records that are ranked by words that occur in many: a microsecond and a half each."""


def expression(index: Index, query: Query, wanted: Wanted) -> str:
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
