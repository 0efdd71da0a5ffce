"""`session forget` and `project forget`: the words leave the journal's tip and this machine."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.hooks.events import handle
from tests.capture.support import agent, text, user
from tests.conftest import git

NAME = "3f2a1b00-0000-4000-8000-00000000f0a9"
OTHER = "3f2a1b00-0000-4000-8000-00000000f0aa"
CANARY = "kanarienvogel"
SAID = (
    user(f"Why does the {CANARY} build fail?"),
    agent(text(f"The {CANARY} cache is stale.")),
    user(f"No, never touch the {CANARY} cache: run the clean target instead."),
    agent(text("Done, the clean target is run.")),
)
OTHERS = (user("Why is the list empty?"), agent(text("The filter was wrong; it is mended now.")))


def places_with_canary(home: Path, project: Path, *spared: Path) -> list[Path]:
    """Return the files below the state folder, the journal and git's folder of caches."""
    folders = (home / ".calm", project / "journal", project / ".git" / "calmkb")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if CANARY.encode() in path.read_bytes().lower()]


def tell(project: Path, event: str, source: Path) -> None:
    """Give a hook its input as the client does."""
    environment = replace(process_environment(), cwd=project, now=lambda: datetime.now(UTC))
    said = {"session_id": source.stem, "cwd": str(project), "hook_event_name": event,
            "transcript_path": str(source), "reason": "other"}  # fmt: skip
    handle(environment, event, io.BytesIO(json.dumps(said).encode()))


@pytest.fixture
def known(home, project, session, cli):
    """Have a session imported, kept, searched and heard of by hooks, and another beside it."""
    source = session(NAME, *SAID)
    session(OTHER, *OTHERS)
    assert cli("import", "claude").code == 0
    assert cli("keep").code == 0
    assert CANARY in cli("search", CANARY).out
    for event in ("PreCompact", "SessionEnd", "SessionStart"):
        tell(project, event, source)
    assert CANARY in cli("signal", "query").out
    assert cli("reflect", "--json", "--dry-run", "--all").code == 0
    return source


def test_a_forgotten_session_is_nowhere_and_does_not_come_back(home, project, known, cli):
    assert places_with_canary(home, project)
    said = cli("session", "forget", NAME, "--yes")
    assert said.code == 0, said.err
    assert "To be forgotten: 1 entry, 1 kept session," in said.out
    assert "filter-repo --invert-paths --path journal/sessions/" in said.out
    assert places_with_canary(home, project) == []
    again = cli("import", "claude")
    assert "0 added" in again.out
    assert "1 forgotten" in again.out
    assert cli("keep").code == 0
    for event in ("PreCompact", "SessionEnd", "SessionStart"):
        tell(project, event, known)
    assert CANARY not in cli("search", CANARY).out.replace(f"“{CANARY}”", "").split("\n", 1)[-1]
    assert places_with_canary(home, project) == []
    assert "The filter was wrong" in cli("search", "filter").out


def test_a_project_is_forgotten_with_all_its_sessions(home, project, known, cli):
    said = cli("project", "forget", "shop", "--yes")
    assert said.code == 0, said.err
    assert "2 entries, 2 kept sessions" in said.out
    assert places_with_canary(home, project) == []
    assert json.loads(cli("session", "list", "--json").out)["count"] == 0


def test_what_is_not_known_is_said_and_changes_nothing(project, known, cli):
    before = git(project, "rev-parse", "HEAD")
    said = cli("session", "forget", "ffffffff", "--yes")
    assert said.code == 1
    assert "session 'ffffffff' not found" in said.err
    assert cli("project", "forget", "ship", "--yes").code == 1
    assert git(project, "rev-parse", "HEAD") == before


def test_a_memory_that_cites_it_is_named_and_stays(project, known, cli):
    (row,) = [one for one in json.loads(cli("session", "list", "--json").out)["entries"]
              if CANARY in one["summary"]]  # fmt: skip
    assert cli("memory", "add", "--category", "workflow", "Run the clean target.").code == 0
    identity = json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"]
    (path,) = (project / "journal" / "memories").rglob("*.md")
    path.write_text(path.read_text().replace("\n---\n", f"\nsources:\n- {row['id']}\n---\n", 1))
    git(project, "commit", "-qam", "cite")
    said = cli("session", "forget", row["id"][:8], "--yes")
    assert f"1 memory made of them will stay:\n  calmkb show {identity[:8]}" in said.out
    assert path.exists()
    assert cli("check").code == 0
