"""Which sessions a lesson would have helped: the later ones of its scope, each once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.model import Evidence, Memory, Proposal
from calmkb.reflect.memories.backtest import Met
from calmkb.reflect.memories.backtest import backtest as judged
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.similarity.methods import SURE, TFIDF
from calmkb.reflect.statements.statements import Statement

START = datetime(2026, 3, 1, tzinfo=UTC)
TROUBLE = "`npm install` failed on the workspace protocol; pnpm install worked."
REWORDED = "`npm install` failed: it does not know the workspace protocol, pnpm install worked."
OTHER = "The deployment waits for a review of the chart by the platform team."
WORDS = st.lists(st.sampled_from(f"{TROUBLE} {OTHER}".split()), min_size=3, max_size=12)


def said(text: str, day: int, *, learning: bool = False) -> Statement:
    return Statement(
        text=text, entry_id=f"e{day}", date=f"2026-03-{day + 1:02}", project="shop", friction=True,
        fresh=True, origin="agent", learning=learning,
    )  # fmt: skip


def history(*days: int, project: str = "shop") -> dict[str, Met]:
    return {f"e{day}": Met(START + timedelta(days=day), project, "") for day in days}


def proposal(text: str, *, scope: str, evidence: tuple[Evidence, ...]) -> Proposal:
    return Proposal(
        id="m", text=text, category="workflow", importance=0.5, confidence="low", scope=scope,
        origin="agent", evidence=evidence, evidence_hash="0",
    )  # fmt: skip


def lesson(*, scope: str = "shop", approved: int | None = None) -> Memory | Proposal:
    evidence = (Evidence(quote=TROUBLE, source="e0", date="2026-03-01", project="shop"),)
    text = "Install with pnpm, not npm."
    if approved is None:
        return proposal(text, scope=scope, evidence=evidence)
    at = START + timedelta(days=approved)
    return Memory(
        id="00000000-0000-4000-8000-000000000001",
        created_at=at,
        text=text,
        category="workflow",
        scope=scope,
        evidence=evidence,
    )


def backtest(lessons, told, sessions):
    return judged(lessons, troubles_met(lessons, told), sessions)


def test_the_session_that_taught_it_is_not_saved_and_later_ones_count_once():
    told = [said(TROUBLE, 0), said(REWORDED, 1), said(TROUBLE, 1), said(OTHER, 2)]
    (found,) = backtest([lesson()], told, history(0, 1, 2))
    assert [(one.session, one.quote) for one in found.met] == [("e1", TROUBLE)]
    assert (found.since, found.sessions, found.possible) == (START, 2, ())


def test_of_sessions_of_one_second_one_taught_it_and_the_others_are_later():
    told = [said(TROUBLE, 0), said(TROUBLE, 1), said(TROUBLE, 2)]
    sessions = {name: Met(START, "shop", "") for name in ("e0", "e1", "e2")}
    every = (*lesson().evidence, Evidence(quote=TROUBLE, source="e2", date="", project="shop"))
    (found,) = backtest([replace(lesson(), evidence=every)], told, sessions)
    assert [one.session for one in found.met] == ["e1", "e2"]


def test_what_was_met_after_the_approval_is_told_apart_and_a_learning_of_it_proves_nothing():
    told = [said(TROUBLE, 0), said(TROUBLE, 1), said(TROUBLE, 3), said(TROUBLE, 4, learning=True)]
    (found,) = backtest([lesson(approved=2)], told, history(0, 1, 3, 4))
    assert [one.session for one in found.met] == ["e1"]
    assert [one.session for one in found.met_since] == ["e3"]
    (early,) = backtest([lesson()], told, history(0, 1, 3, 4))
    assert [one.session for one in early.met] == ["e1", "e3", "e4"]


def test_other_projects_are_not_counted_unless_the_lesson_is_for_all():
    sessions = history(0) | history(1, project="bank")
    told = [said(TROUBLE, 0), said(TROUBLE, 1)]
    assert backtest([lesson()], told, sessions)[0].met == ()
    assert len(backtest([lesson(scope="global")], told, sessions)[0].met) == 1


def test_what_only_may_be_the_same_widens_the_count():
    slow = "The install by npm was slow: the workspace has many packages."
    told = [said(TROUBLE, 0), said(slow, 1)]
    (found,) = backtest([lesson()], told, history(0, 1))
    assert (found.met, len(found.possible)) == ((), 1)


@given(WORDS, WORDS)
def test_a_chance_is_the_same_both_ways_and_sure_of_the_same_words(one, other):
    def chance(*texts):
        rows = TFIDF.vectors([" ".join(words) for words in texts])
        return TFIDF.chance((rows[0] @ rows[1].T).toarray()[0, 0])

    assert chance(one, other) == pytest.approx(chance(other, one))
    assert chance(one, one) > SURE
