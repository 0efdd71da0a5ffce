"""`calmkb uninit`: taken out to the byte, the records left."""

import pytest

from calmkb.store.git.journal_branch import attach_journal
from calmkb.system.journal_place import JOURNAL_BRANCH
from tests.conftest import git
from tests.places.test_init import tree

WORDS = "# Ours\n\nMind the gap."


def state(one):
    """Return all that a person could notice: files, settings of git, status, branches."""
    config = (one.clone / ".git/config").read_bytes()
    refs = one.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    kept = [ref for ref in refs if JOURNAL_BRANCH not in ref]
    there = (one.clone / ".git/calmkb").exists()
    return (tree(one.clone), config, one.git("status", "--porcelain"), kept, there,
            one.git("worktree", "list"))  # fmt: skip


@pytest.mark.parametrize("place", ["branch", "beside"])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_all_of_it_goes_and_the_records_stay(person, place, ending):
    ada = person("ada")
    (ada.clone / "AGENTS.md").write_bytes((WORDS + ending).encode())
    before = state(ada)
    ada.calm("init", "--place", place)
    ada.calm("wrapup", "--summary", "The till was fixed.")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("memory", "add", "Keep it.", "--category", "fact", "--path", "web/**")
    ada.calm("export")
    ada.calm("export", "--target", "claude-rules", "--target", "claude-md", "--target", "cursor")
    ada.calm("export", "--target", "json", "--target", "skill", "--target", "copilot")
    ada.calm("hooks", "on", "--project")
    said = ada.calm("uninit", "--yes")
    assert state(ada) == before
    if place == "branch":
        assert "git branch -D calmkb-journal" in said
        records, ref = ada.clone, JOURNAL_BRANCH
    else:
        records, ref = ada.clone.with_name("storefront-journal"), "HEAD"
    assert "sessions/" in git(records, "ls-tree", "-r", "--name-only", ref)
    assert "no journal belongs to" in ada.attempt("uninit", "--yes").err


def test_in_the_branch_at_hand_what_init_made_goes_and_what_changed_is_named(person):
    ada = person("ada")
    before = tree(ada.clone)
    ada.calm("init", "--place", "here", "--checks")
    ada.calm("wrapup", "--summary", "The till was fixed.")
    (ada.clone / "docs/about.md").write_text("# Mine\n")
    said = ada.calm("uninit", "--yes")
    assert f"keep    {ada.clone / 'docs/about.md'}: it was changed" in said
    left = tree(ada.clone)
    records = {path for path in left if path.startswith("journal/sessions/")}
    assert len(records) == 1
    assert set(left) - records == {*before, "docs/about.md"}
    assert not (ada.clone / ".github").exists()


def test_a_colleagues_clone_takes_out_what_is_as_init_makes_it(person):
    ada, ben = person("ada"), person("ben")
    before = tree(ada.clone)
    ada.calm("init", "--place", "here")
    ada.git("add", ".")
    ada.git("commit", "-qm", "Begin a journal")
    ada.git("push", "-q")
    ben.git("pull", "-q")
    ben.calm("uninit", "--yes")
    assert tree(ben.clone) == before


def test_another_remote_is_remembered_and_forgotten(person, tmp_path):
    ada = person("ada")
    git(tmp_path, "init", "-q", "--bare", "team.git")
    ada.git("remote", "add", "team", str(tmp_path / "team.git"))
    before = state(ada)
    assert "Shared with team." in ada.calm("init", "--share", "team")
    ada.calm("wrapup", "--summary", "For the team.")
    assert ada.calm("sync").startswith("team: ")
    assert JOURNAL_BRANCH not in ada.git("ls-remote", "origin")
    ada.calm("uninit", "--yes")
    ada.git("update-ref", "-d", f"refs/remotes/team/{JOURNAL_BRANCH}")
    assert state(ada) == before


def test_a_remote_that_is_not_there_is_named_before_anything_is_written(person):
    ada = person("ada")
    before = state(ada)
    said = ada.attempt("init", "--share", "nowhere")
    assert (said.code, "no remote nowhere; choose from: origin" in said.err) == (1, True)
    assert state(ada) == before


def test_a_dry_run_changes_nothing_and_without_a_terminal_it_wants_a_yes(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    before = state(ada)
    assert f"remove  {ada.clone / 'CLAUDE.md'}" in ada.calm("uninit", "--dry-run")
    assert "say --yes" in ada.attempt("uninit").err
    assert state(ada) == before


def test_a_digest_that_was_edited_by_hand_is_kept_and_named(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    path = ada.clone / "CLAUDE.md"
    path.write_text(path.read_text().replace("Docker up", "Docker down"))
    text = path.read_bytes()
    assert "was edited by hand" in ada.calm("uninit", "--yes")
    assert path.read_bytes() == text


def test_what_is_not_committed_in_the_journal_stops_it(person):
    ada = person("ada")
    ada.calm("init")
    (ada.clone / ".git/calmkb/journal/draft.md").write_text("mine\n")
    said = ada.attempt("uninit", "--yes")
    assert (said.code, "draft.md is not committed" in said.err) == (1, True)


def test_a_record_that_was_put_aside_stops_it(person):
    ada = person("ada")
    ada.calm("init")
    aside = ada.clone / ".git/worktrees/journal/calmkb/broken/x.record"
    aside.parent.mkdir(parents=True)
    aside.write_text("half a record\n")
    said = ada.attempt("uninit", "--yes")
    assert (said.code, "in no commit" in said.err) == (1, True)
    assert aside.read_text() == "half a record\n"


def test_a_branch_that_origin_has_does_not_come_back_by_itself(person, home):
    ada = person("ada")
    ada.calm("init", "--share", "origin")
    ada.calm("uninit", "--yes")
    assert ada.attempt("wrapup", "--summary", "For me alone.").err == ""
    assert not (ada.clone / ".git/calmkb/journal").exists()
    assert (home / ".calm/kb").is_dir()
    assert "made" not in ada.calm("init").replace("files made", "")
    assert attach_journal(ada.clone / ".git")
