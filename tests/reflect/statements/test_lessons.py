"""One lesson in the words of several sessions, and what is worth a person's time."""

from dataclasses import replace

from calmkb.reflect.proposals.groups import lessons
from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.statements import statements_of
from calmkb.reflect.statements.wording import choose_statement
from tests.reflect.proposals.test_proposals import LEVELS, session

OTHERS = (
    "The parser of the price list wants a comma, never a semicolon.",
    "Put screenshots of the checkout below `docs/images`.",
    "Invoices are numbered by the ledger service alone.",
    "Ask before a migration drops a column.",
    "The search page needs `ELASTIC_URL` in the environment.",
    "Translations live in `locales/`, one file a language.",
    "Feature flags are read once, when the worker starts.",
)
STALE = (
    "Diagnostics of gopls are stale right after a merge; trust `go build ./...`.",
    "Ignore what gopls reports after bulk edits, it is often stale: `go build ./...` tells.",
)


def learnt(number, *learnings, friction=(), steps=()):
    view = session(number, *friction, steps=steps)
    return replace(view, entry=replace(view.entry, learnings=learnings))


def run(*views, **more):
    return propose(statements_of(views), (), (), **LEVELS, **more)


def filler(first=20):
    return [learnt(first + place, text) for place, text in enumerate(OTHERS)]


def texts(proposals):
    return [one.text for one in proposals]


def test_a_lesson_that_two_sessions_put_in_their_own_words_is_one_proposal():
    found = run(*filler(), *(learnt(n, text) for n, text in enumerate(STALE, 1))).open
    assert len(found) == len(OTHERS) + 1
    assert [item.quote for item in found[0].evidence] == list(STALE)
    assert found[0].confidence == "medium"


def test_the_newest_wording_of_a_lesson_speaks_for_it():
    old, new = (
        "Look at a checkpoint with `git show entire/sessions:ID/metadata.json`.",
        "Look at a checkpoint with `git show entire/checkpoints/v1:ID/metadata.json`.",
    )
    assert run(learnt(1, old), learnt(2, new)).open[0].text == new
    assert run(learnt(2, old), learnt(1, new)).open[0].text == old


def test_of_three_learnings_one_farther_from_the_others_speaks_for_none_though_it_is_newest():
    tidy = "After a merge do not ask gopls first: run `go mod tidy` before."
    told = statements_of([learnt(n, text) for n, text in enumerate((*STALE, tidy), 1)])
    assert choose_statement(told, [0.6, 0.6, 0.56]).text == STALE[1]
    assert choose_statement(told[1:], [0.6, 0.56]).text == tidy


def test_trouble_that_its_session_did_not_call_a_learning_is_held_back_until_it_comes_again():
    once = "The first build failed on a type error in `tree.go`."
    view = learnt(1, OTHERS[0], friction=(once,))
    assert texts(run(view).open) == [OTHERS[0]]
    assert [one.held for one in run(view).held] == [
        "met once, and its session wrote other learnings"
    ]
    again = learnt(2, OTHERS[1], friction=(once,))
    assert texts(run(view, again).open)[-1] == once
    assert texts(run(session(1, once)).open) == [once]  # an entry without learnings is as before


def test_what_two_sessions_left_open_is_no_lesson_where_it_is_a_task():
    task = "Check that CI of PR 185 is green after the formatting push."
    assert run(session(1, steps=(task,)), session(2, steps=(task,))).open == ()
    plan = "Write down how the staging database is seeded."
    kept = run(session(1, steps=(plan,)), session(2, steps=(plan,))).open
    assert texts(kept) == [plan]


DAILY = (
    "`make check` hung on the small runner.",
    "A flaky browser test made `make check` red twice.",
    "The checkout was pushed without its lock file.",
)


def test_of_equal_proposals_the_one_about_daily_work_comes_first():
    daily = "Run `make check` before a change to the checkout is pushed."
    views = [
        *filler(),
        learnt(1, daily),
        *(session(42 + n, text) for n, text in enumerate(DAILY)),
    ]
    learnings = [text for text in texts(run(*views).open) if text in (*OTHERS, daily)]
    assert learnings[0] == daily


def test_only_what_somebody_wrote_is_joined_and_within_one_project():
    told = statements_of([*filler(), *(learnt(n, text) for n, text in enumerate(STALE, 1))])
    pair = sorted(row for row, one in enumerate(told) if one.text in STALE)

    def together(*changed):
        changes = dict(zip(pair, changed, strict=False))
        return (
            pair
            in lessons(
                [replace(one, **changes.get(row, {})) for row, one in enumerate(told)], TFIDF
            )[0]
        )

    assert together()
    assert not together({"mined": True})
    assert not together({"project": "till"})
    assert together({"text": STALE[1], "project": "till"}), "what says the same comes together"


def test_what_two_people_met_comes_before_what_one_met_as_often():
    mine, theirs = (
        "Seed the ledger before `make e2e`.",
        "Restart the mail worker after a migration.",
    )
    views = [learnt(n, text) for n, text in enumerate([theirs, theirs, mine, mine], 1)]
    people = dict(zip([view.entry.id for view in views], "abcc", strict=True))
    assert texts(run(*views, authors=lambda: people).open) == [theirs, mine]
    people = dict(zip([view.entry.id for view in views], "ccab", strict=True))
    assert texts(run(*views, authors=lambda: people).open) == [mine, theirs]
