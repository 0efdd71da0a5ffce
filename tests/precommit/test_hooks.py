"""The hooks for the pre-commit framework, run by it in a repository of a person's."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from calmkb.templating import render_template
from tests.conftest import git
from tests.warm import programs_in

pytest.importorskip("pre_commit")

TOP = Path(__file__).parents[2]
MANIFEST = TOP / ".pre-commit-hooks.yaml"


def pre_commit(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *args], cwd=folder, capture_output=True, text=True,
        check=False,
        env=os.environ | {
            "PATH": os.pathsep.join(
                map(str, (folder.parent / "bin", Path(sys.executable).parent, os.environ["PATH"]))
            ),
            "PRE_COMMIT_HOME": str(folder.parent / "pre-commit"),
        },
    )  # fmt: skip


@pytest.fixture
def guarded(project: Path, tmp_path: Path) -> Path:
    """Return the project with both hooks in its configuration, run as installed here."""
    ours = tmp_path / "calmkb"
    ours.mkdir()
    programs_in(project.parent / "bin")
    git(ours, "init", "-q")
    (ours / MANIFEST.name).write_text(MANIFEST.read_text())
    git(ours, "add", ".")
    git(ours, "commit", "-qm", "hooks")
    revision = git(ours, "rev-parse", "HEAD").strip()
    (project / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {ours.as_uri()}\n  rev: {revision}\n  hooks:\n"
        "  - {id: calmkb-check, language: system}\n"
        "  - {id: calmkb-export-check, language: system}\n"
    )
    return project


def test_the_manifest_is_valid(tmp_path):
    assert pre_commit(tmp_path, "validate-manifest", str(MANIFEST)).returncode == 0


def test_a_broken_record_and_a_drifted_digest_stop_a_commit(guarded, cli):
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    cli("export")
    git(guarded, "add", ".")
    said = pre_commit(guarded, "run", "--all-files")
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.count("Passed") == 2
    cli("memory", "add", "The clock runs in UTC.", "--category", "fact")
    broken = guarded / "journal/sessions/2026/01/02/2026-01-02T080000Z-broken.md"
    broken.parent.mkdir(parents=True)
    broken.write_text("---\nid: [\n---\nx\n")
    git(guarded, "add", ".")
    said = pre_commit(guarded, "run", "--all-files")
    assert said.returncode == 1
    assert "CLAUDE.md is out of date; bring it up to date with: calmkb export" in said.stdout
    assert "broken.md:" in said.stdout


def test_an_enforced_memory_stops_a_commit_that_breaks_it(guarded, cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    added = cli("memory", "add", "Never commit `*.sqlite`.", "--category", "workflow").out
    assert cli("memory", "enforce", added.split()[2][:8], "--as", "block").code == 0
    config = guarded / ".pre-commit-config.yaml"
    config.write_text(config.read_text() + "  - {id: calmkb-enforce, language: system}\n")
    (guarded / "shop.sqlite").write_text("x")
    git(guarded, "add", ".")
    said = pre_commit(guarded, "run", "calmkb-enforce")
    assert said.returncode == 1
    assert "shop.sqlite:1: error: never commit *.sqlite" in said.stdout


@pytest.mark.parametrize("folder", ["", "team/kb/"])
def test_the_workflow_checks_the_digest_where_one_is_exported(folder):
    text = render_template(
        "scaffold/journal.yml.j2", folder=folder, journal="journal", install="pip install ."
    )
    (step,) = [line for line in text.split("\n") if "export --check" in line]
    assert f"./{folder}" in step
