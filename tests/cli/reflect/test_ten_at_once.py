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
        cli("wrapup", "--summary", "x", "--friction", f"{word} {word}ing broke the {word}er twice")
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


def test_sessions_that_teach_nothing_are_closed_without_a_question(project, cli):
    for line in (234, 512):
        cli("wrapup", "--summary", "x", "--friction", f"The bug was on line {line} of user.py")
    said = cli("reflect")
    assert said.out.startswith("Nothing worth a memory in 2 sessions.\n"), said.err
    assert "- Sessions processed: 2" in said.out and "- Memories created: 0" in said.out
    assert cli("reflect").out == "No unreflected sessions to process.\n"
