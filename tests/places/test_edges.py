"""A journal on its branch where git is used in other ways: bare, worktrees, hooks, no access."""

import json
import subprocess

import pytest

from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE
from tests.conftest import git
from tests.places.test_init import tree
from tests.warm import without_terminal


def calmkb(*args, cwd, text=""):
    return without_terminal(*args, cwd=cwd, said=text)


@pytest.fixture
def bare(tmp_path, host):
    """Return a bare repository that is worked in by its linked worktrees alone."""
    git(host, "worktree", "add", "-q", str(tmp_path / "main"), "main")
    git(host, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "feature"))
    return host


def test_the_worktrees_of_a_bare_repository_share_it(bare, tmp_path):
    done = calmkb("init", cwd=tmp_path / "main")
    assert done.returncode == 0, done.stderr
    assert (bare / WORK_TREE / "calmkb.toml").is_file()
    done = calmkb("wrapup", "--summary", "From the feature.", cwd=tmp_path / "feature")
    assert done.returncode == 0, done.stderr
    assert "From the feature." in calmkb("session", "list", cwd=tmp_path / "main").stdout
    assert git(tmp_path / "feature", "status", "--porcelain") == ""
    assert git(bare, "log", "-1", "--format=%s", JOURNAL_BRANCH).endswith("From the feature.\n")


def test_in_a_bare_repository_itself_it_says_where_to_go(bare):
    said = calmkb("init", cwd=bare)
    assert said.returncode == 1
    assert "is in a bare repository or in git's own folder; go into a work tree" in said.stderr
    assert not (bare / ".git").exists()


def test_an_export_goes_to_the_worktree_that_one_stands_in(person, tmp_path):
    ada = person("ada")
    ada.calm("init")
    feature = tmp_path / "feature"
    ada.git("worktree", "add", "-q", str(feature))
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    before = tree(ada.clone)
    (feature / "src").mkdir()
    assert calmkb("export", cwd=feature / "src").returncode == 0
    assert "Docker" in (feature / "CLAUDE.md").read_text()
    assert tree(ada.clone) == before


def test_from_inside_the_journal_it_goes_to_the_code(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    assert calmkb("export", cwd=ada.clone / ".git" / WORK_TREE).returncode == 0
    assert "Docker" in (ada.clone / "CLAUDE.md").read_text()
    assert not (ada.clone / ".git" / WORK_TREE / "CLAUDE.md").exists()


def test_a_sessions_start_brings_the_digest_of_its_worktree_up_to_date(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    ada.calm("memory", "add", "Keep the till open.", "--category", "fact")
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup",
               "cwd": str(ada.clone), "transcript_path": ""}  # fmt: skip
    calmkb("hook", "SessionStart", "--export", cwd=ada.clone, text=json.dumps(payload))
    assert "Keep the till open." in (ada.clone / "CLAUDE.md").read_text()


def test_where_it_cannot_be_made_the_place_is_named_and_nothing_is_lost(person):
    ada = person("ada")
    (ada.clone / ".git/calmkb").write_text("in the way\n")
    said = ada.attempt("init")
    assert said.code == 1
    assert str(ada.clone / ".git/calmkb") in said.err
    (ada.clone / ".git/calmkb").unlink()
    ada.calm("init")
    assert (ada.clone / ".git" / WORK_TREE / "calmkb.toml").is_file()


def test_a_link_in_its_place_is_refused(person, tmp_path):
    ada = person("ada")
    (tmp_path / "outside").mkdir()
    (ada.clone / ".git/calmkb").symlink_to(tmp_path / "outside")
    said = ada.attempt("init")
    assert (said.code, "is a symbolic link" in said.err) == (1, True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_branch_cannot_be_deleted_under_it(person):
    ada = person("ada")
    ada.calm("init")
    done = subprocess.run(
        ["git", "branch", "-D", JOURNAL_BRANCH], cwd=ada.clone, capture_output=True, check=False
    )
    assert done.returncode != 0


def test_a_site_is_built_where_it_is_asked_for_and_in_the_journal_else(person):
    ada = person("ada")
    ada.calm("init")
    ada.calm("wrapup", "--summary", "The till was fixed.")
    said = ada.calm("site", "build")
    assert str(ada.clone / ".git" / WORK_TREE / "site") in said
    assert git(ada.clone / ".git" / WORK_TREE, "status", "--porcelain") == ""
    assert ada.git("status", "--porcelain") == ""
