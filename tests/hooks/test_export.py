"""`hooks on --export`: a session that starts finds the digest that the memories make."""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import git
from tests.warm import without_terminal

PNPM = "Use pnpm for every script; npm rewrites the lock file."
CENTS = "Prices are in cents."


def start(cwd: Path, *, flag: bool = True, source: str = "startup", **env: str) -> str:
    """Run the hook as the client does and return what it prints."""
    said = json.dumps({"session_id": "s", "cwd": str(cwd), "source": source})
    done = without_terminal(
        "hook", "SessionStart", *(["--export"] * flag), said=said, cwd=cwd, env=os.environ | env
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def exported(project, cli) -> Path:
    """Return the project's memory file, exported and committed."""
    cli("memory", "add", PNPM, "--category", "workflow")
    (project / "CLAUDE.md").write_text("Mine.\n")
    assert cli("export").code == 0
    git(project, "add", ".")
    git(project, "commit", "-qm", "digest")
    return project / "CLAUDE.md"


def test_new_memories_are_in_the_file_when_the_next_session_starts(exported, project, cli):
    cli("memory", "add", CENTS, "--category", "fact")
    assert start(project) == ""
    text = exported.read_text()
    assert (text.startswith("Mine.\n"), PNPM in text, CENTS in text) == (True, True, True)
    assert cli("export", "--check").code == 0


def test_it_is_off_unless_asked_for_and_a_plugin_asks_by_its_environment(exported, project, cli):
    before = exported.read_text()
    cli("memory", "add", CENTS, "--category", "fact")
    assert start(project, flag=False) == ""
    assert exported.read_text() == before
    assert start(project, flag=False, source="compact", CALMKB_EXPORT="1") == ""
    assert CENTS in exported.read_text()


def test_where_no_memory_changed_nothing_is_written(exported, project, cli):
    start(project)
    assert git(project, "status", "--porcelain") == ""
    note = project / ".git" / "calmkb" / "exported.json"
    seen, stamp = note.read_bytes(), note.stat().st_mtime_ns
    exported.write_text("All mine again.\n")
    start(project)
    assert (note.read_bytes(), note.stat().st_mtime_ns) == (seen, stamp)
    cli("wrapup", "--summary", "Worked.")
    start(project)
    assert note.read_bytes() != seen
    assert exported.read_text() == "All mine again.\n"


def test_a_file_that_nobody_exported_is_not_made_and_a_persons_own_is_left(project, cli):
    cli("memory", "add", PNPM, "--category", "workflow")
    start(project)
    assert not (project / "CLAUDE.md").exists()
    (project / "CLAUDE.md").write_text("Mine.\n")
    cli("memory", "add", CENTS, "--category", "fact")
    start(project)
    assert (project / "CLAUDE.md").read_text() == "Mine.\n"


def test_outside_any_knowledge_base_it_says_and_does_nothing(tmp_path):
    assert start(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_block_edited_by_hand_is_left_alone_and_named_until_it_is_fixed(
    exported, project, cli, home
):
    (home / ".claude").mkdir()
    edited = exported.read_text().replace(PNPM, "Use npm.")
    exported.write_text(edited)
    cli("memory", "add", CENTS, "--category", "fact")
    assert start(project) == ""
    assert exported.read_text() == edited
    assert "export: CLAUDE.md was edited by hand" in cli("statusline").out
    assert "CLAUDE.md was edited by hand" in cli("doctor").out
    cli("export", "--force")
    start(project)
    assert "edited by hand" not in cli("statusline").out + cli("doctor").out


def test_the_toggle_adds_keeps_and_takes_out_the_flag(project, cli, home):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "x"}\n')

    def flagged() -> list[bool]:
        groups = json.loads(path.read_text())["hooks"]["SessionStart"]
        return ["--export" in one["command"] for group in groups for one in group["hooks"]]

    cli("hooks", "on")
    assert flagged() == [False, False]
    assert "digests" not in cli("hooks", "status").out
    plain = path.read_text()
    assert "Added" in cli("hooks", "on", "--export").out
    assert flagged() == [True, True]
    assert path.read_text().replace(" --export", "") == plain
    assert "refreshed when a session starts" in cli("hooks", "status").out
    cli("hooks", "on")
    assert flagged() == [True, True]
    cli("hooks", "on", "--no-export")
    assert path.read_text() == plain
    cli("hooks", "on", "--export")
    cli("hooks", "off")
    assert path.read_text() == '{"model": "x"}\n'
