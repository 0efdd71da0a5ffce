"""What TF-IDF takes for alike."""

from collections import Counter

import pytest

from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.similarity.terms import weighted_terms

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
    found = Counter(weighted_terms("Do not mock the database in `tests/unit`, do not."))
    whole = dict.fromkeys(["mock", "databas", "=tests/unit"], 4)
    assert found == whole | dict.fromkeys(["do", "not", "the", "in", "test", "unit"], 1)
