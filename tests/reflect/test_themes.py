"""Themes: the same with a memo and without, at any length, and known by one name as they grow."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.similarity.tfidf import PLAIN
from calmkb.reflect.themes import assign as theme_homes
from calmkb.reflect.themes import groups as theme_groups
from calmkb.reflect.themes.assign import homes
from calmkb.reflect.themes.groups import checkpoint
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


def said(text, n, day=None):
    date = f"2026-{1 + (day or n) // 28 % 12:02d}-{1 + (day or n) % 28:02d}"
    return Statement(text, f"e{n:04d}", date, "shop", True, True, "agent")


def journal(texts):
    return [said(text, n) for n, text in enumerate(texts)]


@pytest.fixture
def short(monkeypatch):
    """Let a journal of a hundred statements be a long one."""
    monkeypatch.setattr(theme_groups, "_FEW", 20)
    for module in (theme_groups, theme_homes):
        monkeypatch.setattr(module, "WINDOW", 40)


@given(st.integers(0, 50_000))
def test_all_but_a_twentieth_is_settled_and_of_few_all(count):
    at = checkpoint(count)
    assert at == count if count <= 300 else count / 1.051 < at <= count
    assert checkpoint(at) == at


def test_themes_hang_on_the_statements_alone_however_they_were_kept_on_the_way(short):
    memo, statements = {}, journal(TEXTS)
    for count in [*range(0, len(TEXTS), 7), len(TEXTS)]:
        grown = statements[:count]
        assert themes(grown, [], memo=memo) == themes(grown, []) == themes(grown, [], memo=memo)
    assert len(memo) > 3


def test_a_memo_is_asked_again_only_at_a_checkpoint(short):
    memo, statements = {}, journal(TEXTS)
    counts = range(60, len(TEXTS))
    for count in counts:
        themes(statements[:count], [], memo=memo)
    assert len(memo) == len({checkpoint(count) for count in counts}) < len(counts) / 2


@pytest.mark.parametrize("damage", [None, [], [[0]], [[0, 0], [1]], [["0", 1]], {"a": 1}, [[True]]])
def test_what_a_memo_gives_back_is_not_believed_unless_it_can_be_true(damage):
    statements = journal(TEXTS[:2])
    right, memo = themes(statements, []), {}
    themes(statements, [], memo=memo)
    key = next(iter(memo))
    memo[key] = damage
    assert themes(statements, [], memo=memo) == right
    assert memo[key] != damage


def test_other_texts_another_order_and_another_method_are_kept_apart():
    memo = {}
    for texts in (TEXTS[:3], TEXTS[:4], TEXTS[2::-1]):
        themes(journal(texts), [], memo=memo)
    themes(journal(TEXTS[:3]), [], type(PLAIN)(theme=0.5), memo=memo)
    assert len(memo) == 4


def test_an_older_text_joins_the_theme_of_its_neighbours(short):
    texts = sorted(TEXTS, key=lambda text: "clock" not in text and "drift" not in text)
    found = themes(journal([texts[0], *texts[::-1]]), [])
    (clock,) = (one for one in found if texts[0] in {item.quote for item in one.evidence})
    assert clock.sessions > 3
    assert all("clock" in item.quote for item in clock.evidence)


def test_a_text_that_is_like_nothing_finds_no_home_and_some_are_alike_among_themselves():
    texts = [*TEXTS, "Prices are in cents.", "All prices are in cents.", "Tabs, please."]
    first = len(TEXTS)
    groups = [[row for row, text in enumerate(TEXTS) if "lock file" in text]]
    taken, rest = homes(texts, groups, range(first, len(texts)), PLAIN)
    assert taken == [[]]
    assert rest == [[first, first + 1], [first + 2]]


def test_what_is_said_in_the_same_words_is_one_theme_with_every_session_in_it(short):
    texts = ["The lock file was rewritten.", *TEXTS]
    statements = [
        said(text, n, day) for day, n in enumerate(range(90)) for text in [texts[n % len(texts)]]
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
        grown = [*journal(lock[:1]), *(said(t, n) for n, t in enumerate(lock[1:count], 7))]
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
