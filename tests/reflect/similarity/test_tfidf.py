"""TF-IDF weights against scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from calmkb.reflect.similarity.terms import letters
from calmkb.reflect.similarity.tfidf import vectorise

TEXTS = st.lists(st.text("ab é-`'(,) \t", max_size=12), max_size=8)
ELSEWHERE = ["\0"] * 100  # texts without a word of the others, as the weights assume


def by_sklearn(texts):
    view = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    rows = view.fit_transform([*texts, *ELSEWHERE])[: len(texts)]
    return (rows @ rows.T).toarray()


@given(TEXTS)
def test_weights_give_the_cosines_that_scikit_learn_gives(texts):
    rows = vectorise([*texts, "a word"], letters)
    assert np.allclose((rows @ rows.T).toarray(), by_sklearn([*texts, "a word"]))


@given(TEXTS, st.randoms())
def test_the_same_texts_in_another_order_have_the_same_rows(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    one, other = vectorise(texts), vectorise([texts[row] for row in order])
    assert (one[order] != other).nnz == 0


@pytest.mark.parametrize("texts", [[], ["", " "], ["!?", "()"]])
def test_no_text_or_no_word_has_rows_of_zeros(texts):
    rows = vectorise(texts)
    assert (rows.shape[0], rows.nnz) == (len(texts), 0)


def test_a_lone_surrogate_is_a_term_like_any_other():
    rows = vectorise(["caf\udce9 closes", "caf\udce9 opens"])
    assert 0 < (rows @ rows.T).toarray()[0, 1] < 1
