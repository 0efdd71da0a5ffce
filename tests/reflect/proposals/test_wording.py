"""The words of a proposal, its place and its cost."""

from dataclasses import replace

import pytest

from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.statements.statements import statements_of
from calmkb.reflect.statements.wording import importance_of, risen, turns_lost
from tests.reflect.proposals.test_proposals import LEVELS, session


def made(view, **fields):
    return replace(view, entry=replace(view.entry, **fields))


def run(*views, **more):
    return propose(statements_of(views), (), (), **LEVELS, **more)


LOCKED = (
    "`make deploy` failed: the migration lock was held by another runner.",
    "Deploying hung on the migration lock that another runner held.",
)


def test_a_proposal_says_what_a_session_says_of_one_thing_and_nothing_of_another():
    fixed = "The lint of the lock file was fixed by killing the stale runner first."
    (proposal,) = run(made(session(1, LOCKED[0]), summary=fixed), session(2, LOCKED[1])).open
    assert proposal.text == LOCKED[0]
    assert [item.quote for item in proposal.evidence] == list(LOCKED)


def test_sessions_that_all_touched_the_same_folders_give_globs():
    files = ("src/deploy/a.py", "src/deploy/steps/b.py")
    views = [made(session(1, LOCKED[0]), files=files), made(session(2, LOCKED[1]), files=files[:1])]
    assert run(*views).open[0].paths == ("src/deploy/**",)
    elsewhere = made(views[1], files=("docs/deploy.md",))
    assert run(views[0], elsewhere).open[0].paths == ()
    assert run(views[0]).open[0].paths == ()
    assert run(views[0], made(views[1], files=("setup.py",))).open[0].paths == ()


def test_brittle_ones_are_held_back_and_shown_when_all_are_wanted():
    views = [session(1, "The bug was on line 234 of user.py", LOCKED[0])]
    found = run(*views)
    assert [p.text for p in found.open] == [LOCKED[0]]
    assert [p.held for p in found.held] == ["names a line of a file and little else"]
    everything = run(*views, everything=True)
    assert (len(everything.open), everything.held) == (2, ())


def test_a_stable_sentence_speaks_for_a_cluster_with_brittle_ones():
    views = [
        session(1, "The cart total was wrong at checkout, see the trace at line 12 of user.py"),
        session(2, "The cart total was wrong at checkout: the discount is applied twice."),
    ]
    assert "discount is applied twice" in run(*views).open[0].text


@pytest.mark.parametrize(
    ("text", "turns"),
    [("`x` failed (6 times): y", 6), ("took 40 minutes", 20), ("lost 2 hours and 3 attempts", 63),
     ("met 5 minutes ago", 0), ("Use Python 3.12", 0), ("failed 9999999 times", 0)],
)  # fmt: skip
def test_what_a_sentence_says_it_cost(text, turns):
    assert turns_lost(text) == turns


def test_importance_grows_with_recurrence_and_cost_and_shrinks_with_age():
    base = {"sessions": 2, "projects": 1, "friction": True}
    plain = importance_of(**base)
    assert importance_of(**base, turns=30) > importance_of(**base, turns=6) > plain
    assert importance_of(**base, age_days=300) < importance_of(**base, age_days=60) < plain
    assert importance_of(**base, said_by_person=True) > plain
    assert 0 <= importance_of(sessions=1, projects=1, friction=False, age_days=999) < plain <= 0.95


@pytest.mark.parametrize(
    "step",
    [
        "Commit and push to the branch",
        "Open the pull request for the new totals of the summary",
        "Tell the team about it.",
    ],
)
def test_the_last_steps_of_any_work_are_no_lesson_though_left_open_often(step):
    views = [session(n, steps=(step,)) for n in range(1, 4)]
    found = run(*views)
    assert found.open == ()
    assert ["chore" in one.held for one in found.held] == [True]


def test_a_learning_gets_no_remedy_from_elsewhere():
    learning = "`mise run lint` misses formatting; run `mise run fmt` before every commit."
    other = "`mise run lint` failed on formatting; fixed by running `mise run fmt` for lint."
    views = [made(session(1), learnings=(learning,)), session(2, other)]
    assert learning in [one.text for one in run(*views).open]


@pytest.mark.parametrize(
    ("importance", "sessions", "after"), [(0.55, 1, 0.7), (0.55, 9, 0.95), (0.55, -1, 0.55)]
)
def test_a_lesson_told_again_in_other_words_gains_in_importance(importance, sessions, after):
    assert risen(importance, sessions) == after


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Run `docker compose up` first; otherwise `make e2e` fails.", "workflow"),
        ("Totals are whole pennies, since fractions are rejected with an error.", "fact"),
        ("A new field must be in `Order` and `OrderRow`, or it is silently lost.", "fact"),
        ("`make lint` fails where a switch lacks a case; list them all.", "error"),
        ("Prefer one long test over ten short ones; the set-up is slow.", "preference"),
    ],
)  # fmt: skip
def test_the_category_of_a_learning_follows_from_what_it_says_and_not_from_its_reason(
    text, category
):
    view = session(1)
    view = replace(view, entry=replace(view.entry, learnings=(text,)))
    assert run(view).open[0].category == category
