"""What an import took from transcripts: proposed only where it stands alone and holds."""

from dataclasses import replace

import pytest

from calmkb.model.sessions.entries import imported_id
from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.statements.statements import statements_of
from tests.reflect.proposals.test_proposals import LEVELS, session


def drafted(number, *friction, **fields):
    view = session(number, *friction)
    name = f"session-{number}"
    entry = replace(view.entry, id=imported_id(view.entry.agent, name), session_id=name, **fields)
    return replace(view, entry=entry)


def run(*views, **more):
    return propose(statements_of(views), (), (), **LEVELS, **more)


@pytest.mark.parametrize(
    ("words", "text"),
    [("please don't squash commits, the release notes need each of them",
      "Don't squash commits, the release notes need each of them"),
     ("Don't run the slow suite: it takes an hour", "Don't run the slow suite: it takes an hour"),
     ("In this repo we want to keep the generated client under version control",
      "In this repo we want to keep the generated client under version control"),
     ("We should never log a customer's address anywhere",
      "Never log a customer's address anywhere"),
     ("Use pnpm instead of npm for the web client", "Use pnpm instead of npm for the web client")],
)  # fmt: skip
def test_a_rule_said_outright_is_proposed_as_an_instruction(words, text):
    (made,) = run(drafted(1, f'Corrected: "{words}"')).open
    assert made.text == text
    assert (made.source, made.origin, made.confidence) == ("mined", "person", "low")


@pytest.mark.parametrize(
    ("point", "why"),
    [
        ('Corrected: "why don\'t we always use the factory"', "a question"),
        ('Corrected: "never mind, we never had that many rows?"', "a question"),
        ('Corrected: "But the cache must never be shared between tenants"', "refers back"),
        ('Corrected: "Don\'t check this in before the weekend"', "refers back"),
        ('Corrected: "Also never write to the read replica"', "refers back"),
        ('Corrected: "yeah never mind, always the tests first"', "talk of one session"),
        ('Corrected: "I never said to commit the lock file"', "talk of one session"),
        ('Rule given: "We always name the folders like so:"', "cut off"),
        ('Rule given: "Task 4: always print the totals by default"', "the task at hand"),
        ('Rule given: "Never merge the totals before ENT-250 is closed"', "the task at hand"),
        ('Rule given: "Always write the totals to the summary file and …"', "cut off"),
        ('Corrected: "The totals are wrong on the summary page"', "not said as a rule"),
        ('Corrected: "never mind, the totals can wait for later"', "not said as a rule"),
        ('Corrected: "Don\'t run the slow suite"', "not said as a rule"),
        ('Corrected: "Do not fall back, if the field is missing, print a word"', "not said as a"),
        ('Corrected: "We don\'t need the second test there"', "not said as a rule"),
        ('Found: "Each agent has its own go.mod, so build from its folder"', "an agent found"),
        ('Bash rejected: "never do the nuclear thing"', "a rejected call"),
        ('Reported: "Error: the database must always be running"', "a report of trouble"),
        ("`make test` failed (3 times): FAIL shop/cart [build failed].", "without a remedy"),
        ("`git push` failed: denied; it worked after `git reset --soft HEAD~2`.", "may do harm"),
        ("`make up` failed: port taken; it passed when run again unchanged.", "without a remedy"),
    ],
)  # fmt: skip
def test_what_proves_nothing_is_held_with_the_reason(point, why):
    found = run(drafted(1, point))
    assert found.open == ()
    assert [why in one.held for one in found.held] == [True]
    assert len(run(drafted(1, point), everything=True).open) == 1


def test_what_somebody_wrote_is_proposed_as_before():
    point = "`make test` failed: the fixtures were built for another schema."
    (made,) = run(session(1, point)).open
    assert (made.text, made.source) == (point, "written")


def test_a_remedy_that_was_seen_to_work_comes_before_what_was_said_once():
    remedy = "`make fmt` failed: not trusted; it worked after `mise trust`."
    rule = 'Rule given: "Never use floats for totals"'
    made = run(drafted(1, rule), drafted(2, remedy)).open
    assert [one.text for one in made] == [
        "If `make fmt` fails with \u201cnot trusted\u201d, run `mise trust`.",
        "Never use floats for totals",
    ]


def test_a_rule_in_another_language_is_proposed_and_a_question_is_not():
    rule = 'Rule given: "Beträge immer in Cent speichern, nie als Gleitkommazahl"'
    asked = 'Rule given: "Sollen wir die Beträge immer in Cent speichern?"'
    assert len(run(drafted(1, rule)).open) == 1
    assert run(drafted(1, asked)).open == ()


def test_a_remedy_seen_in_two_sessions_is_worded_as_an_instruction():
    point = (
        "`mise run fmt` failed: error parsing config file mise.toml; it worked after `mise trust`."
    )
    (made,) = run(drafted(1, point), drafted(2, point)).open
    assert made.text == (
        "If `mise run fmt` fails with \u201cerror parsing config file mise.toml\u201d, "
        "run `mise trust`."
    )
    assert [item.quote for item in made.evidence] == [point, point]


def test_a_failure_is_no_surer_for_having_come_again():
    point = "`make test` failed (3 times): FAIL shop/cart [build failed]."
    (made,) = run(*(drafted(n, point) for n in range(1, 6))).held
    assert (made.confidence, made.importance < 0.5) == ("low", True)


def test_a_rule_of_several_sessions_comes_before_one_of_a_single_session():
    often = 'Corrected: "never mock the payment gateway"'
    once = 'Corrected: "always quote the totals in pennies"'
    found = run(drafted(1, once), drafted(2, often), drafted(3, often)).open
    assert [one.text for one in found] == [
        "Never mock the payment gateway",
        "Always quote the totals in pennies",
    ]


def test_a_label_of_ours_joins_nothing():
    views = [
        drafted(1, 'ExitPlanMode rejected: "the ledger wants a second currency"'),
        drafted(2, 'ExitPlanMode rejected: "our parser chokes on tabs"'),
    ]
    found = run(*views, everything=True).open
    assert sorted(one.text for one in found) == [
        "Our parser chokes on tabs",
        "The ledger wants a second currency",
    ]


def test_a_learning_speaks_for_its_cluster_and_comes_before_a_single_trouble():
    told = "The checkout tests broke, the payment fixture was missing."
    learnt = "The checkout tests need the payment fixture: load it first."
    view = session(1, told, "Sass warnings drown the output of every build.")
    view = replace(view, entry=replace(view.entry, learnings=(learnt,)))
    found = run(view, everything=True).open
    assert found[0].text.startswith(learnt)
    assert found[0].importance > found[-1].importance


def test_plans_of_an_import_are_no_lessons():
    views = [drafted(n, next_steps=("Rename the cart module.",)) for n in (1, 2)]
    assert run(*views).open == ()
