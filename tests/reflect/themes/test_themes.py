"""Themes: found in journals of any length, and known by one id as they grow."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.themes import themes as module
from calmkb.reflect.themes.themes import themes

SUBJECTS = {
    "deploy": "the deploy to staging,deploying staging,a staging deployment,staging deploys",
    "lock": "the lock file,a stale lock file,the package lock file,our lock file",
    "clock": "the container clock,clock drift,a drifting clock,the clock of the host",
    "fixture": "the database fixture,a fixture for the database,the old database fixture",
}
ENDS = "broke,is it again,does that too,was there,went on,came back,took long".split(",")
TEXTS = [
    f"{thing} {end}" for end in ENDS for things in SUBJECTS.values() for thing in things.split(",")
]


def statement(text, n, day=None):
    date = f"2026-{1 + (day or n) // 28 % 12:02d}-{1 + (day or n) % 28:02d}"
    return Statement(text, f"e{n:04d}", date, "shop", True, True, "agent")


def journal(texts):
    return [statement(text, n) for n, text in enumerate(texts)]


@pytest.fixture
def short(monkeypatch):
    """Let a journal of a hundred statements be a long one."""
    monkeypatch.setattr(module, "SAMPLE", 40)


def test_an_older_text_joins_the_theme_of_its_neighbours(short):
    texts = sorted(TEXTS, key=lambda text: "clock" not in text and "drift" not in text)
    found = themes(journal([texts[0], *texts[::-1]]), [])
    (clock,) = (one for one in found if texts[0] in {item.quote for item in one.evidence})
    assert clock.sessions > 3
    assert all("clock" in item.quote for item in clock.evidence)


def test_older_texts_that_join_no_theme_are_clustered_by_themselves(short):
    older = ["Prices are in cents.", "All prices are in cents.", "Tabs, please."]
    found = themes(journal([*older, *TEXTS]), [])
    quotes = [{item.quote for item in one.evidence} for one in found]
    assert {*older[:2]} in quotes
    assert {older[2]} in quotes


def test_what_is_said_in_the_same_words_is_one_theme_with_every_session_in_it(short):
    texts = ["The lock file was rewritten.", *TEXTS]
    statements = [
        statement(text, n, day)
        for day, n in enumerate(range(90))
        for text in [texts[n % len(texts)]]
    ]
    found = themes(statements, [])
    (one,) = (t for t in found if texts[0] in {item.quote for item in t.evidence})
    quotes = Counter((e.source, e.quote, e.date) for t in found for e in t.evidence)
    assert quotes == Counter((s.entry_id, s.text, s.date) for s in statements)
    assert [item.date for item in one.evidence] == sorted(item.date for item in one.evidence)


def test_a_theme_keeps_its_name_while_it_grows(short):
    lock = ["The lock file was rewritten.", *(t for t in TEXTS if "lock file" in t)]
    names = set()
    for count in range(2, len(lock)):
        grown = [*journal(lock[:1]), *(statement(t, n) for n, t in enumerate(lock[1:count], 7))]
        (name,) = (
            t.id for t in themes(grown, []) if lock[0] in {item.quote for item in t.evidence}
        )
        names.add(name)
    assert len(names) == 1


def test_names_are_unique_also_of_those_who_say_the_opposite():
    texts = ["Always mock the database.", "Never mock the database.", "Do mock the database."]
    found = themes(journal(texts), [])
    assert len({one.id for one in found}) == len(found)
    quotes = [{item.quote for item in one.evidence} for one in found]
    assert {"Never mock the database."} in quotes


@given(st.lists(st.sampled_from([*TEXTS[::5], "", "!?", "pnpm"]), max_size=9))
def test_every_statement_is_in_one_theme(texts):
    found = themes(journal(texts), [])
    quotes = list(itertools.chain.from_iterable(one.evidence for one in found))
    assert sorted((e.source, e.quote) for e in quotes) == sorted(
        (one.entry_id, one.text) for one in journal(texts)
    )


def test_statements_after_a_checkpoint_join_without_grouping_the_others_again():
    places = [f"{word} {number}" for number in range(40) for word in ("parser", "cache", "upload")]
    texts = [f"The {place} {trouble}." for trouble in ("hung", "failed", "was slow", "crashed")
             for place in places][:390]  # fmt: skip
    said = journal(texts)
    cache = {}
    themes(said[:-1], (), cache=cache)
    assert len(cache) == 2  # themes and lessons
    assert themes(said, (), cache=cache) == themes(said, ())
    assert len(cache) == 2, "the statement more is beyond the same checkpoint"
