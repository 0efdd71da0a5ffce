"""The whole loop in each place, between two clones and a bare host."""

import json

import pytest

from calmkb.kb.base.approvals import approve
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.trust.programs import all_requests
from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE
from tests.conftest import git
from tests.places.test_init import tree
from tests.warm import without_terminal

DOCKER = "The end-to-end job needs the database container; nothing said so."
PNPM = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
PLACES = ("here", "branch", "beside")


@pytest.fixture(params=PLACES)
def team(request, person, tmp_path):
    """Return two people whose journal is shared, in one of the three places; the first wrote two
    entries there."""
    ada, ben = person("ada"), person("ben")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "journal.git")
    if request.param == "here":
        ada.calm("init", "--place", "here")
        ada.git("add", ".")
        ada.git("commit", "-qm", "Begin a journal")
        ada.git("push", "-q")
        ben.git("pull", "-q")
    elif request.param == "branch":
        ada.calm("init", "--share", "origin")
        ben.git("fetch", "-q")
    else:
        ada.calm("init", "--place", "beside", "--share", str(tmp_path / "journal.git"))
        beside = ben.clone.with_name("storefront-journal")
        git(tmp_path, "clone", "-q", "journal.git", str(beside))
        git(beside, "config", "user.email", "ben@example.org")
        ben.calm("init", "--place", "beside")
    for friction in (PNPM, DOCKER):
        ada.calm("wrapup", "--summary", "Worked.", "--friction", friction)
    return ada, ben


def journal_of(one):
    """Return the folder of somebody's journal, and the address of its host."""
    places = (one.clone / ".git" / WORK_TREE, one.clone.with_name("storefront-journal"))
    folder = next((place for place in places if place.is_dir()), one.clone)
    return folder, git(folder, "remote", "get-url", "origin").strip()


def test_entries_travel_and_what_people_have_staged_stays(team):
    ada, ben = team
    (ada.clone / "kept.txt").write_text("work in progress\n")
    (ada.clone / "new.txt").write_text("staged\n")
    ada.git("add", "new.txt")
    before = ada.git("status", "--porcelain")
    ada.calm("sync")
    ben.calm("sync")
    assert json.loads(ben.calm("session", "list", "--json"))["count"] == 2
    ben.calm("wrapup", "--summary", "Ben was here.")
    ben.calm("sync")
    ada.calm("sync")
    assert "Ben was here." in ada.calm("session", "list")
    assert ada.git("status", "--porcelain") == before == " M kept.txt\nA  new.txt\n"


def test_the_digest_goes_into_the_code_that_one_stands_in(team, monkeypatch, tmp_path):
    ada, ben = team
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    ada.calm("export", "--check")
    assert "Docker" in (ada.clone / "CLAUDE.md").read_text()
    ada.calm("sync")
    ben.calm("sync")
    said = ben.attempt("export", "--check")
    assert (said.code, f"{ben.clone / 'CLAUDE.md'} is out of date" in said.err) == (1, True)
    ben.calm("export")
    assert (ben.clone / "CLAUDE.md").read_text() == (ada.clone / "CLAUDE.md").read_text()


def test_a_pull_request_goes_to_the_journal_and_merging_it_approves(team, tmp_path):
    ada, ben = team
    code = ada.git("ls-remote", "origin", "refs/heads/main")
    said = ada.calm("reflect", "--pr")
    assert "with 2 proposals." in said
    folder, address = journal_of(ada)
    branch = git(folder, "ls-remote", "origin", "refs/heads/calmkb/*").split("refs/heads/")[1]
    base = git(folder, "branch", "--show-current").strip()
    merging = tmp_path / "merging"
    git(tmp_path, "clone", "-q", "-b", base, address, str(merging))
    git(merging, "merge", "-q", "--no-ff", "-m", "Merge", f"origin/{branch.strip()}")
    git(merging, "push", "-q", "origin", f"HEAD:{base}")
    assert "2 approved, 0 rejected" in ada.calm("sync")
    assert DOCKER in ada.calm("memory", "list")
    ben.calm("sync")
    assert DOCKER in ben.calm("memory", "list")
    if base == JOURNAL_BRANCH:
        assert ada.git("ls-remote", "origin", "refs/heads/main") == code


def test_checks_site_and_doctor_work(team, tmp_path):
    ada, _ = team
    before = tree(ada.clone)
    ada.calm("check")
    ada.calm("site", "build", "--output", str(tmp_path / "site"))
    assert "Worked." in (tmp_path / "site/sessions/index.html").read_text("utf-8")
    ada.calm("site", "check", str(tmp_path / "site"))
    assert "knowledge base" in ada.attempt("doctor").out
    assert tree(ada.clone) == before


def test_a_continuation_is_offered_at_the_start_of_the_next_session(team, home):
    ada, _ = team
    ada.calm("wrapup", "continue", "--summary", "Half done.", "--next", "Finish the till.")
    assert "Half done." in ada.calm("session", "pending")
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup",
               "cwd": str(ada.clone), "transcript_path": ""}  # fmt: skip
    done = without_terminal("hook", "SessionStart", said=json.dumps(payload), cwd=ada.clone)
    assert "Finish the till." in done.stdout


def test_an_approval_holds_in_every_work_tree_of_the_clone(team, home, tmp_path):
    ada, _ = team
    folder, _ = journal_of(ada)
    (folder / "calmkb.toml").write_text('[analysts]\ncommand = "cat"\n')
    assert "analysts.command" in ada.calm("trust")
    kb = open_kb(process_environment())
    approve(kb, all_requests(kb))
    assert "allowed on this machine" in ada.calm("trust")
    feature = tmp_path / "feature"
    ada.git("worktree", "add", "-q", str(feature))
    if folder == ada.clone:
        (feature / "calmkb.toml").write_text('[analysts]\ncommand = "cat"\n')
    done = without_terminal("trust", cwd=feature)
    assert "allowed on this machine" in done.stdout


def test_memories_for_paths_of_the_code_are_not_called_stale(team):
    ada, _ = team
    ada.calm(
        "memory", "add", "Keep this file.", "--category", "fact", "--scope", "storefront",
        "--path", "*.txt",
    )  # fmt: skip
    assert "Keep this file." not in ada.calm("memory", "report", "--stale")
