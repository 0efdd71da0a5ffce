"""`calmkb init --undo`: files as they were, to the byte; the records left."""

import shutil
import subprocess

import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
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
    note(ada.clone)
    take_out(ada, said)
    assert (ada.clone.with_name("storefront-records") / NOTE).is_file()
    assert "no journal belongs to" in ada.attempt("init", "--undo", "--yes").err


NOTE = "journal/sessions/2026/11/25/2026-11-25T100000Z-note.md"


def note(clone):
    """Write a note by hand into the journal's work tree."""
    path = clone / ".git/calmkb/journal" / NOTE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Mind the till.\n")


def take_out(ada, said):
    """Do what the last answer says would remove the branch, each command on its own line."""
    lines = said.partition(", files kept:\n")[2].split("\n        ")
    *commands, shared = [line.strip() for line in lines]
    assert shared.startswith(f"git push origin --delete {JOURNAL_BRANCH} ")
    subprocess.run(["sh", "-c", "\n".join(commands)], cwd=ada.clone, check=True)


@pytest.mark.parametrize("state", ["moved", "killed half-way", "killed later", "locked no more"])
def test_it_works_in_any_state_that_a_move_or_a_kill_left(person, state):
    ada = person("ada")
    ada.calm("init")
    ada.calm("wrapup", "--summary", "The till was fixed.")
    journal = ada.clone / ".git/calmkb/journal"
    if state == "moved":
        ada.clone.rename(ada.clone.with_name("moved"))
        ada.clone.symlink_to("moved")
    elif state == "locked no more":
        ada.git("worktree", "unlock", str(journal))
    else:
        shutil.rmtree(journal / "journal" if state == "killed half-way" else journal)
    take_out(ada, ada.calm("init", "--undo", "--yes"))
    assert ada.git("branch", "--list", JOURNAL_BRANCH) == ""


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


def test_the_plan_is_written_from_the_home(home, monkeypatch, capsys):
    code = home / "code"
    code.mkdir()
    git(code, "init", "-q")
    monkeypatch.chdir(code)
    assert run(calmkb, ("init", "--yes", "--place", "here")) == 0
    capsys.readouterr()
    run(calmkb, ("init", "--undo"))
    said = capsys.readouterr().out
    assert "keep    the records in ~/code/journal" in said
    assert str(home) not in said
