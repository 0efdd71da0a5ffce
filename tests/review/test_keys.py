"""A reviewer's lines, and what they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.cli.reflect.review import ProposalReview
from calmkb.cli.review.keys import Command, help_text, key_line, parse, with_common
from calmkb.errors import CalmError

VERBS = with_common(ProposalReview.verbs)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("a", Command("accept")),
        ("A", Command("accept")),
        ("accept 1, 2 ,3", Command("accept", (1, 2, 3))),
        ("a 1-3,5", Command("accept", (1, 2, 3, 5))),
        ("a1", Command("accept", (1,))),
        ("s 2 - 4", Command("skip", (2, 3, 4))),
        ("r only here", Command("reject", (), "only here")),
        ("r 2 only here", Command("reject", (2,), "only here")),
        ("r2 - too vague", Command("reject", (2,), "too vague")),
        ("m 0c9d51b2", Command("merge", (), "0c9d51b2")),
        ("m 2 0c9d51b2", Command("merge", (2,), "0c9d51b2")),
        ("m 12345678", Command("merge", (), "12345678")),
        ("x", Command("replace")),
        ("d 1", Command("dismiss", (1,))),
        ("3", Command("go", (3,))),
        ("all", Command("all")),
        ("none", Command("none")),
        ("u", Command("undo")),
        ("undo", Command("undo")),
        ("?", Command("help")),
        ("h", Command("help")),
        ("l", Command("list")),
        ("v", Command("view")),
        ("done", Command("done")),
        (" Q ", Command("quit")),
        ("", Command("nothing")),
    ],
)
def test_a_line_is_a_key_or_its_word_then_numbers_and_a_text(line, command):
    assert parse(line, 5, VERBS) == command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a 9", "9 is out of range; choose from 1 to 5"),
        ("a 3-1", "3-1 is out of range"),
        ("0", "0 is out of range"),
        ("z 1", "'z 1' is not one of the choices; \\? lists them"),
        ("1 3", "what with these\\? For instance: a 1 3"),
    ],
)
def test_a_line_that_cannot_be_is_explained(line, message):
    with pytest.raises(CalmError, match=message):
        parse(line, 5, VERBS)


@given(st.text())
def test_any_line_is_a_command_or_explained(line):
    try:
        assert all(1 <= number <= 5 for number in parse(line, 5, VERBS).numbers)
    except CalmError as error:
        assert str(error)


def test_each_key_is_named_and_a_narrow_terminal_has_the_first_ones():
    assert key_line(VERBS, 100) == (
        "[a]ccept [r]eject [e]dit [m]erge [x] replace [s]kip [d]ismiss [u]ndo [l]ist [?] "
        "[q]uit, Enter: next"
    )
    assert key_line(VERBS, 70) == (
        "[a]ccept [r]eject [e]dit [m]erge [x] replace … [?] [q]uit, Enter: next"
    )
    assert len(key_line(VERBS, 60)) <= 60
    assert "  m merge    add its evidence to a memory" in help_text(VERBS)
    letters = [line.split()[0] for line in help_text(VERBS).splitlines()[:-1]]
    assert len(set(letters)) == len(letters)
