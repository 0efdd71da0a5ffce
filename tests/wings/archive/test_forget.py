"""`session forget` and `project forget`: the words leave the journal's tip and this machine."""

import io
import json
import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.hooks.events import handle
from calmkb.model import Memory
from calmkb.store.local.reviews import add_proposed
from calmkb.wings.archive.verbs import status
from calmkb.wings.archive.verbs.place import archive_of
from calmkb.wings.start.verbs.histories import agent_histories
from calmkb.wings.start.verbs.preview import preview
from tests.capture.support import agent, text, user
from tests.conftest import git

pytestmark = pytest.mark.usefixtures("forked_background")
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
    found = []
    for path in files:
        with suppress(FileNotFoundError):  # of a process in the background, which is done with it
            found += [path] if CANARY.encode() in path.read_bytes().lower() else []
    return found


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
    assert "git show --format= --name-only" in said.out
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


def test_a_session_that_went_on_from_a_forgotten_one_is_named_and_stays(session, known, cli):
    session(OTHER.replace("aa", "ab"), *SAID, user("Now write the notes."), agent(text("Written.")))
    assert "1 added" in cli("import", "claude").out
    said = cli("session", "forget", NAME, "--yes")
    line = next(
        line for line in said.out.splitlines() if line.startswith("  calmkb session forget")
    )
    assert CANARY in cli("search", CANARY).out
    assert cli(*line.split()[1:], "--yes").code == 0
    assert CANARY not in cli("session", "list").out
    assert "with their words" not in cli("session", "forget", OTHER, "--yes").out


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


def test_a_codex_session_does_not_come_back_into_the_cache_of_drafts(home, project, cli):
    path = home / ".codex/sessions/2026/03/01" / f"rollout-2026-03-01T10-00-00-{OTHER}.jsonl"
    path.parent.mkdir(parents=True)
    at = {"timestamp": "2026-03-01T10:00:00Z"}
    said = [("user", "input_text", f"Why does the {CANARY} build fail?"),
            ("assistant", "output_text", f"The {CANARY} cache is stale.")]  # fmt: skip
    rows = [at | {"type": "session_meta", "payload": at | {"id": OTHER, "cwd": str(project)}}]
    rows += [
        at | {"type": "response_item", "payload": {
            "type": "message", "role": role, "content": [{"type": kind, "text": words}]}}
        for role, kind, words in said
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "1 added" in cli("import", "codex").out
    assert cli("session", "forget", OTHER, "--yes").code == 0
    assert "1 forgotten" in cli("import", "codex").out
    environment = process_environment()
    found = preview(environment, agent_histories(environment, []), all_projects=True)
    assert (found.sessions, CANARY.encode() in found.drafts) == ((), False)
    assert places_with_canary(home, project) == []


def test_a_session_that_may_be_about_to_be_kept_is_waited_for(home, project, cli, monkeypatch):
    given = {"summary": f"Looked at the {CANARY} cache.", "session_id": NAME, "agent": "codex"}
    Path("given.json").write_text(json.dumps(given))
    identity = json.loads(cli("wrapup", "--json", "given.json").out)["id"]
    monkeypatch.setattr(status, "_SECONDS", 0)
    with archive_of(process_environment()).held(seconds=30):  # as what read it and writes it next
        said = cli("session", "forget", identity, "--yes")
    assert (said.code, "is being written to" in said.err) == (1, True)
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert cli("session", "forget", identity, "--yes").code == 0
    assert places_with_canary(home, project) == []


def test_what_waits_to_be_continued_or_reviewed_goes_too(home, project, cli):
    given = {"summary": f"Looked at the {CANARY} cache.", "next_steps": ["Clean it."],
             "needs_continuation": True, "session_id": "s-1", "agent": "codex"}  # fmt: skip
    Path("given.json").write_text(json.dumps(given))
    identity = json.loads(cli("wrapup", "--json", "given.json").out)["id"]
    waits = Memory(
        id=str(uuid.uuid4()), created_at=datetime.now(UTC), category="fact", importance=0.5,
        confidence="low", scope="shop", origin="agent", sources=(identity,),
        text=f"The {CANARY} cache goes stale.",
    )  # fmt: skip
    add_proposed(home / ".calm", project, waits)
    assert len(places_with_canary(home, project)) >= 3
    assert cli("session", "forget", identity[:8], "--yes").code == 0
    assert places_with_canary(home, project) == []


@pytest.mark.parametrize("group", ["session", "project"])
@pytest.mark.parametrize("name", ["", " "])
def test_no_name_forgets_nothing(project, cli, group, name):
    assert cli("wrapup", "--summary", "Moved the tests.").code == 0
    before = git(project, "rev-parse", "HEAD")
    said = cli(group, "forget", name, "--yes")
    assert (said.code, "nothing is named" in said.err) == (1, True)
    assert git(project, "rev-parse", "HEAD") == before
