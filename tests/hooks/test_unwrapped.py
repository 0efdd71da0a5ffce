"""What waits when a session begins: offered in one line, and gone once it is done."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.hooks.events import handle
from calmkb.kb.status import status_parts
from tests import warm
from tests.cli.conftest import cli, project
from tests.conftest import git

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

__all__ = ["cli", "project"]
FIRST = "0a11e5aa-3f0e-4a6b-9a51-0f6f2b7f7c11"
SECOND = "0bea5bbb-2486-431f-a959-b3aaf7c1f96a"


def transcript(session: str, *prompts: str, cwd: Path, entrypoint: str = "cli") -> Path:
    folder = Path.home() / ".claude/projects/-shop"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {"type": "user", "sessionId": session, "cwd": str(cwd), "entrypoint": entrypoint,
         "timestamp": "2026-11-20T10:00:00.000Z", "message": {"role": "user", "content": prompt}}
        for prompt in prompts
    ]  # fmt: skip
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def hook(project):
    """Return a function that gives a hook its input as the client does."""
    environment = replace(process_environment(), cwd=project, now=lambda: datetime.now(UTC))

    def call(event: str, session: str, *, cwd: Path = project, **more: str):
        said = {"session_id": session, "cwd": str(cwd), "hook_event_name": event, **more}
        return handle(environment, event, io.BytesIO(json.dumps(said).encode()))

    return call


@pytest.fixture
def ended(hook, project):
    """Return a function that lets a session end, which a person or a program ran."""

    def end(session=FIRST, prompt="Round the till up, please.", **more):
        path = transcript(session, prompt, cwd=more.get("cwd", project),
                          entrypoint=more.pop("entrypoint", "cli"))  # fmt: skip
        hook("SessionEnd", session, transcript_path=str(path), reason="other", **more)

    return end


def begin(hook, **more):
    return hook("SessionStart", "the-new-one", source="startup", **more)


def shown(cwd: Path) -> list[str]:
    return status_parts({"HOME": str(Path.home())}, json.dumps({"cwd": str(cwd)}).encode())


def test_nothing_is_said_where_nothing_waits(hook, project):
    assert begin(hook).message == ""
    assert shown(project) == []


def test_a_session_without_an_entry_is_offered_in_one_line(hook, ended, project):
    ended()
    answer = begin(hook)
    assert answer.message == "calmkb: sessions to wrap up: 1 (/wrapup last)"
    assert answer.context == ""
    assert shown(project) == ["waiting: 1 to wrap up"]


def test_it_is_offered_in_the_other_folders_and_worktrees_of_the_repository_alone(
    hook, ended, project, tmp_path
):
    ended()
    (project / "src").mkdir()
    git(project, "worktree", "add", "-q", str(tmp_path / "other-tree"))
    (tmp_path / "bank").mkdir()
    git(tmp_path / "bank", "init", "-q")
    for place, offered in ((project / "src", True), (tmp_path / "other-tree", True),
                           (tmp_path / "bank", False)):  # fmt: skip
        assert ("to wrap up" in begin(hook, cwd=place).message) is offered, place


@pytest.mark.parametrize(
    "more",
    [{"entrypoint": "sdk-cli"}, {"prompt": "<command-name>/calmkb:wrapup</command-name>"}],
    ids=["run by a program", "commands alone"],
)
def test_a_session_that_nobody_talked_in_is_not_offered(hook, ended, more):
    ended(**more)
    assert begin(hook).message == ""


def test_a_session_that_is_resumed_is_not_offered_to_itself(hook, ended):
    ended()
    assert hook("SessionStart", FIRST, source="resume").message == ""


def wrap(cli, session, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)
    said = cli("wrapup", "--summary", "Rounded the till.", "--friction", "Half pennies.")
    assert said.code == 0, said.err


def test_the_line_and_the_status_line_reach_zero(hook, ended, project, cli, monkeypatch):
    ended()
    begin(hook)
    wrap(cli, FIRST, monkeypatch)
    assert shown(project) == ["waiting: 1 to reflect on"]
    assert "entries to reflect on: 1 (/reflection)" in begin(hook).message
    rows = json.loads(cli("session", "list", "--json").out)["entries"]
    mark(rows[0]["id"])
    assert shown(project) == []
    assert begin(hook).message == ""


def mark(entry: str) -> None:
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.wings.mcp.verbs import mark_reflected

    assert mark_reflected(open_kb(process_environment()), [entry])[0] == 1


def test_signals_to_review_are_offered_too(hook, project, cli):
    cli("signal", "append", '{"type": "convention", "content": "Tills round up."}')
    assert begin(hook).message == "calmkb: signals to review: 1 (/reflect)"


def test_the_draft_of_the_last_session_without_an_entry_is_printed(hook, ended, cli, monkeypatch):
    ended()
    ended(SECOND, "Count the pears, please.")
    said = cli("wrapup", "--draft")
    assert said.out.startswith(f"# Session {SECOND} of claude-code\n\n## Summary\n")
    wrap(cli, SECOND, monkeypatch)
    assert FIRST in cli("wrapup", "--draft").out


def at_terminal(project, *answers: str) -> str:
    child = warm.at_terminal("wrapup", folder=project, dimensions=(24, 80))
    for answer in answers:
        child.expect("Keep this wrap-up")
        child.sendline(answer)
    return child.read()


def test_a_person_is_shown_the_draft_and_only_says_yes(hook, ended, project, cli):
    ended()
    assert "Journal entry saved" in at_terminal(project, "")
    (row,) = json.loads(cli("session", "list", "--json").out)["entries"]
    entry = json.loads(cli("session", "show", row["id"], "--full", "--json").out)
    assert (entry["agent"], entry["session_id"]) == ("claude-code", FIRST)
    assert "Round the till up" in entry["summary"]
    assert "Round the till up" in entry["session_log"]
    assert "to wrap up" not in begin(hook).message


def test_a_session_that_a_person_drops_is_offered_no_more(hook, ended, project, cli):
    ended()
    assert "not offered again" in at_terminal(project, "d")
    assert cli("session", "list").out == "No journal entries found.\n"
    assert begin(hook).message == ""


def test_entries_are_counted_for_a_project_that_was_renamed(hook, project, cli):
    cli("wrapup", "--summary", "Rounded the till.")
    assert "1 to reflect on" in " ".join(shown_after(hook, project))
    assert cli("project", "rename", "shop", "storefront").code == 0
    assert "1 to reflect on" in " ".join(shown_after(hook, project))


def shown_after(hook, project) -> list[str]:
    begin(hook)
    return shown(project)
