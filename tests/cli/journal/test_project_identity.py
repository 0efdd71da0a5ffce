"""A project is a repository: its worktrees, clones and sub-folders are one."""

import json
import os

import pytest

from tests.conftest import git


def last_session(cli, *options):
    listed = json.loads(cli(*options, "session", "list", "--json").out)["entries"]
    return json.loads(cli(*options, "session", "show", listed[0]["id"], "--json").out)


@pytest.fixture
def storefront(project, tmp_path):
    """Return the project with a remote, a worktree, a clone and a folder of a person's."""
    git(
        project,
        "remote",
        "add",
        "origin",
        "https://ada:s3cr3t-tok3n@Git.example.org/acme/Shop2.git",
    )
    git(project, "worktree", "add", "-q", str(tmp_path / "shop-wt2"))
    git(project, "worktree", "add", "-q", ".worktrees/3")
    git(tmp_path, "clone", "-q", str(project), "myfork")
    (project / "src").mkdir()
    return project


@pytest.mark.parametrize("place", ["shop", "shop/src", "shop-wt2", "shop/.worktrees/3", "myfork"])
def test_every_checkout_of_a_repository_is_one_project(
    storefront, cli, tmp_path, place, monkeypatch
):
    monkeypatch.chdir(tmp_path / place)
    kb = ("--kb", str(storefront))
    assert cli(*kb, "wrapup", "--summary", "Moved the tests.", "--log", "none").code == 0
    session = last_session(cli, *kb)
    assert session["project_name"] == "Shop2"
    assert session["repository"] == "git.example.org/acme/Shop2"
    assert "s3cr3t" not in git(storefront, "log", "-p", "--all", "--", "journal")


def test_the_configured_name_holds_in_every_worktree_too(storefront, cli, tmp_path, monkeypatch):
    (storefront / "calmkb.toml").write_text('project = "storefront"\n')
    monkeypatch.chdir(tmp_path / "shop-wt2")
    cli("--kb", str(storefront), "wrapup", "--summary", "Moved the tests.", "--log", "none")
    assert last_session(cli, "--kb", str(storefront))["project_name"] == "storefront"


def test_a_home_is_no_project_and_a_folder_beside_it_is_one(home, cli, monkeypatch):
    monkeypatch.chdir(home)
    assert cli("wrapup", "--summary", "Looked around.", "--log", "none").code == 0
    assert "wrapup: Looked around." in git(home / ".calm/kb", "log", "--format=%s")
    (home / "notes").mkdir()
    monkeypatch.chdir(home / "notes")
    cli("wrapup", "--summary", "Took notes.", "--log", "none")
    listed = json.loads(cli("session", "list", "--json").out)["entries"]
    projects = {row["summary"]: row["project_name"] for row in listed}
    assert projects == {"Looked around.": "", "Took notes.": "notes"}
    assert "Looked around." in cli("session", "list").out


def test_a_folder_called_as_the_user_is_no_project(cli, home, monkeypatch):
    monkeypatch.setenv("LOGNAME", "mischa")
    (home / "Mischa").mkdir()
    monkeypatch.chdir(home / "Mischa")
    cli("wrapup", "--summary", "Looked around.", "--log", "none")
    assert last_session(cli)["project_name"] == ""
    assert os.environ["LOGNAME"] == "mischa"
