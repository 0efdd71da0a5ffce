"""A branch without `calmkb.toml` in a repository full of records: each write says where it went."""

import pytest

from tests.conftest import git

TEXTS = ["The staging host restarts at night.", "Use pnpm for every script in the shop."]
WRITES = [("wrapup", "--summary"), ("memory", "add", "--category", "fact")]


@pytest.mark.parametrize("write", WRITES)
def test_each_write_says_where_it_went_and_why_with_the_fix(project, cli, home, write):
    cli("wrapup", "--summary", "On main.")
    git(project, "rm", "-q", "calmkb.toml")
    git(project, "commit", "-qm", "revert")
    for text in TEXTS:
        said = cli(*write, text)
        assert said.code == 0, said.err
        assert f"went into {home}/.calm/kb, not into {project}" in said.err
        assert "main has no calmkb.toml" in said.err
        assert "git checkout BRANCH -- calmkb.toml" in said.err


def test_a_branch_that_never_had_the_records_says_so_in_a_fresh_clone(
    project, cli, tmp_path, monkeypatch
):
    git(tmp_path, "clone", "-q", "shop", "fresh")
    git(tmp_path / "fresh", "switch", "-q", "--orphan", "old")
    monkeypatch.chdir(tmp_path / "fresh")
    assert "old has no calmkb.toml" in cli("wrapup", "--summary", "x").err


def test_outside_such_a_repository_nothing_is_said(repo, cli, monkeypatch):
    monkeypatch.chdir(repo)
    for _ in range(2):
        assert "went into" not in cli("wrapup", "--summary", "x").err


def test_a_knowledge_base_that_was_named_is_where_it_was_wanted(project, cli, home, monkeypatch):
    cli("wrapup", "--summary", "On main.")
    git(project, "rm", "-q", "calmkb.toml")
    git(project, "commit", "-qm", "revert")
    cli("wrapup", "--summary", "Makes it.")
    place = str(home / ".calm/kb")
    assert "went into" not in cli("--kb", place, "wrapup", "--summary", "x").err
    monkeypatch.setenv("CALMKB_KB", place)
    assert "went into" not in cli("wrapup", "--summary", "x").err
