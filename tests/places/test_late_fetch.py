"""A colleague whose clone does not know the team's journal yet."""

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.sessions import read_contents
from calmkb.wings.mcp.verbs import mark_reflected
from tests.conftest import git


@pytest.fixture
def late(person):
    """Return a person who cloned before a colleague began the journal, and has one session."""
    bob = person("bob")
    ada = person("ada")
    ada.calm("init", "--place", "branch")
    ada.calm("wrapup", "--summary", "Began.")
    ada.calm("sync")
    return bob


def records(folder):
    return sorted((folder / "journal/sessions").rglob("*.md"))


def test_a_clone_without_a_journal_is_told_that_there_may_be_one(late):
    said = late.attempt("wrapup", "--summary", "Wrote the till.")
    assert (said.code, "a colleague may have begun one: git fetch" in said.err) == (0, True)
    late.git("fetch", "-q")
    said = late.attempt("wrapup", "--summary", "Wrote the shelf.")
    assert (said.code, "colleague" in said.err) == (0, False)
    assert len(records(late.clone / ".git/calmkb/journal")) == 2


def test_a_repository_without_a_remote_is_told_nothing(late):
    late.git("remote", "remove", "origin")
    assert "colleague" not in late.attempt("wrapup", "--summary", "Wrote the till.").err


def test_sessions_that_went_home_are_named_and_moved_once(late, home):
    late.attempt("wrapup", "--summary", "Wrote the till.")
    said = late.attempt("project", "move")
    assert (said.code, "git fetch" in said.err) == (1, True)
    late.git("fetch", "-q")
    assert "calmkb project move" in late.attempt("doctor").out
    personal, journal = home / ".calm/kb", late.clone / ".git/calmkb/journal"
    (went,) = records(personal)
    text = went.read_bytes()
    assert late.calm("project", "move").startswith("1 session moved")
    assert (records(personal), len(records(journal))) == ([], 2)
    assert text in [path.read_bytes() for path in records(journal)]
    assert git(journal, "status", "--porcelain") == git(personal, "status", "--porcelain") == ""
    assert late.calm("project", "move").startswith("0 sessions moved")
    assert "project move" not in late.attempt("doctor").out


def test_a_move_that_was_killed_half_way_is_finished_and_doubles_nothing(late, home):
    late.attempt("wrapup", "--summary", "Wrote the till.")
    personal, journal = home / ".calm/kb", late.clone / ".git/calmkb/journal"
    late.git("fetch", "-q")
    late.calm("project", "move")
    git(personal, "revert", "--no-edit", "HEAD")  # as if it had been killed before the removal
    assert len(records(personal)) == 1
    late.calm("project", "move")
    assert (records(personal), len(records(journal))) == ([], 2)


def test_a_session_that_a_reflection_cites_stays_with_it(late, home):
    late.attempt("wrapup", "--summary", "Wrote the till.")
    kept = open_kb(process_environment(), option=str(home / ".calm/kb"))
    mark_reflected(kept, [view.entry.id for view in read_contents(kept).sessions])
    late.git("fetch", "-q")
    said = late.calm("project", "move")
    assert "0 sessions moved" in said and "1 session stayed" in said
    assert len(records(home / ".calm/kb")) == 1
