"""`calmkb reflect`: proposals, improvements and signals in one queue, with one set of keys."""

import json
import re

import pytest

from tests import warm
from tests.conftest import git
from tests.improvements.conftest import kept  # noqa: F401
from tests.learning.conftest import capture, store  # noqa: F401 - fixtures

FRICTION = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
FIXTURES = "We keep fixtures in tests/data"
FOLDERS = "The folders of the till have two names."


@pytest.fixture
def waiting(project, cli, kept, capture):  # noqa: F811
    """Return the project with a proposal, an improvement and a captured signal."""
    for _ in range(2):
        cli("wrapup", "--summary", "Fixed the till.", "--friction", FRICTION)
    kept(FOLDERS)
    return capture(FIXTURES, "convention")


def asked(*options):
    child = warm.at_terminal("reflect", *options, dimensions=(60, 100))
    child.expect("reflect> ")
    return child


def test_the_help_of_a_review_fits_a_terminal_of_80_columns(waiting):
    child = warm.at_terminal("reflect", dimensions=(60, 80))
    child.expect("reflect> ")
    child.sendline("?")
    child.expect("without any it is this one")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", child.before).splitlines()
    assert sum("accept" in line for line in lines) >= 2
    assert [line for line in lines if len(line) > 80] == []
    child.close()


def states(cli):
    rows = json.loads(cli("improvements", "list", "--json").out)["improvements"]
    return [row["state"] for row in rows]


def test_each_kind_is_asked_about_and_written(waiting, project, cli, store):  # noqa: F811
    child = asked()
    assert "pnpm" in child.before and "1 of 3" in child.before
    child.sendline("a")
    child.expect("Improvements")
    child.expect("two names")
    child.sendline("a")
    child.expect("3 of 3 · Learning 1 of 1")
    child.sendline("a p")
    child.expect("added to ")
    child.sendline("")
    child.expect("is applied: The folders of the till")
    child.expect("Reflected on 1 item: 1 added, 0 skipped.")
    child.expect("Memories created: 1")
    child.wait()
    assert states(cli) == ["applied"]
    assert store.get(waiting.id).status == "promoted"
    assert FIXTURES in (project / "CLAUDE.md").read_text()
    assert "improve(" in git(project, "log", "--format=%s")


def test_a_key_does_to_all_what_it_does_to_one_and_is_taken_back_in_one(waiting, cli, store):  # noqa: F811
    child = asked()
    child.sendline("none")
    child.expect("2 rejected, 1 dismissed, 0 open")
    child.sendline("u")
    child.expect("what was decided here is written")
    child.expect("1 dismissed, 2 open")
    child.sendline("m 2")
    child.expect("merge is for proposals; of this improvement choose: accept, reject, skip")
    child.sendline("r 2 not worth it")
    child.expect("1 rejected, 1 dismissed, 1 open")
    child.sendline("done")
    child.expect("is deferred")
    child.wait()
    assert states(cli) == ["deferred"]
    assert store.get(waiting.id).status == "dismissed"


def test_what_was_decided_is_kept_where_the_person_leaves(waiting, cli):
    child = asked()
    child.sendline("r 1-2")
    child.expect("2 rejected, 1 open")
    child.sendline("q")
    child.expect("Your decisions are kept")
    child.wait()
    assert states(cli) == ["pending"]
    again = asked()
    assert "Decided before, and not yet written: 2 rejected, 1 open." in again.before
    again.sendline("u")
    again.expect("1 rejected, 2 open")
    again.sendline("q")
    again.wait()


def test_signals_alone_are_asked_about_with_the_filter(waiting):
    child = asked("--signals")
    assert "Learning 1 of 1" in child.before
    assert "pnpm" not in child.before
    child.sendline("q")
    child.wait()


def test_a_program_is_given_the_proposals_alone(waiting, cli):
    assert len(json.loads(cli("reflect", "--json").out)["proposals"]) == 1
