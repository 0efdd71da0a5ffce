"""Sentence embeddings without a framework."""

import pytest

from calmkb.semantic import minilm

pytestmark = pytest.mark.skipif(
    not minilm.available(), reason="the [semantic] extra is not installed"
)
TEXTS = [
    "The build hung because npm rewrote the lock file.",
    "npm changed the lock file, and the build got stuck.",
    "Thai green curry is served with jasmine rice.",
]


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_the_same_thing_in_other_words_is_near_and_another_far():
    same, other, apart = minilm.embed(TEXTS)
    assert cosine(same, other) > 0.8
    assert cosine(same, apart) < 0.2
    assert cosine(same, same) == pytest.approx(1, abs=1e-5)
    assert len(same) == 384


def test_the_model_says_nothing_where_an_agent_listens(capsys):
    minilm.embed(TEXTS[:1])
    assert capsys.readouterr().out == ""


def test_company_does_not_change_a_vector():
    alone = [minilm.embed([text])[0] for text in TEXTS]
    together = minilm.embed([*TEXTS, "word " * 2000])
    for one, other in zip(alone, together, strict=False):
        assert cosine(one, other) == pytest.approx(1, abs=1e-4)


def test_vectors_agree_with_an_independent_run_of_the_model():
    """The first numbers of two vectors by an 8-bit ONNX build of the model, on onnxruntime."""
    golden = {
        TEXTS[0]: [-0.0176, 0.0162, -0.0088, 0.0291, 0.1081, -0.0138],
        TEXTS[2]: [-0.0263, -0.0331, 0.0057, 0.0011, -0.0040, 0.0189],
    }
    for text, numbers in golden.items():
        assert minilm.embed([text])[0][: len(numbers)] == pytest.approx(numbers, abs=0.005)
