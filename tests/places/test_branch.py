"""The journal's branch of a code repository: found by files, checked out in the git folder."""

import shutil

import pytest

from calmkb.config import find_root
from calmkb.errors import StoreError
from calmkb.store.git.journal_branch import attach_journal, note_place
from calmkb.store.git.repository import find_repository
from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE
from tests.conftest import git


@pytest.fixture
def shop(repo):
    """Return a code repository whose branch `calmkb-journal` holds a journal."""
    git(repo, "checkout", "-q", "--orphan", JOURNAL_BRANCH)
    git(repo, "rm", "-rfq", ".")
    (repo / "calmkb.toml").write_text('project = "shop"\n')
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "begin")
    git(repo, "checkout", "-q", "main")
    return repo


def look(cwd, home):
    return find_root(option=None, env={}, cwd=cwd, home=home)


def test_the_branch_is_checked_out_where_git_status_and_clean_do_not_look(shop, home):
    assert look(shop, home) == home / ".calm/kb"
    assert attach_journal(shop / ".git")
    assert attach_journal(shop / ".git")
    assert look(shop, home) == shop / ".git" / WORK_TREE
    git(shop, "clean", "-fdxq")
    git(shop, "worktree", "prune")
    git(shop, "gc", "-q", "--prune=now")
    assert git(shop, "status", "--porcelain", "--ignored") == ""
    assert (shop / ".git" / WORK_TREE / "calmkb.toml").is_file()


def test_every_work_tree_and_sub_folder_shares_the_journal(shop, home, tmp_path):
    attach_journal(shop / ".git")
    git(shop, "worktree", "add", "-q", str(tmp_path / "feature"))
    (tmp_path / "feature/src").mkdir()
    assert look(tmp_path / "feature/src", home) == shop / ".git" / WORK_TREE


def test_settings_in_the_work_tree_are_nearer_than_the_branch(shop, home):
    attach_journal(shop / ".git")
    (shop / "docs").mkdir()
    (shop / "docs/calmkb.toml").touch()
    assert look(shop / "docs", home) == shop / "docs"


@pytest.mark.parametrize("packed", [False, True])
def test_a_fresh_clone_finds_the_branch_of_its_origin(shop, home, tmp_path, packed):
    git(tmp_path, "clone", "-q", str(shop), "mine")
    mine = tmp_path / "mine"
    if packed:
        git(mine, "pack-refs", "--all")
    assert look(mine, home) == mine / ".git" / WORK_TREE
    assert attach_journal(mine / ".git")
    assert git(mine, "rev-parse", JOURNAL_BRANCH) == git(shop, "rev-parse", JOURNAL_BRANCH)


def test_a_branch_of_that_name_without_settings_is_no_journal(repo, tmp_path):
    git(repo, "branch", JOURNAL_BRANCH)
    assert not attach_journal(repo / ".git")


def test_a_note_names_a_folder_beside(shop, home, tmp_path):
    attach_journal(shop / ".git")
    note_place(shop / ".git", home, str(tmp_path / "shop-journal"))
    assert look(shop, home) == tmp_path / "shop-journal"


def test_no_file_of_a_repository_can_name_a_folder(shop, home, tmp_path):
    for folder in (shop / "calmkb", shop / ".git/calmkb", shop / ".calm"):
        folder.mkdir()
        (folder / "place").write_text(f"{tmp_path}\n")
        (folder / "places").write_text(f"{shop / '.git'}\n{tmp_path}\n")
    assert look(shop, home) == home / ".calm/kb"


