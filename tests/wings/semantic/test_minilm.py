"""Sentence embeddings without a framework and without a network."""

import os
import subprocess
import sys

import pytest

from calmkb.wings.semantic import minilm

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
    assert together[: len(TEXTS)] == alone


def test_an_empty_text_has_a_vector_and_a_lone_surrogate_stops_none():
    assert [len(vector) for vector in minilm.embed(["", "\ud800", "a"])] == [384] * 3
    assert minilm.embed([]) == []


def test_the_model_needs_no_name_resolved_and_leaves_nothing_behind(tmp_path):
    program = (
        "import socket\n"
        "def refuse(*_, **__): raise OSError('no network in this test')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from calmkb.wings.semantic import minilm\n"
        "print(len(minilm.embed(['a text'])[0]))\n"
    )
    # As for a person: the runtime reports nothing home where it sees a machine that tests.
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    env = {**kept, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("384\n", "")
    assert list(tmp_path.iterdir()) == []


def test_vectors_agree_with_the_model_in_full_precision():
    """The first numbers of two vectors by the published 32-bit weights, on numpy."""
    golden = {
        TEXTS[0]: [-0.0185, 0.0137, -0.0101, 0.0307, 0.1081, -0.0144],
        TEXTS[2]: [-0.0259, -0.0339, 0.0053, 0.0008, -0.0049, 0.0190],
    }
    for text, numbers in golden.items():
        assert minilm.embed([text])[0][: len(numbers)] == pytest.approx(numbers, abs=0.005)
