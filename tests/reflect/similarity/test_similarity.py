"""What TF-IDF takes for alike, and the themes that several views agree on."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.terms import terms
from calmkb.reflect.themes.communities import communities

SAME = [
    ("Secrets belong in Vault, never in .env files.", "Never put secrets in .env; use Vault."),
    ("Test files must start with test_.", "**Rule:** test files have to start with test_"),
    ("Retry webhook deliveries with backoff.", "Webhook delivery should be retried with backoff."),
]
OTHER = [
    ("`scripts/sync.py` - Added logging", "`scripts/build.py` - Raises on bad dates"),
    ("The working tree must be clean before a release.", "The changelog must be short."),
    ("*Result:** Removed the old cache", "*Result:** Raised the limit of uploads"),
]


def cosine(one, other):
    rows = TFIDF.vectors([one, other])
    return float((rows[[0]] @ rows[[1]].T).sum())


@pytest.mark.parametrize(("one", "other"), SAME)
def test_paraphrases_are_duplicates_even_where_they_stand_alone(one, other):
    assert cosine(one, other) >= TFIDF.duplicate


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_things_about_one_topic_are_not(one, other):
    assert cosine(one, other) < TFIDF.theme


def test_a_text_has_few_terms_and_no_word_of_it_is_lost():
    found = terms("Do not mock the database in `tests/unit`.")
    assert set(found) == {
        "do",
        "not",
        "mock",
        "the",
        "databas",
        "in",
        "=tests/unit",
        "test",
        "unit",
    }
    assert found["not"] < found["unit"] < found["mock"] == found["=tests/unit"]


THINGS = {
    "deploy": "the deploy to staging,deploying staging,staging deploys,a staging deployment",
    "lock": "the lock file,a stale lock file,the package lock file,our lock file",
    "clock": "the container clock,clock drift,a drifting clock,the clock of the host",
}
ENDS = ["broke", "is it again", "does that too", "was there", "went on"]
TEXTS = [
    f"{thing} {end}" for what in THINGS for thing, end in product(THINGS[what].split(","), ENDS)
]
KINDS = [what for what in THINGS for _ in range(4 * len(ENDS))]


def found_in(texts):
    return communities(TFIDF.views(texts), TFIDF.agreement)


def test_themes_are_found_without_being_told_how_many():
    for rows in found_in(TEXTS):
        assert len({KINDS[row] for row in rows}) == 1


def test_the_same_texts_have_the_same_themes_every_time():
    assert found_in(TEXTS) == found_in(TEXTS)


@given(st.lists(st.sampled_from([*TEXTS[::7], "", "!?"]), max_size=12))
def test_themes_part_the_texts(texts):
    if texts:
        groups = found_in(texts)
        assert sorted(row for rows in groups for row in rows) == list(range(len(texts)))
        assert groups == sorted(groups)


def test_of_few_texts_those_alike_are_one_theme_whatever_the_votes():
    texts = [*TEXTS[:3], TEXTS[-1]]
    assert communities(TFIDF.views(texts), 0.45, clusters=[[0, 1, 2], [3]]) == [[0, 1, 2], [3]]
