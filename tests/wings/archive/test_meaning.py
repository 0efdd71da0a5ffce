"""Search by meaning over kept sessions: joins when vectors are there, and is never waited for."""

import json

import pytest

from calmkb.model.sessions.archive import KeptTurn
from calmkb.wings.archive.turns.passages import WIDTH, add_vectors, known_keys, nearest, passages_of
from calmkb.wings.semantic import minilm
from tests.capture.support import agent, text, user

NAME = "3f2a1b00-0000-4000-8000-000000000001"
OTHER = "5e1c0d00-0000-4000-8000-000000000002"
needs_model = pytest.mark.skipif(not minilm.available(), reason="the extra is not installed")


def addresses(said):
    return [
        f"{one['session'][:8]}:{moment['line']}"
        for one in json.loads(said.out)["sessions"]
        for moment in one["moments"]
    ]


@needs_model
def test_other_words_for_the_same_find_it_once_vectors_are_there(home, session, cli):
    session(NAME, user("Which colour shall the button have?"), agent(text("Blue.")))
    session(OTHER, user("Go."), agent(text("The automobile needs new tyres before winter.")))
    cli("keep")
    asked = ("search", "car wheels for snow", "--in", "turns", "--json")
    assert addresses(cli(*asked)) == []
    assert "vectors made" in cli("keep", "--vectors").out
    assert addresses(cli(*asked))[0] == "5e1c0d00:2"
    assert addresses(cli(*asked, "--no-meaning")) == []
    assert addresses(cli(*asked, "--who", "person"))[:1] != ["5e1c0d00:2"]
    assert "0 vectors made" in cli("keep", "--vectors").out
    (kept,) = (home / ".calm" / "archive").glob("vectors*.bin")
    assert kept.stat().st_mode & 0o077 == 0


@needs_model
def test_vectors_of_an_earlier_model_are_made_anew_and_mix_with_none(home, session, cli):
    session(NAME, user("Which colour shall the button have?"), agent(text("Blue.")))
    cli("keep")
    earlier = home / ".calm" / "archive" / "vectors.bin"
    add_vectors(earlier, [7], [[1.0] + [0.0] * (WIDTH - 1)])
    assert "2 vectors made" in cli("keep", "--vectors").out
    assert not earlier.exists()


def test_a_torn_file_of_vectors_is_cut_and_read(tmp_path):
    path = tmp_path / "vectors.bin"
    vector = [1.0] + [0.0] * (WIDTH - 1)
    add_vectors(path, [7], [vector])
    path.write_bytes(path.read_bytes() + b"half a rec")
    assert known_keys(path) == {7}
    add_vectors(path, [-9], [vector[::-1]])
    assert known_keys(path) == {7, -9}
    assert nearest(path, vector, 1).keys() == {7}
    assert nearest(path, vector[::-1], 5)[-9] == 1.0


def test_long_words_are_cut_between_paragraphs_and_tools_have_no_meaning():
    long = "\n\n".join(f"Paragraph {n}: " + "word " * 60 for n in range(5))
    said = KeptTurn(line=1, role="agent", text=long)
    pieces = list(passages_of(said))
    assert len(pieces) == 5
    assert all(piece.startswith("Paragraph") for piece in pieces)
    assert list(passages_of(KeptTurn(line=1, role="tool", kind="result", text=long))) == []
