"""Proposals that contradict each other, or a rule that asks for the check they bypass."""

import pytest

from calmkb.reflect.opposites.safeguards import rule_broken
from tests.reflect.proposals.test_proposals import run, session

SIGN = "Never commit without signing; the host refuses such a push."
HOOKS = "The pre-commit hooks must pass before every commit."


@pytest.mark.parametrize(
    ("advice", "rule"),
    [
        ("If signing fails, use `git commit --no-gpg-sign`.", SIGN),
        ("Commit with `-c commit.gpgsign=false` when the agent has no key.", SIGN),
        ("When the hook is slow, `git commit --no-verify` works.", HOOKS),
        ("Set HUSKY=0 before the release script.", "Every commit runs the pre-commit hooks."),
        ("Run `git push --force` after a rebase.", "Never force-push a shared branch."),
        ("Skip the flaky tests with @pytest.mark.skip.", "All tests must pass; do not skip tests."),
    ],
)
def test_advice_that_bypasses_a_check_breaks_its_rule(advice, rule):
    assert rule_broken(advice, ["Prices are integers of cents.", rule]) == rule


@pytest.mark.parametrize(
    ("advice", "rule"),
    [
        ("Never use `git commit --no-verify`; fix what the hook names.", HOOKS),
        ("Sign commits; do not pass `--no-gpg-sign`.", SIGN),
        ("Run `git push --force-with-lease` after a rebase.", "Never force-push to main."),
        ("Use `git commit --no-verify` for the generated files.", "Prices are integers of cents."),
        ("Use `git commit --no-verify`.", "The pre-commit hook formats the code."),
    ],
)
def test_advice_that_denies_it_or_meets_no_standing_rule_breaks_none(advice, rule):
    assert rule_broken(advice, [rule]) == ""


def test_opposites_of_one_batch_name_each_other_and_which_is_later():
    made = run(
        session(1, "Use npm for every script of the web client, not pnpm."),
        session(2, "Use pnpm for every script of the web client, not npm."),
    ).open
    said = {one.text[:8]: one.contradicts for one in made}
    assert said["Use npm "].startswith("a later proposal: Use pnpm for every script")
    assert said["Use pnpm"].startswith("another proposal: Use npm for every script")


def test_what_speaks_against_a_proposal_lowers_it():
    npm, pnpm = (f"Use {one} for every script of the web client, not {other}."
                 for one, other in (("npm", "pnpm"), ("pnpm", "npm")))  # fmt: skip
    made = run(*(session(n, pnpm) for n in (1, 2, 3, 4)), session(5, npm)).open
    assert {one.text: one.confidence for one in made} == {pnpm: "high", npm: "low"}
    made = run(*(session(n, pnpm) for n in (1, 2, 3)), session(4, npm), session(5, npm)).open
    assert {one.text: one.confidence for one in made} == {pnpm: "low", npm: "low"}


def test_what_is_alike_and_agrees_contradicts_nothing():
    made = run(
        session(1, "Use pnpm for every script of the web client."),
        session(2, "Start the database container before the tests."),
    ).open
    assert {one.contradicts for one in made} == {""}
