"""What is tried where full text finds nothing or is not there: plain strings, words nearly so."""

import json
import sqlite3

from calmkb.store.index.records import texts_of, unpack
from calmkb.store.index.schema import has_full_text
from calmkb.store.index.search_query import read_query

_AROUND = 40
_TYPED = 80  # characters of a query whose words are compared with all that records hold
_NEAR = 0.82
"""How alike two words are, by `difflib`: of six letters one may be wrong, of four one missing."""


def respelled(db: sqlite3.Connection, text: str) -> str:
    """Return the words of a query, each as the nearest that a record has; "" if none is near."""
    from difflib import get_close_matches

    from snowballstemmer import stemmer

    if len(text) > _TYPED or not has_full_text(db):
        return ""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, texts, row)")
    terms = [term for (term,) in db.execute("SELECT term FROM temp.terms")]
    words, near = read_query(text).words, list[str]()
    for word in stemmer("porter").stemWords([one.casefold() for one in words]):
        turned = [term for term in terms if sorted(term) == sorted(word)]
        near += get_close_matches(word, terms, 1, _NEAR) or turned[:1]
    return " ".join(near)


def pattern(word: str) -> str:
    """Return the LIKE pattern of a record that may hold `word`; `!` escapes."""
    packed = json.dumps(word)[1:-1]
    for special in "!%_":
        packed = packed.replace(special, f"!{special}")
    return f"%{packed}%"


def holds(kind: str, record: str, words: tuple[str, ...]) -> str | None:
    """Return the surroundings of the first of `words` if the record's texts hold all, or None."""
    text = _text(kind, record)
    low = text.casefold()
    if not all(word.casefold() in low for word in words):
        return None
    return _around(text, low.find(words[0].casefold()), len(words[0]))


def surroundings(kind: str, record: str, words: tuple[str, ...]) -> str:
    """Return what is around the first place in the record's texts that holds any of `words`."""
    text = _text(kind, record)
    low = text.casefold()
    places = [(at, len(word)) for word in words if (at := low.find(word.casefold())) >= 0]
    return _around(text, *min(places, default=(0, 0)))


def _text(kind: str, record: str) -> str:
    return " ".join("\n".join(texts_of(unpack(kind, json.loads(record)))).split())


def _around(text: str, at: int, length: int) -> str:
    start, end = max(0, at - _AROUND), max(0, at - _AROUND) + 2 * _AROUND + length
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
