"""`calmkb enforce`: what a commit or a branch brings, held against enforced memories."""

import io
import json

import pytest

from tests.cli.conftest import cli, project
from tests.conftest import git
from tests.wings.proof.enforce.test_enforce import memory

__all__ = ["cli", "memory", "project"]


@pytest.fixture
def enforced(cli, memory, project, monkeypatch):
    """Return the project with one memory that blocks and one that warns."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 9))
    for text, level in (
        ("Never commit `*.sqlite`.", "block"),
        ("Use `Root()`, not `cwd()`.", "warn"),
    ):
        assert cli("memory", "enforce", memory(text), "--as", level).code == 0
    return project


def put(project, path, text):
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(text)
    git(project, "add", path)


def test_what_is_staged_is_looked_at(enforced, cli):
    assert cli("enforce").code == 0
    put(enforced, "src/a.py", "import os\nhere = cwd()\n")
    done = cli("enforce", "--staged")
    assert done.code == 0
    assert done.out.startswith("src/a.py:2: warning: never write `cwd(`")
    assert cli("enforce", "--strict").code == 1
    put(enforced, "data/odd name ü.sqlite", "x")
    done = cli("enforce")
    assert done.code == 1
    assert "data/odd name ü.sqlite:1: error: never commit *.sqlite" in done.out


def test_a_reason_that_is_missing_and_a_name_that_is_taken_are_told_at_their_lines(
    memory, project, cli, monkeypatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 9))
    for text in ("Give `# noqa` with a reason.", "Do not name a variable `settings`."):
        assert cli("memory", "enforce", memory(text), "--as", "block").code == 0
    put(project, "src/a.py", "import os  # noqa: F401 - re-exported\n")
    assert cli("enforce").code == 0
    put(project, "src/a.py", "import os\nimport sys  # noqa\nsettings = os.environ\n")
    told = cli("enforce").out
    assert "src/a.py:2: error: give a reason after `# noqa`" in told
    assert "src/a.py:3: error: never name a variable `settings`" in told


def test_text_that_was_there_and_files_that_go_are_no_fault(enforced, cli):
    put(enforced, "src/a.py", "here = cwd()\n")
    put(enforced, "old.sqlite", "x")
    git(enforced, "commit", "-qm", "As it was")
    put(enforced, "src/a.py", "# moved\nhere = cwd()\n")
    git(enforced, "rm", "-q", "old.sqlite")
    assert cli("enforce").out == ""


def test_a_branch_is_held_against_where_it_began(enforced, cli):
    git(enforced, "switch", "-qc", "work")
    put(enforced, "shop.sqlite", "x")
    git(enforced, "commit", "-qm", "Add the data")
    done = cli("enforce", "--since", "main", "--format", "github")
    assert done.code == 1
    assert done.out.startswith("::error file=shop.sqlite,line=1")
    assert cli("enforce", "--since", "nowhere").code == 1
    assert cli("enforce", "--staged", "--since", "main").code != 0


@pytest.mark.parametrize(
    "how",
    ["removed", "moved", "off", "reworded", "broken", "other project", "other journal",
     "no settings", "other settings"],
)  # fmt: skip
def test_a_change_does_not_switch_off_a_rule_for_itself(enforced, cli, how):
    git(enforced, "switch", "-qc", "work")
    path = next((enforced / "journal/memories").rglob("*never-commit*"))
    text = path.read_text()
    settings = enforced / "calmkb.toml"
    configured = {"other project": 'project = "quay"\n', "other journal": 'journal = "notes"\n',
                  "other settings": 'project = "quay"\njournal = "notes"\n'}  # fmt: skip
    changed = {
        "off": text.replace("enforce: block", "enforce: warn"),
        "reworded": text.replace("never commit *.sqlite", "never commit *.db"),
        "broken": "---\nid: [\n",
    }
    if how in configured:
        settings.write_text(configured[how])
    elif how == "no settings":
        settings.unlink()
    elif how == "removed":
        path.unlink()
    elif how == "moved":
        path.rename(enforced / path.name)
    else:
        assert changed[how] != text
        path.write_text(changed[how])
    put(enforced, "shop.sqlite", "x")
    git(enforced, "add", "-A")
    told = "shop.sqlite:1: error: never commit *.sqlite"
    assert told in cli("enforce", "--staged").out
    git(enforced, "commit", "-qm", "Add the data")
    done = cli("enforce", "--since", "main")
    assert (done.code, told in done.out) == (1, True)


def test_a_change_does_not_rename_its_project_out_of_a_rule(enforced, cli):
    cli("wrapup", "--summary", "Opened the shop.")
    git(enforced, "switch", "-qc", "work")
    assert cli("project", "rename", "shop", "quay").code == 0
    put(enforced, "shop.sqlite", "x")
    git(enforced, "commit", "-qm", "Add the data")
    assert cli("enforce", "--since", "main").code == 1


def test_it_needs_no_machine_of_the_person_and_asks_nothing(enforced, cli, home):
    (home / ".calm").rename(home / "gone")
    put(enforced, "shop.sqlite", "x")
    rows = json.loads(cli("enforce", "--format", "json").out)["findings"]
    assert [row["rule"] for row in rows] == ["enforced-memory"]


def test_a_memory_that_nobody_approved_blocks_nothing(enforced, cli):
    path = next((enforced / "journal/memories").rglob("*never-commit*"))
    path.write_text(path.read_text().replace("never commit *.sqlite", "never commit *"))
    put(enforced, "a.txt", "x")
    assert cli("enforce").code == 0


def test_a_memorys_words_cannot_steer_the_terminal(cli, memory, project, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    short = memory("Never commit `*.key`\u202e of ours.")
    assert cli("memory", "enforce", short).code == 0
    put(project, "a.key", "x")
    said = cli("enforce")
    assert "a.key:1: warning: never commit *.key" in said.out
    assert "\u202e" not in said.out
