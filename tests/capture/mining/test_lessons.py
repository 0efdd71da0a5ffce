"""What a person taught in a prompt, whole, and what only looks like it."""

import json
from pathlib import Path

import pytest

from calmkb.capture.formats.turns import Turn
from calmkb.capture.mining import prompt_model
from calmkb.capture.mining.lessons import LENGTH, lessons, prompt_at
from calmkb.capture.mining.prompt_features import Prompt, features


def taught(text, **more):
    return [(one.label, one.sentence) for one in lessons(Prompt(text, **more))]


def test_a_correction_keeps_its_reason_and_a_rule_beside_it_is_told_apart():
    assert taught(
        "No, use pnpm here, not npm: npm rewrites the lock file. We never use floats for totals."
    ) == [
        ("correction", "No, use pnpm here, not npm: npm rewrites the lock file."),
        ("convention", "We never use floats for totals."),
    ]


@pytest.mark.parametrize(
    "text, part",
    [
        ("That's wrong. Totals must be in pennies.", "pennies"),
        ("Nope, wrong file. I meant src/till.ts.", "src/till.ts"),
        ("hmm, not quite. The rounding should happen at the end.", "at the end"),
        ("Why did you rewrite till.py? I only asked for the tests.", "only asked for the tests"),
        ("Actually that's not right, the port is 8443. Also always use https.", "8443"),
    ],
)
def test_the_lesson_is_kept_and_not_only_the_words_that_announce_it(text, part):
    assert part in " ".join(sentence for _, sentence in taught(text))


def test_the_reason_given_with_a_refusal_is_a_correction():
    assert taught("put it into the helper", rejection=True) == [
        ("correction", "put it into the helper")
    ]
    assert taught("ok", rejection=True) == []


@pytest.mark.parametrize(
    "text",
    ["no, this is fine.",
     "I paste what it said:\n<calmkb-context>\nNo, use yarn, never npm\n</calmkb-context>",
     "can you add a test for the empty case?", "looks good, commit it", "yes", "",
     "Implement the following plan:\n\n# Plan: Change the index\n\n## Goal\nDo not use floats."],
)  # fmt: skip
def test_a_wish_praise_and_a_plan_teach_nothing(text):
    assert taught(text) == []


def test_of_a_long_prompt_the_part_that_teaches_is_kept():
    story = "I looked at the page this morning with Ben and it shows the orders of the month. " * 8
    found = taught(f"No, that's wrong: you should never round before the tax is added. {story}")
    assert found
    assert all(len(sentence) <= LENGTH for _, sentence in found)
    assert any("never round before the tax" in sentence for _, sentence in found)


def test_a_prompt_knows_whether_it_refuses_and_opens():
    turns = [
        Turn(role="person", text="Fix the till"),
        Turn(role="agent", text="I changed the rounding."),
        Turn(role="agent", kind="call", tool="Edit", text="till.py"),
        Turn(role="agent", text="deep inside", is_sidechain=True),
        Turn(role="person", text="no, not there", kind="rejection"),
    ]
    assert prompt_at(turns, 4) == Prompt("no, not there", rejection=True)
    assert prompt_at(turns, 0) == Prompt("Fix the till", first=True)


def test_the_table_is_small_sound_and_of_features_that_exist():
    assert prompt_model.TABLE.stat().st_size <= 200_000
    models = json.loads(Path(prompt_model.TABLE).read_text("utf-8"))["models"]
    assert set(models) == {"lesson", "friction", "machine"}
    known = features(Prompt("No, don't use npm here. Why did it fail?", rejection=True))
    for one in models.values():
        assert 0 < one["threshold"] < 1
        assert {"asks", "rejection"} <= set(one["flags"]) & set(known)


@pytest.mark.parametrize("text", ["x" * 200_000, "\ud800 no", "?" * 5_000, "a b " * 50_000, "\0"])
def test_a_strange_prompt_is_judged_like_any_other(text):
    judged = prompt_model.judge(Prompt(text))
    assert all(0 <= value <= 1 for value in (judged.lesson, judged.friction, judged.machine))


REVIEW = (
    "The retry loop swallows the original exception and returns a general message, so callers "
    "cannot tell a timeout from a refused connection. Consider wrapping the error."
)


@pytest.mark.parametrize(
    "text",
    [
        f"{REVIEW}\n\nThis could hide failures in production. Medium Severity",
        "$ npm run build\n> shop@1.0.0 build\n> tsc -p .\n\nsrc/cart.ts:14:3 - error TS2304: Cannot"
        " find name 'total'.\nsrc/till.ts:3:1 - error TS2304: Cannot find name 'tax'.\n\n"
        "Found 2 errors in 2 files.",
    ],
)
def test_a_pasted_review_or_log_was_not_typed(text):
    assert prompt_model.judge(Prompt(text)).is_machine
    assert taught(text) == []


def test_a_review_that_a_person_introduces_teaches_nothing():
    assert taught(f"I got this feedback on the branch:\n\n{REVIEW}") == []


def test_a_report_of_trouble_is_told_from_a_task_about_failures():
    trouble = Prompt("I tried it again and it still doesn't work, same error as before")
    task = Prompt("can you add a test for the case that the payment fails?")
    assert prompt_model.judge(trouble).is_friction
    assert not prompt_model.judge(task).is_friction


PLAIN = """
Use pnpm, not npm. Now add a discount to the till.
Never use print for logging.
Don't add dependencies without asking me first.
Our naming convention is camelCase for files
In this repo tests live beside the code
switch to UTC everywhere
On this team every change needs a test.
The pattern is one hook a file. Add a hook for the cart.
The folder structure mirrors the package names.
Code style: no default exports.
Use dayjs instead of moment. Build the calendar view.
From now on write commit messages in English.
"""
IN_ITS_COURSE = """
Switch to ruff for linting.
The default should be off
It is supposed to be idempotent.
That's outdated, look at the new page
Incorrect, the id is a string
The total is incorrect because tax is added twice
"""


@pytest.mark.parametrize("text", PLAIN.strip().splitlines())
def test_a_rule_in_plain_words_is_heard_in_a_first_prompt_as_in_a_later_one(text):
    assert taught(text)
    rule = lessons(Prompt(text, first=True))[0]
    assert rule.label == "convention"
    assert not any(task in rule.sentence for task in ("Now add", "Add a", "Build the"))


@pytest.mark.parametrize("text", IN_ITS_COURSE.strip().splitlines())
def test_a_listed_phrase_in_a_plain_statement_corrects(text):
    assert taught(text)


@pytest.mark.parametrize(
    "text", ["Is that outdated?", "Maybe switch to ruff", "can you switch to the main branch?"]
)
def test_a_listed_phrase_in_a_question_or_a_doubt_does_not_count(text):
    assert taught(text) == []
