"""From "never heard of it" to a failing check: `verify` on a clone without a journal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import git

TOP = Path(__file__).parents[2]
MANIFEST = TOP / ".pre-commit-hooks.yaml"
ACTION = yaml.safe_load((TOP / ".github/actions/verify/action.yml").read_text("utf-8"))
MODULES = (
    "import sys; from calmkb.cli.base.common import run; from calmkb.cli.root import calmkb; "
    "run(calmkb, ['verify']); print('\\n'.join(sys.modules), file=sys.stderr)"
)


@pytest.fixture
def upstream(repo: Path) -> Path:
    """A project whose AGENTS.md is true, with a branch that moves what it names."""
    (repo / "src").mkdir()
    (repo / "src/pay.py").write_text("def refund():\n    return 1\n")
    (repo / "Makefile").write_text("lint:\n\truff check\n")
    (repo / "AGENTS.md").write_text("- Refunds: `src/pay.py`.\n- Run `make lint` first.\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    git(repo, "switch", "-qc", "feature")
    git(repo, "mv", "src/pay.py", "src/billing.py")
    (repo / "Makefile").write_text("check:\n\truff check\n")
    git(repo, "commit", "-qam", "Call it billing")
    return repo


@pytest.fixture
def clone(upstream: Path, tmp_path: Path) -> Path:
    """What a runner checks out of the branch: its last commit alone."""
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=feature", upstream.as_uri(), "clone")
    return tmp_path / "clone"


def run(folder: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"HOME": str(home), **env},
    )  # fmt: skip


def step(runner: Path, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's own script as a runner does, with calmkb where its first steps put it."""
    program = runner / "calmkb/bin/calmkb"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m calmkb "$@"\n')
    program.chmod(0o755)
    given = {name.upper(): inputs.get(name, "") for name in ACTION["inputs"]}
    script = ACTION["runs"]["steps"][-1]["run"]
    return run(folder, "bash", "-e", "-c", script, RUNNER_TEMP=str(runner), **given)


def test_the_action_marks_the_lines_that_a_pull_request_breaks(clone, upstream, tmp_path):
    base = git(upstream, "rev-parse", "HEAD~1").strip()
    said = step(tmp_path / "runner", clone, since=base)
    assert said.returncode == 1, said.stderr
    moved, gone = said.stdout.strip().split("\n")
    assert moved.startswith("::error file=AGENTS.md,line=1,title=moved-path::")
    assert "is now `src/billing.py`" in moved
    assert gone.startswith("::error file=AGENTS.md,line=2,title=gone-command::")
    assert "has no such target any more" in gone


def test_the_action_passes_what_it_did_not_break(clone, upstream, tmp_path):
    head = git(upstream, "rev-parse", "HEAD").strip()
    said = step(tmp_path / "runner", clone, since=head)
    assert (said.returncode, said.stdout) == (0, "")
    assert step(tmp_path / "runner", clone, files="AGENTS.md").returncode == 1


def test_the_action_sets_up_what_it_runs():
    python, install, verify = ACTION["runs"]["steps"]
    assert python["uses"].partition("@")[0] == "actions/setup-python"
    assert '"$GITHUB_ACTION_PATH/../../.."' in install["run"]
    assert set(verify["env"]) == {name.upper() for name in ACTION["inputs"]}


def test_the_pre_commit_hook_stops_a_commit(upstream):
    pytest.importorskip("pre_commit")
    ours = upstream.parent / "calmkb"
    ours.mkdir()
    git(ours, "init", "-q")
    (ours / MANIFEST.name).write_text(MANIFEST.read_text())
    git(ours, "add", ".")
    git(ours, "commit", "-qm", "hooks")
    (upstream / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {ours.as_uri()}\n  rev: {git(ours, 'rev-parse', 'HEAD').strip()}\n"
        "  hooks:\n  - {id: calmkb-verify, language: system}\n"
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = run(upstream, sys.executable, "-m", "pre_commit", "run", "--all-files", PATH=path)
    assert said.returncode == 1
    assert "AGENTS.md:1: error: `src/pay.py` is now `src/billing.py`" in said.stdout


def test_a_shallow_clone_is_told_what_it_cannot_know(clone):
    said = run(clone, sys.executable, "-m", "calmkb", "verify")
    assert said.returncode == 0
    assert "AGENTS.md:1: warning: names `src/pay.py`, which is not here" in said.stdout
    assert "git fetch --unshallow" in said.stderr


def test_verify_loads_few_modules_and_no_statistics(upstream):
    loaded = run(upstream, sys.executable, "-c", MODULES).stderr.split()
    assert "calmkb.wings.proof.verbs.verify.audit" in loaded
    assert sum(one.partition(".")[0] == "calmkb" for one in loaded) <= 60
    assert not {"numpy", "scipy", "sklearn"} & set(loaded)


def test_nothing_is_left_behind_in_the_clone_or_the_home(clone):
    run(clone, sys.executable, "-m", "calmkb", "verify")
    assert git(clone, "status", "--porcelain") == ""
    assert not list((clone.parent / "home").iterdir())
