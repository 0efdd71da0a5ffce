"""A question with lettered choices, as reviews ask it at the terminal."""

import io
import sys

import click
import pytest
from click.testing import CliRunner

from calmkb.cli.base.choices import QUIT, Choice, Quit, choose, help_text
from calmkb.errors import CalmError


def answered(lines):
    """Return what the choices did, and what was printed, for a person who enters `lines`."""
    done = []

    def keep(text):
        done.append(("keep", text))
        return True

    def show(text):
        done.append(("show", text))
        return False

    def fail(text):
        raise CalmError(f"cannot merge {text}\x1b[2J")

    choices = [
        Choice("keep", "keep it", keep, "[note]"),
        Choice("show", "show all of it", show),
        Choice("undo", "take it back", fail),
        QUIT,
    ]

    @click.command()
    def ask():
        try:
            choose(choices)
        except Quit:
            done.append(("quit", ""))

    output = CliRunner().invoke(ask, input="".join(f"{line}\n" for line in lines)).output
    return done, output


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        (["k"], [("keep", "")]),
        (["keep"], [("keep", "")]),
        (["K because it helps"], [("keep", "because it helps")]),
        (["  k  two words  "], [("keep", "two words")]),
        (["s", "k"], [("show", ""), ("keep", "")]),
        (["q"], [("quit", "")]),
        (["Quit"], [("quit", "")]),
        (["?", "h", "help", "", "q"], [("quit", "")]),
        (["z", "k"], [("keep", "")]),
        (["u 1", "k"], [("keep", "")]),
        (["undo", "q"], [("quit", "")]),
    ],
)
def test_a_line_is_a_key_or_its_word_and_a_text(lines, done):
    assert answered(lines)[0] == done


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("?", "  k [note]  keep it\n  s         show all of it\n"),
        ("", "  u         take it back\n"),
        ("z", "'z' is not one of the choices\n"),
        ("\u202ez", "is not one of the choices\n"),
        ("u 1", "cannot merge 1\u2039U+001B\u203a[2J\n"),
    ],
)
def test_what_cannot_be_done_is_explained_and_asked_again(line, printed):
    _, output = answered([line, "q"])
    assert printed in output and output.count("k/s/u/q/?> ") == 2
    assert "\x1b" not in output and "\u202e" not in output.split("\n", 1)[1]


def test_keys_of_one_width_need_no_column():
    rows = [Choice("one", "first", bool), Choice("two", "second", bool)]
    assert help_text(rows) == "  o  first\n  t  second"


def test_at_a_terminal_the_help_of_a_key_goes_on_below_its_own_text(monkeypatch):
    class Terminal(io.StringIO):
        """A terminal of 40 columns."""

        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "40")
    rows = [
        Choice("write", "yes, each written by an agent; its cost is shown before", bool, "[AGENT]")
    ]
    assert help_text(rows).split("\n") == [
        "  w [AGENT]  yes, each written by an",
        "             agent; its cost is shown",
        "             before",
    ]
