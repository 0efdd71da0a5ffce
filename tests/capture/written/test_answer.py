"""Of what a model wrote only what its session shows is kept."""

import json

import pytest

from calmkb.capture.condense import SessionLine
from calmkb.capture.written.answer import LEARNING, read_written
from calmkb.errors import TranscriptError

LINES = (
    SessionLine(2, "person", "Fix the end-to-end tests of the checkout"),
    SessionLine(5, "call", "Bash pnpm test:e2e"),
    SessionLine(6, "failed", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
    SessionLine(9, "call", "Bash docker compose up -d db"),
    SessionLine(12, "agent", "The database container was not running; with it all 14 tests pass."),
    SessionLine(15, "person", "Always start the database container before the end-to-end tests"),
)
SUMMARY = {"text": "Fixed the end-to-end tests of the checkout; all 14 tests pass.", "lines": [12]}


def answer(**more):
    return json.dumps({"summary": [SUMMARY], **more})


def test_sentences_that_the_session_shows_are_kept():
    made = read_written(
        answer(
            friction_points=[{"text": "`pnpm test:e2e` failed with `ECONNREFUSED`: the database "
                                      "container was not running.", "lines": [6, 12]}],
            learnings=[{"text": "Start the database container (`docker compose up -d db`) before "
                                "the end-to-end tests.", "lines": [15]}],
        ),
        LINES,
    )  # fmt: skip
    assert made.summary == SUMMARY["text"]
    assert len(made.friction_points) == len(made.learnings) == 1
    assert made.dropped == 0


@pytest.mark.parametrize(
    "text, lines",
    [
        ("Run `mise trust` in a fresh checkout of the database container.", [15]),
        ("All 15 tests of the checkout pass with the database container.", [12]),
        ("The person wants the payment service rewritten in another language altogether.", [2]),
        ("Start the database container before the end-to-end tests.", []),
        ("Start the database container before the end-to-end tests.", [77]),
        ("Start the database container before the end-to-end tests.", ["15"]),
        ('The person said "never use containers" of the database tests.', [15]),
        ("", [15]),
        ("x" * (LEARNING + 1), [15]),
    ],
    ids=["a command", "a number", "a claim", "cites nothing", "cites no line", "cites text",
         "a quotation", "empty", "too long"],
)  # fmt: skip
def test_a_sentence_with_an_invented_part_or_no_line_is_dropped(text, lines):
    made = read_written(answer(learnings=[{"text": text, "lines": lines}]), LINES)
    assert made.learnings == ()


@pytest.mark.parametrize("around", ["{}", "Here it is:\n```json\n{}\n```\nDone.", "{{}} {}"])
def test_the_object_may_stand_in_a_fence_or_in_prose(around):
    assert read_written(around.replace("{}", answer(), 1).replace("{{}}", "{}"), LINES).summary


@pytest.mark.parametrize(
    "text",
    ["", "I cannot do that.", "[]", '{"summary": "text"}', '{"summary": []}', "{" * 100_000,
     '{"summary": [{"text": 3, "lines": [1]}]}', '{"summary": ' + "[" * 100_000,
     json.dumps({"summary": [{"text": "It rained in Paris all day.", "lines": [2]}]})],
)  # fmt: skip
def test_an_answer_without_a_supported_summary_is_refused(text):
    with pytest.raises(TranscriptError):
        read_written(text, LINES)


def test_no_more_is_taken_than_was_asked_for():
    one = {"text": "Start the database container before the end-to-end tests {}.", "lines": [15]}
    many = [{**one, "text": one["text"].format("of the checkout " * n)} for n in range(9)]
    made = read_written(answer(learnings=many, friction_points=[one] * 500), LINES)
    assert len(made.learnings) == 5
    assert len(made.friction_points) <= 8


def test_control_characters_do_not_reach_the_entry():
    text = "Start the \x1b[31mdatabase\x1b[0m container\u2028 before the end-to-end tests\x07."
    made = read_written(answer(learnings=[{"text": text, "lines": [15]}]), LINES)
    assert made.learnings == ("Start the database container before the end-to-end tests.",)
