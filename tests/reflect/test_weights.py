"""Term counts and weights against scikit-learn's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from calmkb.reflect.similarity.terms import letters
from calmkb.reflect.similarity.weights import count, unit_rows

TEXTS = st.lists(st.text("ab é-`'(,) \t", max_size=12), max_size=8)
ELSEWHERE = ["\0"] * 100  # texts without a word of the others, as the weights assume


def by_sklearn(texts):
    view = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    rows = view.fit_transform([*texts, *ELSEWHERE])[: len(texts)]
    return (rows @ rows.T).toarray()


@given(TEXTS)
def test_weights_give_the_cosines_that_scikit_learn_gives(texts):
    rows = unit_rows(count([*texts, "a word"], letters))
    assert np.allclose((rows @ rows.T).toarray(), by_sklearn([*texts, "a word"]))


@given(TEXTS, st.integers(0, 8))
def test_counts_taken_in_two_parts_weigh_as_those_taken_at_once(texts, at):
    parts = count(texts[:at]).joined(count(texts[at:]))
    one, other = unit_rows(parts), unit_rows(count(texts))
    assert (one != other).nnz == 0


def test_no_text_or_no_word_has_rows_of_zeros():
    assert unit_rows(count([])).shape[0] == 0
    assert unit_rows(count(["", " "])).nnz == 0
