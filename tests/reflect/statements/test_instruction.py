"""What a person said to an agent, worded as a maintainer would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.statements.instruction import as_instruction


@pytest.mark.parametrize(
    "said, instruction",
    [
        ("Please don't amend - it breaks the links", "Don't amend: it breaks the links"),
        ("You just should run `shop init --quiet`", "Run `shop init --quiet`"),
        ("we should be using types instead of strings", "Use types instead of strings"),
        ("you should not mock the database", "Do not mock the database"),
        ("ok, so always round at the end", "Always round at the end"),
        ("No, use pnpm 9 here", "Use pnpm 9 here"),
        ("no mocks in tests", "No mocks in tests"),
        ("`make fmt` before every commit", "`make fmt` before every commit"),
        ("We never use floats for totals", "We never use floats for totals"),
        ("", ""),
    ],
)  # fmt: skip
def test_chat_goes_and_the_order_stays(said, instruction):
    assert as_instruction(said) == instruction


@given(st.text(max_size=80))
def test_no_number_and_no_command_is_lost_from_any_text(text):
    changed = as_instruction(text)
    assert [one for one in changed if one.isdigit()] == [one for one in text if one.isdigit()]
    assert changed.count("`") == text.count("`")


OPENINGS = ("please ", "you should ", "ok, ", "we must not ", "no, ", "just ")
RESTS = ("use `a_b`", "never push to main", "don't log 3 times", "not here", "no x")


@given(st.sampled_from(OPENINGS), st.sampled_from(RESTS))
def test_what_is_denied_stays_denied(opening, rest):
    changed = as_instruction(opening + rest).lower()
    denials = ("not ", "n't", "never", "no x")
    said = (opening if "not" in opening else "") + rest
    assert any(one in changed for one in denials) == any(one in said for one in denials)
