"""Ten proposals at once: the rest on request, in a pull request none of it, or nothing at all."""

import json

import pytest

from tests import warm
from tests.conftest import git

WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima".split()


@pytest.fixture
def twelve(project, cli):
    """Return the project after twelve sessions that met twelve different things."""
    for word in WORDS:
        cli("wrapup", "--summary", "x", "--friction", f"{word} {word}ing {word}ed the {word}er")
    return project


def proposed(cli):
    return json.loads(cli("reflect", "--json").out)["proposals"]


def review(folder, *options):
    child = warm.at_terminal("reflect", *options, folder=folder, dimensions=(80, 120))
    child.expect("reflect> ")
    return child


def test_a_review_asks_about_ten_and_leaves_the_rest_for_the_next_time(twelve, cli):
    child = review(twelve)
    assert "1 of 10" in child.before
    child.sendline("l")
    child.expect("reflect> ")
    assert " 10. " in child.before and " 11. " not in child.before
    child.sendline("none")
    child.expect("10 rejected, 0 open")
    child.sendline("done")
    child.expect("Reflection Complete")
    child.expect("Left for next time: 2 proposals")
    child.wait()
    assert len(proposed(cli)) == 2


def test_more_asks_about_all_of_them(twelve, cli):
    child = review(twelve, "--more")
    assert "1 of 12" in child.before and "more wait for the next time" not in child.before
    child.sendline("all")
    child.expect("12 accepted")
    child.sendline("done")
    child.expect("Memories created: 12")
    child.wait()
    assert proposed(cli) == []


def test_a_pull_request_holds_ten_files_and_the_next_one_the_rest(twelve, cli, tmp_path):
    git(twelve, "init", "-q", "--bare", str(tmp_path / "there.git"))
    git(twelve, "remote", "add", "origin", str(tmp_path / "there.git"))
    git(twelve, "push", "-q", "-u", "origin", "HEAD")
    for count in (10, 2):
        said = json.loads(cli("reflect", "--pr", "--json").out)
        git(twelve, "fetch", "-q")
        added = git(
            twelve, "diff", "--name-only", "--diff-filter=A", f"HEAD...origin/{said['branch']}"
        )
        assert (len(said["memories"]), len(added.split())) == (count, count)


LINES = ("The bug was on line 234 of user.py", "The bug was on line 512 of user.py")


@pytest.fixture
def brittle(project, cli):
    """Return the project after sessions whose friction is held back."""
    for line in LINES:
        cli("wrapup", "--summary", "x", "--friction", line)
    return project


def test_a_review_that_asks_nothing_writes_nothing_and_says_what_it_held_back(brittle, cli):
    before = git(brittle, "rev-parse", "HEAD")
    for _ in range(2):
        said = cli("reflect")
        assert said.out.startswith("Nothing worth a memory in 2 sessions.\n1 held back: names")
        assert "See them: calmkb reflect --all" in said.out
    assert git(brittle, "rev-parse", "HEAD") == before


def test_what_a_review_held_back_can_be_had_after_it(brittle, cli):
    cli("wrapup", "--summary", "x", "--friction", "The tests hang without the database container.")
    held = json.loads(cli("reflect", "--json").out)["held"]
    assert [one["held"] for one in held] == ["names a line of a file and little else"]
    child = review(brittle)
    child.sendline("h")
    child.expect("Names a line of a file and little else")
    child.expect("The bug was on line")
    child.expect("reflect> ")
    child.sendline("all")
    child.expect("reflect> ")
    child.sendline("done")
    child.expect("Sessions processed: 3")
    child.wait()
    assert proposed(cli) == []
    again = json.loads(cli("reflect", "--all", "--json").out)["proposals"]
    assert [one["text"] for one in again] == [one["text"] for one in held]
    child = review(brittle, "--all")
    child.sendline("r only a line")
    child.expect("reflect> ")
    child.sendline("done")
    child.expect("Rejected: 1")
    child.wait()
    assert json.loads(cli("reflect", "--all", "--json").out)["proposals"] == []


def test_each_id_is_checked_at_its_key_and_a_review_without_decisions_writes_nothing(twelve):
    before = git(twelve, "rev-parse", "HEAD")
    child = review(twelve)
    for key in ("x", "m"):
        child.sendline(f"{key} pnpm")
        child.expect("'pnpm' names no memory")
        child.expect("reflect> ")
    child.sendline("done")
    child.expect("Nothing was decided, so nothing was written.")
    child.wait()
    assert git(twelve, "rev-parse", "HEAD") == before


RULE = "Use pnpm for every script in this project."
FRICTION = (
    "`npm test` hung: the project uses pnpm, and the lock file was rewritten.",
    "`npm run dev` fails: use pnpm",
    "`npm test` hangs again, this is a pnpm project",
)


@pytest.mark.parametrize("how", ["--learning", "--friction"])
def test_the_rule_that_somebody_wrote_leads_and_the_others_are_its_evidence(
    project, cli, tmp_path, how
):
    for number, friction in enumerate(FRICTION):
        rule = [how, RULE] if number == 1 else []
        cli("wrapup", "--summary", "x", "--friction", friction, *rule)
    (found,) = proposed(cli)
    assert (found["text"], found["category"]) == (RULE, "workflow")
    assert {one["quote"] for one in found["evidence"]} == {RULE, *FRICTION}
    git(project, "init", "-q", "--bare", str(tmp_path / "there.git"))
    git(project, "remote", "add", "origin", str(tmp_path / "there.git"))
    git(project, "push", "-q", "-u", "origin", "HEAD")
    (asked,) = json.loads(cli("reflect", "--pr", "--json").out)["memories"]
    assert asked["text"] == RULE


@pytest.mark.parametrize("friction", [
    "The pnpm store is corrupted; run `pnpm store prune`.",
    "The tests need pnpm-lock.yaml in the image.",
    "Do not use pnpm in the legacy folder.",
])  # fmt: skip
def test_what_only_mentions_the_same_tool_is_a_lesson_of_its_own(project, cli, friction):
    cli("wrapup", "--summary", "x", "--friction", friction)
    cli("wrapup", "--summary", "x", "--friction", FRICTION[0], "--learning", RULE)
    found = {one["text"]: one for one in proposed(cli)}
    assert {one["quote"] for one in found[RULE]["evidence"]} == {RULE, FRICTION[0]}


def test_two_rules_about_one_tool_stay_two(project, cli):
    rules = (
        "Use pnpm for every script in this project.",
        "Use pnpm 9 until the image has node 22.",
    )
    for rule in rules:
        cli("wrapup", "--summary", "x", "--friction", FRICTION[0], "--learning", rule)
    assert {one["text"] for one in proposed(cli)} == set(rules)
