"""Token vectors from the package alone: nothing is fetched."""

import os
import subprocess
import sys

import pytest

from calmkb.semantic import wordllama

pytestmark = pytest.mark.skipif(
    not wordllama.available(), reason="the [semantic] extra is not installed"
)
TEXTS = ["The build hung: npm rewrote the lock file.", "npm changed the lock file; the build hung."]


def test_vectors_have_length_one_and_an_empty_text_has_none():
    one, nothing, other = wordllama.embed([TEXTS[0], "", TEXTS[1]])
    assert sum(x * x for x in one) == pytest.approx(1, abs=1e-5)
    assert nothing == [0.0] * wordllama.WIDTH
    assert sum(a * b for a, b in zip(one, other, strict=True)) > 0.8


def test_company_does_not_change_a_vector():
    assert wordllama.embed([TEXTS[0]])[0] == wordllama.embed([*TEXTS, "word " * 500])[0]


def test_the_model_loads_where_no_name_can_be_resolved_and_leaves_no_cache(tmp_path):
    program = (
        "import socket\n"
        "def refuse(*_, **__): raise OSError('no network in this test')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from calmkb.semantic import wordllama\n"
        "print(len(wordllama.embed(['a text'])[0]))\n"
    )
    env = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "256\n"
    assert not (tmp_path / ".cache" / "wordllama").exists()
