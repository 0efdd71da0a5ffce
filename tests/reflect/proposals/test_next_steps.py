"""What sessions left to do: open until marked, or until a later session says that it is done."""

from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

import pytest

from calmkb.model import Entry, FinishedStep
from calmkb.reflect.statements.next_steps import next_steps

DAY = datetime(2026, 10, 1, 9, tzinfo=UTC)
STEP = "Delete the old fixture once the staging run has passed."


def session(day: int, summary: str, *steps: str, project: str = "storefront") -> Entry:
    return Entry(
        id=str(uuid5(NAMESPACE_URL, f"{day} {summary}")),
        created_at=DAY + timedelta(days=day),
        project_name=project,
        summary=summary,
        next_steps=steps,
    )


def left(*entries: Entry) -> list[str]:
    return [step.text for step in next_steps(entries) if step.done_at is None]


FIRST = session(0, "Moved the tests.", STEP)


@pytest.mark.parametrize(
    "said",
    [
        "Deleted the old fixture.",
        "Moved all dates. Deleted the old fixture; nothing imports it.",
        "- Deleted the old fixture\n- Wrote the handbook",
    ],
)
def test_a_later_session_that_did_it_finishes_a_step(said: str) -> None:
    later = session(3, said)
    (step,) = next_steps([later, FIRST])

    assert (step.done_at, step.done_in) == (later.created_at, later.id)


@pytest.mark.parametrize(
    "said",
    [
        "The old fixture still has to be deleted.",
        "Did not delete the old fixture: the staging run failed.",
        "Looked at the old fixture.",
        "Wrote a fixture for old orders and deleted nothing.",
        "Will delete the old fixture tomorrow.",
        "Deleted the address form.",
    ],
)
def test_words_that_do_not_say_so_leave_it_open(said: str) -> None:
    assert left(FIRST, session(3, said)) == [STEP]


def test_another_project_or_an_earlier_session_finishes_nothing() -> None:
    assert left(FIRST, session(3, "Deleted the old fixture.", project="ledger")) == [STEP]
    assert left(FIRST, session(-3, "Deleted the old fixture.")) == [STEP]


def test_a_step_named_again_stays_one_with_its_age() -> None:
    again = session(4, "Wrote the handbook.", "Delete the old fixture.")
    (step,) = next_steps([FIRST, again])

    assert (step.since, step.entry, step.times) == (FIRST.created_at, again.id, 2)


def test_a_mark_finishes_a_step_and_one_named_afterwards_is_new() -> None:
    mark = FinishedStep(
        id=FIRST.id,
        created_at=DAY + timedelta(days=1),
        entry=FIRST.id,
        step=STEP,
        finished_by="ada",
    )
    again = session(4, "Wrote the handbook.", STEP)
    done, opened = next_steps([FIRST, again], [mark])

    assert done.done_by == "ada"
    assert (opened.done_at, opened.since) == (None, again.created_at)


def test_a_long_journal_takes_no_longer_than_it_is() -> None:
    entries = [
        session(n, f"Split module {n} in two parts.", f"Give part {n} of the module its tests.")
        for n in range(1_000)
    ]

    assert len(left(*entries)) == 1_000


def test_a_persons_own_step_about_a_question_is_one_and_an_agents_last_question_is_none() -> None:
    own = "Answer the question of the auditors about refunds."
    drafted = ('Answer the question "Shall I commit?"', "Answer the question \u201cIs it so?\u201d")

    assert left(session(0, "Read the letter.", own, *drafted)) == [own]
