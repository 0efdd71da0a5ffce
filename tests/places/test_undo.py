"""`calmkb init --undo`: files as they were, to the byte; the records left."""

import pytest

from calmkb.system.journal_place import JOURNAL_BRANCH
from tests.conftest import git
from tests.places.test_init import tree

WORDS = "# Ours\n\nMind the gap."


@pytest.mark.parametrize("place", ["branch", "beside"])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_every_file_is_as_before_and_the_records_stay(person, place, ending):
    ada = person("ada")
    (ada.clone / "AGENTS.md").write_bytes((WORDS + ending).encode())
    before = tree(ada.clone)
    ada.calm("init", "--place", place)
    ada.calm("wrapup", "--summary", "The till was fixed.")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("memory", "add", "Keep it.", "--category", "fact", "--path", "web/**")
    ada.calm("export")
    ada.calm("export", "--target", "claude-rules", "--target", "claude-md", "--target", "cursor")
    ada.calm("export", "--target", "json", "--target", "skill", "--target", "copilot")
    ada.calm("hooks", "on", "--project")
    said = ada.calm("init", "--undo", "--yes")
    assert tree(ada.clone) == before
    if place == "branch":
        assert "git branch -D calmkb-journal" in said
        records, ref = ada.clone, JOURNAL_BRANCH
    else:
        assert "rm " in said
        records, ref = ada.clone.with_name("storefront-journal"), "HEAD"
    assert "sessions/" in git(records, "ls-tree", "-r", "--name-only", ref)
    again = ada.calm("init", "--undo", "--yes")
    assert "remove  " not in again
    assert "restore " not in again


def test_what_it_names_takes_the_journal_of_a_branch_out(person):
    ada = person("ada")
    ada.calm("init")
    said = ada.calm("init", "--undo", "--yes")
    for command in said.split("to remove them too: ")[1].split(", and where")[0].split(" && "):
        ada.git(*command.split()[1:])
    assert "no journal belongs to" in ada.attempt("init", "--undo", "--yes").err


def test_in_the_branch_at_hand_what_init_made_is_named(person):
    ada = person("ada")
    ada.calm("init", "--place", "here", "--checks")
    before = tree(ada.clone)
    said = ada.calm("init", "--undo", "--yes")
    assert f"keep    {ada.clone / 'docs/about.md'}, which calmkb init made" in said
    assert f"keep    {ada.clone / '.github/workflows/journal.yml'}, which" in said
    assert tree(ada.clone) == before


def test_a_remote_that_is_not_there_is_named_before_anything_is_written(person):
    ada = person("ada")
    before = tree(ada.clone), ada.git("branch", "--list")
    said = ada.attempt("init", "--share", "nowhere")
    assert (said.code, "no remote nowhere; choose from: origin" in said.err) == (1, True)
    assert (tree(ada.clone), ada.git("branch", "--list")) == before


def test_without_a_terminal_it_shows_what_it_would_do_and_wants_a_yes(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    before = tree(ada.clone)
    said = ada.attempt("init", "--undo")
    assert f"remove  {ada.clone / 'CLAUDE.md'}" in said.out
    assert (said.code, "say --yes" in said.err) == (1, True)
    assert tree(ada.clone) == before


def test_a_digest_that_was_edited_by_hand_is_kept_and_named(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    path = ada.clone / "CLAUDE.md"
    path.write_text(path.read_text().replace("Docker up", "Docker down"))
    text = path.read_bytes()
    assert "was edited by hand" in ada.calm("init", "--undo", "--yes")
    assert path.read_bytes() == text
