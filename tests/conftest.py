"""Real repositories in temporary folders; the real home is out of reach."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

from calmkb.cli.base.person import AGENT_MARKS

# `make soak` looks at more: one run after another, thirty random examples find what a hundred do.
EXAMPLES = 200 if os.environ.get("CALMKB_SOAK") else 30
settings.register_profile("calmkb", deadline=None, max_examples=EXAMPLES)
settings.load_profile("calmkb")
# A thousand child processes would each compile calmkb again, for half a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home, an identity, an environment and a current folder of its own.

    A test that forgets to choose its folder must not write to the project it is run in.
    """
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        ours = name.startswith(("GIT_", "CALM", "CLAUDE")) or name == "REFLECTIONS_DIR"
        if ours or name in AGENT_MARKS:
            monkeypatch.delenv(name)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    (folder / ".gitconfig").write_text(
        "[user]\n\tname = Ada Reviewer\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    return folder


def git(folder: Path, *args: str) -> str:
    """Run git as a person would, hooks and all, and return what it prints."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a repository with one commit."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "kept.txt").write_text("kept\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder
