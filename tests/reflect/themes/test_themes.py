"""Themes: every statement is in one, and each is known by one id as it grows."""

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.statements.statements import Statement
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


def test_what_is_said_in_the_same_words_is_one_theme_with_every_session_in_it():
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


def test_a_theme_keeps_its_name_while_it_grows():
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
