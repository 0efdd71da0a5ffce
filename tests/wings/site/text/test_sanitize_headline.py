"""The line that stands for a record."""

import pytest

from calmkb.wings.site.text.sanitize import headline
from calmkb.wings.site.text.titles import session_title
from tests.wings.site.sample import entry


def test_only_an_opening_mark_is_left_out_of_a_headline():
    assert headline("- `npm test -- --run` failed > twice") == "npm test -- --run failed > twice"


def test_a_full_stop_in_code_ends_no_sentence():
    said = "The path check for `.. ` in `copyMetadataDir()` let symlinks through. It was old."

    assert headline(said, 200) == "The path check for .. in copyMetadataDir() let symlinks through."
    assert headline("A tick ` that nobody closed. More.") == "A tick that nobody closed. More."


def test_a_span_that_ends_in_dots_is_not_the_end_of_a_sentence():
    said = "The path check for `..` in `copyMetadataDir()` let symlinks through, which is unsafe."

    assert headline(said, 200) == said.replace("`", "")


def test_a_long_line_is_cut_after_a_clause_and_never_inside_code():
    said = "Reviewed the branch and fixed its findings, including a new test that runs offline."
    assert headline(said, 60) == "Reviewed the branch and fixed its findings…"

    code = "Every release begins with `make clean build package sign` on a machine of ours."
    assert headline(code, 45) == "Every release begins with…"


@pytest.mark.parametrize(
    ("summary", "title"),
    [
        ("The user asked to fix the login. It works.", "Fix the login."),
        ("A plan was implemented that removes `Agents` there.", "Removes Agents there."),
        ("The user asked why `entire explain` shows nothing.", "Why entire explain shows nothing."),
        ("The user reported that `entire resume` finds nothing.", "entire resume finds nothing."),
        ("The task was to write one log per worktree.", "Write one log per worktree."),
        ('Asked: "make the button green"', "Make the button green"),
        ('Asked: "Write the docs". Ended with: "OK, done".', "Write the docs"),
        ("The user was asked to wait.", "The user was asked to wait."),
        ("Asked whether a hook is dropped; it was.", "Whether a hook is dropped; it was."),
        ("They asked us.", "They asked us."),
        ("Moved the cart to the new fixture.", "Moved the cart to the new fixture."),
    ],
)  # fmt: skip
def test_a_session_is_called_by_what_was_done(summary: str, title: str) -> None:
    assert session_title(entry(1, "shop", summary)) == title


def test_a_session_is_called_by_the_name_it_was_given() -> None:
    assert session_title(entry(1, "shop", "Moved it.", title="v2.0. The cart")) == "v2.0. The cart"
