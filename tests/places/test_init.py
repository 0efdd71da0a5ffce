"""`calmkb init`: the three places, and as few files as possible."""

from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE
from tests.conftest import git


def tree(folder):
    """Return path → content of every file outside git's folder."""
    found = (path for path in folder.rglob("*") if ".git" not in path.parts and path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_beside_code_it_begins_on_a_branch_that_the_work_tree_never_shows(person):
    ada = person("ada")
    before, head, branches = tree(ada.clone), ada.git("rev-parse", "HEAD"), ada.git("status")
    said = ada.calm("init")
    assert "made  calmkb.toml" in said
    ada.calm("wrapup", "--summary", "The till was fixed.", "--friction", "The tests need Docker.")
    assert tree(ada.clone) == before
    assert (ada.git("rev-parse", "HEAD"), ada.git("status")) == (head, branches)
    assert "storefront" in ada.calm("session", "list")
    listed = ada.git("ls-tree", "-r", "--name-only", JOURNAL_BRANCH).splitlines()
    assert [path.partition("/")[0] for path in listed] == [
        ".gitignore", "calmkb.toml", "docs", "journal", "journal", "mkdocs.yml",
    ]  # fmt: skip
    assert ada.git("rev-list", "--max-parents=0", "--count", "HEAD", JOURNAL_BRANCH) == "2\n"


def test_a_wrapup_on_a_feature_branch_is_in_no_pull_request(person):
    ada = person("ada")
    ada.calm("init")
    ada.git("checkout", "-qb", "feature")
    ada.calm("wrapup", "--summary", "Half done.")
    assert ada.git("log", "main..feature") == ""
    assert "wrapup(storefront): Half done." in ada.git("log", "--format=%s", JOURNAL_BRANCH)


def test_a_second_init_finds_the_journal_that_somebody_shared(person):
    ada, ben = person("ada"), person("ben", "--single-branch")
    ada.calm("init", "--share", "origin")
    ada.calm("wrapup", "--summary", "From Ada.")
    ada.calm("sync")
    ben.calm("init")
    assert "From Ada." in ben.calm("session", "list")
    ben.calm("wrapup", "--summary", "From Ben.")
    assert "pushed 1" in ben.calm("sync")
    assert "pulled 1" in ada.calm("sync")


def test_two_journals_begun_apart_become_one(person):
    ada, ben = person("ada"), person("ben")
    for one, name in ((ada, "Ada"), (ben, "Ben")):
        one.calm("init")
        one.calm("wrapup", "--summary", f"From {name}.")
    ada.calm("sync")
    ben.calm("sync")
    ada.calm("sync")
    for one in (ada, ben):
        assert "From Ada." in one.calm("session", "list")
        assert "From Ben." in one.calm("session", "list")


def test_beside_is_a_repository_of_its_own_that_every_work_tree_finds(person, tmp_path, home):
    ada = person("ada")
    ada.calm("init", "--place", "beside")
    journal = ada.clone.with_name("storefront-journal")
    assert git(journal, "status", "--porcelain") == ada.git("status", "--porcelain") == ""
    ada.git("worktree", "add", "-q", str(tmp_path / "feature"))
    ada.calm("wrapup", "--summary", "The till was fixed.")
    assert "The till was fixed." in git(journal, "log", "--format=%s", "-1")
    assert not (home / ".calm/kb").exists()


def test_beside_cannot_be_inside(person):
    ada = person("ada")
    said = ada.attempt("init", "--place", "beside=kb")
    assert (said.code, "is inside" in said.err) == (1, True)


def test_a_second_journal_that_would_never_be_found_is_not_begun(person):
    ada = person("ada")
    ada.calm("init", "--place", "here")
    for place in ("branch", "beside"):
        said = ada.attempt("init", "--place", place)
        assert (said.code, "would be found first" in said.err) == (1, True)
    (ada.clone / "calmkb.toml").unlink()
    ada.calm("init", "--place", "branch")


def test_here_is_for_the_person_to_commit_and_brings_no_workflow(person):
    ada = person("ada")
    ada.calm("init", "--place", "here")
    assert set(tree(ada.clone)) == {
        ".gitignore", "calmkb.toml", "docs/about.md", "journal/README.md", "kept.txt", "mkdocs.yml",
    }  # fmt: skip
    assert "made  .github/workflows/journal.yml" in ada.calm("init", "--place", "here", "--checks")


def test_workflows_of_the_branch_follow_the_branch(person):
    ada = person("ada")
    ada.calm("init", "--checks", "--pages")
    for name in ("journal", "calmkb-site"):
        text = ada.git("show", f"{JOURNAL_BRANCH}:.github/workflows/{name}.yml")
        assert f"branches: [{JOURNAL_BRANCH}]" in text


def test_a_workflow_can_be_added_later(person):
    ada = person("ada")
    ada.calm("init")
    refused = ada.attempt("init", "--checks", "--weekly")
    assert (refused.code, "--weekly needs the journal on the default branch" in refused.err) == (
        1,
        True,
    )
    assert "made  .github/workflows/journal.yml" in ada.calm("init", "--checks")
    again = ada.calm("init", "--checks")
    assert "made" not in again
    assert "Knowledge base in" in again and ": already there, nothing to add." in again
    ada.git("cat-file", "-e", f"{JOURNAL_BRANCH}:.github/workflows/journal.yml")


def test_names_and_agents_are_written_down(person):
    ada = person("ada")
    ada.calm("init", "--site-name", "What we learnt", "--agent", "codex", "--agent", "gemini")
    assert 'targets = ["agents-md", "gemini"]' in ada.git("show", f"{JOURNAL_BRANCH}:calmkb.toml")
    assert "What we learnt" in ada.git("show", f"{JOURNAL_BRANCH}:mkdocs.yml")
    settings = ada.git("show", f"{JOURNAL_BRANCH}:calmkb.toml")
    assert "What we learnt" not in settings  # that is the name of the site, not of the project
    ada.calm("check")


def test_an_unknown_place_is_named(person):
    said = person("ada").attempt("init", "--place", "there")
    assert said.err.startswith("Error: 'there' is not a place; choose from: branch, here, beside")


def test_init_again_changes_nothing(person):
    ada = person("ada")
    ada.calm("init")
    tip = ada.git("rev-parse", JOURNAL_BRANCH)
    assert "made  " not in ada.calm("init")
    assert ada.git("rev-parse", JOURNAL_BRANCH) == tip


def test_a_branch_of_that_name_that_is_no_journal_is_left_alone(person):
    ada = person("ada")
    ada.git("branch", JOURNAL_BRANCH)
    said = ada.attempt("init")
    assert (said.code, "holds no calmkb.toml" in said.err) == (1, True)
    assert not (ada.clone / ".git" / WORK_TREE).exists()


def test_a_git_hook_that_sets_variables_does_not_lead_elsewhere(person, monkeypatch, repo):
    ada = person("ada")
    ada.calm("init")
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo / ".git/index"))
    ada.calm("wrapup", "--summary", "From a hook.")
    monkeypatch.delenv("GIT_DIR")
    assert "From a hook." in ada.git("log", "-1", "--format=%s", JOURNAL_BRANCH)