@pytest.mark.parametrize("how", ["gitdir", "commondir", "link", "linked folder"])
def test_an_archive_cannot_lead_to_another_repository(shop, repo, home, tmp_path, how):
    mine = tmp_path / "mine"
    git(tmp_path, "clone", "-q", "--bare", str(shop), "mine")
    git(tmp_path, "init", "-q", "theirs")
    theirs = tmp_path / "theirs/.git"
    admin, place = theirs / "worktrees/journal", theirs / WORK_TREE
    admin.mkdir(parents=True)
    (admin / "commondir").write_text(f"{mine}\n" if how == "commondir" else "../..\n")
    if how == "link":
        place.parent.mkdir()
        place.symlink_to(tmp_path)
    elif how == "linked folder":
        place.parent.symlink_to(tmp_path)
        (tmp_path / "journal").mkdir()
        (tmp_path / "journal/.git").write_text(f"gitdir: {admin}\n")
    else:
        place.mkdir(parents=True)
        named = mine if how == "gitdir" else admin
        (place / ".git").write_text(f"gitdir: {named}\n")
    assert look(tmp_path / "theirs", home) == home / ".calm/kb"


def test_a_deleted_work_tree_of_an_archive_is_not_restored_from_another_repository(shop, tmp_path):
    git(tmp_path, "clone", "-q", str(shop), "mine")
    before = git(tmp_path / "mine", "for-each-ref")
    admin = shop / ".git/worktrees/journal"
    admin.mkdir(parents=True)
    (admin / "HEAD").write_text(f"ref: refs/heads/{JOURNAL_BRANCH}\n")
    (admin / "commondir").write_text(f"{tmp_path / 'mine/.git'}\n")
    (admin / "gitdir").write_text(f"{shop / '.git' / WORK_TREE / '.git'}\n")
    with pytest.raises(StoreError, match="already checked out"):
        attach_journal(shop / ".git")
    assert git(tmp_path / "mine", "for-each-ref") == before


def test_a_repository_that_is_moved_still_has_its_journal(shop, tmp_path):
    attach_journal(shop / ".git")
    shop.rename(tmp_path / "moved")
    place = tmp_path / "moved/.git" / WORK_TREE
    assert git(place, "status", "--porcelain") == ""
    git(tmp_path / "moved", "worktree", "prune")
    assert git(place, "log", "--format=%s") == "begin\n"


def test_it_is_found_without_asking_git_and_as_git_finds_it(shop):
    attach_journal(shop / ".git")
    place = shop / ".git" / WORK_TREE
    found = find_repository(place)
    assert found
    asked = git(place, "rev-parse", "--show-toplevel", "--absolute-git-dir").splitlines()
    assert [str(found.top), str(found.git_dir)] == asked


def test_in_a_submodule_it_lies_in_the_git_folder_of_that(shop, home, tmp_path):
    git(tmp_path, "init", "-q", "outer")
    outer = tmp_path / "outer"
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(shop), "shop")
    place = outer / ".git/modules/shop" / WORK_TREE
    assert look(outer / "shop", home) == place
    assert attach_journal(outer / ".git/modules/shop")
    assert git(place, "rev-parse", "--show-toplevel").strip() == str(place)
    assert git(outer / "shop", "status", "--porcelain") == ""


def test_what_a_killed_checkout_left_is_not_taken_for_the_journal(shop):
    half = shop / ".git/calmkb.making/journal"
    half.parent.mkdir()
    git(shop, "worktree", "add", "-q", "--no-checkout", str(half), JOURNAL_BRANCH)
    git(shop, "worktree", "lock", str(half))
    assert attach_journal(shop / ".git")
    assert (shop / ".git" / WORK_TREE / "calmkb.toml").is_file()
    assert not half.parent.exists()


def test_a_work_tree_that_somebody_deleted_comes_back_with_what_waited_for_it(shop, home):
    attach_journal(shop / ".git")
    place = shop / ".git" / WORK_TREE
    waiting = shop / ".git/worktrees/journal/calmkb/spool/x"
    waiting.parent.mkdir(parents=True)
    waiting.touch()
    shutil.rmtree(shop / ".git/calmkb")
    assert look(shop, home) == place
    assert attach_journal(shop / ".git")
    assert git(place, "status", "--porcelain") == ""
    assert (place / "calmkb.toml").is_file()
    assert waiting.exists()


def test_a_branch_that_is_checked_out_elsewhere_is_named(shop):
    git(shop, "checkout", "-q", JOURNAL_BRANCH)
    with pytest.raises(StoreError, match="already checked out"):
        attach_journal(shop / ".git")
