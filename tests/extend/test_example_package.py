"""A package with one of each kind, installed beside calmkb: its parts are there as calmkb's own."""

import json
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.conftest import git

EXAMPLE = Path(__file__).parents[2] / "examples/calmkb-example"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Return the Python of an environment that has the example, and calmkb as it is here."""
    folder = tmp_path_factory.mktemp("extended")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    asked = [python, "-c", "import site; print(site.getsitepackages()[0])"]
    packages = Path(subprocess.check_output(asked, text=True).strip())
    here = [f"import site; site.addsitedir({one!r})" for one in site.getsitepackages()]
    (packages / "calmkb-here.pth").write_text("\n".join(here))
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                    "--no-build-isolation", "--target", packages, EXAMPLE], check=True)  # fmt: skip
    return python


@pytest.fixture
def run(installed, home):
    git(home, "init", "-q")

    def run(*args: str, code: int = 0) -> str:
        command = [installed, "-m", "calmkb", *args]
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr + done.stdout
        return done.stdout

    run("init", "--yes")
    return run


def test_its_exporter_writes_the_file_that_its_agent_reads(run, home):
    _remember(home, "Use pnpm in this repository.")
    run("export", "--target", "zed")
    assert "Use pnpm in this repository." in (home / ".rules").read_text()


def test_its_check_finds_what_it_looks_for(run, home):
    _remember(home, "Keep this short. " * 20)
    assert "long-memory" in run("check")


def test_its_transcript_format_is_wrapped_up(run, home):
    said = (("user", "Never push to main, use a branch."), ("agent", "I pushed a branch instead."))
    lines = [{"kind": "example-turn", "by": who, "text": text} for who, text in said]
    (home / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run("wrapup", "--from-transcript", "talk.jsonl")
    entry = next(home.rglob("journal/sessions/**/*.md")).read_text()
    assert "agent: example-agent" in entry
    assert "Never push to main, use a branch" in entry


def test_its_page_is_in_the_navigation_of_the_site(run, home):
    _remember(home, "Use pnpm in this repository.")
    run("site", "build")
    page = next(home.rglob("oldest/index.html")).read_text()
    assert "Use pnpm in this repository." in page
    assert "Oldest" in next(home.rglob("site/index.html")).read_text()


def test_its_tools_are_offered_as_a_set(installed, home):
    asked = ("from calmkb.wings.mcp.server import TOOL_SETS; "
             "print(TOOL_SETS['example'][0].function.__name__)")  # fmt: skip
    done = subprocess.run([installed, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "count_sessions"


def test_a_distribution_in_the_current_folder_adds_nothing(run, home):
    planted = home / "planted-1.0.dist-info"
    planted.mkdir()
    (planted / "entry_points.txt").write_text("[calmkb.exporters]\nplanted = planted:EXPORTER\n")
    (home / "planted.py").write_text("open('ran', 'w')\n")
    assert "planted" not in run("export", "--help")
    assert not (home / "ran").exists()


def _remember(home: Path, text: str) -> None:
    """Commit a memory as a person who approves it does."""
    folder = next(home.rglob("memories"), home / "journal" / "memories") / "workflow"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "2026-10-21-a-1b2c3d4e.md").write_text(
        "---\nid: 1b2c3d4e-7d0e-4a58-8f55-2a1f6f0b9e43\ncreated_at: '2026-10-21T09:05:10+00:00'\n"
        "category: workflow\nimportance: 0.8\nconfidence: high\nscope: global\norigin: person\n"
        f"approved_by: ada@example.org\n---\n\n{text.strip()}\n"
    )
    git(home, "add", "-A")
    git(home, "commit", "-qm", "Add a memory")
