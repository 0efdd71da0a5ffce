"""What lasts of a sentence, and what is held back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("`src/user.py:234` raised KeyError on an empty cart.",
         "`src/user.py` raised KeyError on an empty cart."),
        ("Fixed in commit 3fa9c21de on 2026-10-03: retries must be bounded.",
         "Fixed: retries must be bounded."),
        ("2026-03-19: run `make docs` first", "Run `make docs` first"),
        ("Parser loops at line 12 of lexer.py when the input ends.",
         "Parser loops in lexer.py when the input ends."),
        ("The error is not nil (line 344) but it returns nil.",
         "The error is not nil but it returns nil."),
        ("It failed to parse the expression (line 1, column 76).",
         "It failed to parse the expression."),
        ("The fixture lives in /home/ada/code/shop/tests/conftest.py, not in src.",
         "The fixture lives in shop/tests/conftest.py, not in src."),
        ("Context managers must be awaited in decorators too (#123).",
         "Context managers must be awaited in decorators too."),
        ("Order 9594dcff-178d-402c-9033-c85309f63309 stuck the queue.",
         "Order stuck the queue."),
    ],
)  # fmt: skip
def test_what_held_that_day_only_is_taken_out(said, kept):
    assert stable(said) == kept


@pytest.mark.parametrize(
    "text",
    [
        "Use port 5432, not 5433.", "contrast of 4.5:1 at least", "call `count()` on it",
        "Never commit .venv/, add it to .gitignore", "hooks live in `~/.git-templates/`",
        "lower-case file names: en.json holds all keys", "sha256 sums in `deadline` are checked",
        "Run `git -C ~/shop/.worktrees/3 read-tree HEAD`", "compile it with `-o /tmp/x`",
        "listens on example.com:8080", "decade of facade, 1.10 is not 1.1", "  two  blanks ",
    ],
)  # fmt: skip
def test_what_lasts_stays_to_the_letter(text):
    assert stable(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The bug was on line 234 of user.py", "names a line of a file"),
        ("Fixed in 3fa9c21de", "names a date, a hash or a place"),
        ("all tests pass", "a note of the day"),
        ("Last updated: 2026-03-08 by Ada", "a note of the day"),
        ("It failed again.", "too short"),
        ("Async context managers must be awaited even in decorator usage.", ""),
        ("Use port 5432, not 5433.", ""),
        ("`npm test` hung: the project uses pnpm.", ""),
    ],
)
def test_what_says_nothing_that_lasts_is_held_back_with_the_reason(text, reason):
    assert why_ephemeral(text).startswith(reason) and bool(why_ephemeral(text)) == bool(reason)


SPICE = st.sampled_from(
    ["line 12 of ", "a.py:3", " (", ")", "`", "2026-01-02", " deadbee1 ", "/home/a/b", "(#1)", ".",
     "lines 1-3", " in ", "commit ", ",", "[", "]", "  ", "\n"]
)  # fmt: skip


@given(st.lists(SPICE | st.text(st.characters(exclude_characters="\0"), max_size=6)).map("".join))
def test_taking_out_twice_takes_out_no_more(text):
    once = stable(text)
    assert stable(once) == once
    assert isinstance(why_ephemeral(text), str)
