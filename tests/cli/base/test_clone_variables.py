"""Variables that a clone's settings for a client may set: no program starts, no place moves."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import git
from tests.warm import without_terminal

SETTINGS = """[commit]
gpgsign = true
[gpg]
program = {program}
[core]
attributesFile = {attributes}
[filter "x"]
clean = {program}
required = true
"""


@pytest.fixture
def clone(repo, tmp_path):
    """Return a repository that brings a program, and git settings that name it."""
    program, ran = repo / "evil", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\necho ran >> {ran}\n")
    program.chmod(0o755)
    for folder in ("git", "bin"):
        (repo / folder).mkdir()
    for name in ("git", "git-upload-pack", "git-receive-pack", "git-unpack-objects"):
        (repo / "bin" / name).symlink_to(program)
    (repo / "attributes").write_text("* filter=x\n")
    settings = SETTINGS.format(program=program, attributes=repo / "attributes")
    (repo / "git" / "config").write_text(settings)
    (repo / "calmkb.toml").write_text('project = "p"\n')
    bare = tmp_path / "bare.git"
    git(tmp_path, "init", "-q", "--bare", str(bare))
    git(repo, "remote", "add", "origin", str(bare))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "mine")
    git(repo, "push", "-q", "-u", "origin", "HEAD")
    return repo


def ran(clone: Path, *args: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in the clone with variables of its author's."""
    return without_terminal(*args, cwd=clone, env=dict(os.environ) | env)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_CONFIG_GLOBAL", "git/config"),
        ("GIT_CONFIG_GLOBAL", "{clone}/git/config"),
        ("GIT_CONFIG_SYSTEM", "/proc/self/cwd/git/config"),
        ("XDG_CONFIG_HOME", "{clone}"),
        ("GIT_EXEC_PATH", "{clone}/bin"),
        ("PATH", "/proc/self/cwd/bin:{path}"),
    ],
)
def test_no_variable_that_names_a_place_of_the_clone_starts_a_program(clone, tmp_path, name, value):
    value = value.format(clone=clone, path=os.environ["PATH"])
    for args in (["wrapup", "--summary", "The port of the tests is fixed."], ["sync"]):
        done = ran(clone, *args, **{name: value})
        assert done.returncode == 0, done.stderr
        assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("home", ["git", "./git", "{clone}/git", "/proc/self/cwd/git"])
def test_a_home_in_the_clone_is_refused_under_an_agent(clone, tmp_path, home):
    (clone / "git/config").rename(clone / "git/.gitconfig")
    args = ["wrapup", "--summary", "The port of the tests is fixed."]
    done = ran(clone, *args, CLAUDECODE="1", HOME=home.format(clone=clone))
    assert done.returncode == 1
    assert "is in the project; unset it" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_a_home_below_a_folder_that_is_no_clone_is_heard(tmp_path):
    (tmp_path / "home").mkdir()
    done = ran(tmp_path, "--version", CLAUDECODE="1", HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["GIT_SSH", "GIT_SSH_COMMAND", "EDITOR", "SSH_ASKPASS"])
def test_under_an_agent_no_variable_names_a_program(clone, tmp_path, name):
    git(clone, "remote", "set-url", "origin", "ssh://nobody@127.0.0.1:1/x.git")
    ran(clone, "sync", CLAUDECODE="1", **{name: str(clone / "evil")})
    assert not (tmp_path / "ran").exists()


def test_the_private_journal_of_all_projects_does_not_move_into_a_clone(clone, tmp_path):
    done = ran(clone, "private", "write", "--feelings", "Calm.", PRIVATE_JOURNAL_PATH="notes")
    assert done.returncode == 0, done.stderr
    assert not (clone / "notes").exists()
    assert "PRIVATE_JOURNAL_PATH is left out" in done.stderr
