"""A reviewer's lines, and what they decide."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.cli.reflect.review import apply, begin, grouped, new_words, parse
from calmkb.errors import CalmError
from calmkb.model import Proposal, Verdict


def proposal(number, category="error"):
    return Proposal(
        id=f"P-{number}", text=f"Text {number}.", category=category, importance=0.5,
        confidence="low", scope="global", origin="agent", evidence=(), evidence_hash="0" * 16,
    )  # fmt: skip


def after(*lines, count=5):
    review = begin([proposal(n) for n in range(1, count + 1)])
    for line in lines:
        review = apply(review, parse(line, count))
    return [review.state(n)[0] for n in range(1, count + 1)]


@pytest.mark.parametrize(
    ("lines", "states"),
    [
        (["a 1-3,5"], "aaasa"),
        (["a1", "r2 too vague"], "arsss"),
        (["all"], "aaaaa"),
        (["r 2", "all"], "araaa"),
        (["a 1", "none"], "arrrr"),
        (["1 3"], "asass"),
        (["1 3", "3"], "assss"),
        (["all", "s 2 - 4"], "asssa"),
        (["A 2", "?", "", "done"], "sasss"),
        (["accept 1, 2 ,3"], "aaass"),
    ],
)
def test_lines_decide(lines, states):
    assert "".join(after(*lines)) == states


def test_a_reason_goes_with_a_rejection():
    review = apply(begin([proposal(1)]), parse("r 1 - only true on my machine", 1))
    assert review.result()[0].reason == "only true on my machine"


def test_proposals_are_numbered_group_by_group():
    review = begin([proposal(1, "preference"), proposal(2), proposal(3, "fact"), proposal(4)])
    assert [(h, [n for n, _ in pairs]) for h, pairs in grouped(review)] == [
        ("Debugging Insights", [1, 2]),
        ("Codebase Knowledge", [3]),
        ("Preferences", [4]),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a 9", "9 is out of range; there are proposals 1 to 5"),
        ("a 3-1", "3-1 is out of range"),
        ("a", "accept what\\? Give numbers"),
        ("x 1", "'x 1' is not understood; type \\? for help"),
        ("r because", "reject what"),
        ("0", "0 is out of range"),
    ],
)
def test_a_line_that_cannot_be_is_explained(line, told):
    with pytest.raises(CalmError, match=told):
        parse(line, 5)


@given(st.text())
def test_no_line_breaks_the_review(line):
    review = begin([proposal(1), proposal(2)])
    try:
        apply(review, parse(line, 2))
    except CalmError as error:
        assert str(error)


def test_the_last_decision_can_be_taken_back_and_the_one_before_it():
    assert "".join(after("a 1-3", "none", "undo")) == "aaass"
    assert "".join(after("a 1-3", "1 2", "undo", "undo")) == "sssss"
    with pytest.raises(CalmError, match="nothing to undo"):
        after("undo")


def test_a_proposal_goes_into_the_memory_named_or_the_one_it_resembles():
    verdict = Verdict(kind="new", other="0c9d51b2-7d0e", text="Alike.", similarity=0.5)
    review = begin([replace(proposal(1), verdict=verdict), proposal(2)])
    assert apply(review, parse("m 1", 2)).result()[0].into == "0c9d51b2-7d0e"
    assert apply(review, parse("m 2 5f0c6a0e", 2)).result()[0].into == "5f0c6a0e"
    with pytest.raises(CalmError, match="2 resembles no memory; name one"):
        apply(review, parse("m 2", 2))


def test_a_review_goes_on_where_it_was_left_as_long_as_the_proposal_is_the_same():
    first = apply(begin([proposal(1), proposal(2)]), parse("r 1 vague", 2))
    again = begin([proposal(1), proposal(2)], first.result())
    assert again.result() == first.result()
    assert begin([proposal(3), proposal(2)], first.result()).result() == []


def test_what_is_new_in_a_text_is_told_in_its_own_words():
    assert new_words("Pin pnpm before the Install step", "pin PNPM before") == "Install, step"
