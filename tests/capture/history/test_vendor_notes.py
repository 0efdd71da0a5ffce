"""Notes that Codex, Gemini CLI and Copilot keep become proposals, with their origin."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import cli, project

__all__ = ["cli", "project"]
CODEX = """# Task Group: shop repairs

scope: Repairing the till.
applies_to: cwd={here}; reuse_rule=reuse for the till

## Task 1: Fix the lock file

### rollout_summary_files

- rollout_summaries/2026-09-07.md (cwd={here}, thread_id=01a07a6a-77)

### keywords

- pnpm, lock file, till

## User preferences

- when the lock file broke, the user said "never again" -> use pnpm for every script [Task 1]

## Reusable knowledge

- The till rounds to five cents in the shop, and never on the web. [Task 1, Task 2]

## Failures and how to do differently

- symptom: `make e2e` is refused -> cause: no database -> fix: start the container first [Task 1]

# Task Group: elsewhere

applies_to: cwd=/home/dev/elsewhere

## Reusable knowledge

- Somewhere else rooms are numbered by wing.
"""


@pytest.fixture
def codex(home: Path, project: Path) -> Path:
    folder = home / ".codex/memories"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(CODEX.format(here=project))
    (folder / "memory_summary.md").write_text("v1\n\n## User Profile\n\nWorks late at night.\n")
    return folder


def proposals(cli) -> dict[str, dict]:
    return {row["text"]: row for row in json.loads(cli("reflect", "--json").out)["proposals"]}


def test_codexs_memory_of_this_repository_comes_as_proposals(cli, codex):
    said = cli("import", "codex-memory").out
    assert said.startswith("3 added")
    assert "1 of other repositories" in said
    found = proposals(cli)
    rule = found["use pnpm for every script"]
    assert rule["category"] == "preference"
    assert 'the user said "never again"' in rule["reasoning"]
    assert found["The till rounds to five cents in the shop, and never on the web."]
    fix = found["`make e2e` is refused: start the container first"]
    assert (fix["category"], fix["reasoning"]) == ("error", "no database")
    assert "Task 1" not in json.dumps(found)
    assert "late at night" not in json.dumps(found)


def test_a_second_import_adds_only_what_is_new(cli, codex, project):
    cli("import", "codex-memory")
    assert cli("import", "codex-memory").out.startswith("0 added, 3 known before")
    text = CODEX.format(here=project).replace(
        "- The till", "- Refunds take a day in the shop.\n- The till"
    )
    (codex / "MEMORY.md").write_text(text)
    assert cli("import", "codex-memory").out.startswith("1 added")


def test_the_entry_names_the_agent_and_its_session(cli, codex, project):
    cli("import", "codex-memory")
    files = [path.read_text() for path in (project / "journal/sessions").rglob("*.md")]
    assert len(files) == 3
    assert all("agent: codex" in text for text in files)
    assert all("of its session 01a07a6a-77" in text for text in files)


def test_geminis_project_memory_comes_and_what_it_saved_for_its_user_does_not(cli, home, project):
    memory = home / ".gemini/tmp/shop/memory"
    memory.mkdir(parents=True)
    (memory.parent / ".project_root").write_text(str(project))
    (memory / "MEMORY.md").write_text("# Notes\n\n- Rooms are numbered from\n  the cellar up.\n")
    (home / ".gemini/GEMINI.md").write_text(
        "Be brief, please, always.\n\n## Gemini Added Memories\n- The user likes green tea.\n"
    )
    assert cli("import", "gemini-memory").out.startswith("1 added")
    assert list(proposals(cli)) == ["Rooms are numbered from the cellar up."]
    assert cli("import", "gemini-memory", "--all-projects").out.startswith("1 added")
    assert "The user likes green tea." in proposals(cli)
    assert not any("brief" in text for text in proposals(cli))


def test_copilots_memory_of_a_repository_comes_by_its_workspace(cli, home, project):
    store = home / ".config/Code/User/workspaceStorage"
    for name, folder in (("1a", project), ("2b", "/home/dev/elsewhere")):
        repo = store / name / "GitHub.copilot-chat/memory-tool/memories/repo"
        repo.mkdir(parents=True)
        (store / name / "workspace.json").write_text(json.dumps({"folder": f"file://{folder}"}))
        (repo / "rooms.md").write_text(f"# Rooms\n\nRooms of {name} are numbered by floor.\n")
    assert cli("import", "copilot-memory").out.startswith("1 added")
    assert list(proposals(cli)) == ["Rooms of 1a are numbered by floor."]


def test_a_secret_in_a_note_does_not_get_in(cli, codex, project):
    secret = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
    text = CODEX.format(here=project).replace("five cents", f"five cents ({secret})")
    (codex / "MEMORY.md").write_text(text)
    cli("import", "codex-memory")
    assert not any(secret in path.read_text() for path in project.rglob("*.md"))


@pytest.mark.parametrize("text", ["", "# Task Group", "# Task Group: x\n", "\0" * 9, "- " * 999])
def test_a_broken_memory_adds_nothing(cli, codex, text):
    (codex / "MEMORY.md").write_text(text)
    assert cli("import", "codex-memory").out.startswith("0 added")
