"""The end of a turn with work: the agent is asked once to write it down, and then stops."""

import io
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from calmkb.kb.base.environment import Environment
from calmkb.wings.wrapup.verbs import answer
from tests.cli.conftest import cli, project
from tests.warm import in_shell, without_terminal

__all__ = ["cli", "project"]

SESSION = "0b9c2a11-5a0e-4a77-9a55-5f2f5d6c1a01"
EDIT = ("Edit", {"file_path": "till.py", "old_string": "a", "new_string": "b"})
COMMIT = ("Bash", {"command": "git add -A && git commit -m 'Round the till'"})
LOOK = ("Bash", {"command": "git log --oneline"})
Stop = Callable[..., list[dict]]


def line(number: int, tool: str, given: dict, at: datetime, **more: object) -> str:
    use = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": given}
    row = {
        "type": "assistant", "uuid": f"u{number}", "sessionId": SESSION, "entrypoint": "cli",
        "timestamp": at.isoformat(), "message": {"role": "assistant", "content": [use]},
    }  # fmt: skip
    return json.dumps(row | more, separators=(",", ":")) + "\n"


@pytest.fixture
def log(home: Path) -> Path:
    """Return the transcript of the session, which a person has begun."""
    path = home / f"{SESSION}.jsonl"
    said = {"type": "user", "uuid": "u", "sessionId": SESSION, "entrypoint": "cli",
            "message": {"role": "user", "content": "Round the till"}}  # fmt: skip
    path.write_text(json.dumps(said) + "\n")
    return path


@pytest.fixture
def works(log: Path) -> Callable[..., None]:
    """Return a function that has the agent make calls, so many minutes ago."""

    numbers = count()

    def call(*calls: tuple[str, dict], ago: float = 0, **more: object) -> None:
        at = datetime.now(UTC) - timedelta(minutes=ago)
        with log.open("a") as file:
            for tool, given in calls:
                file.write(line(next(numbers), tool, given, at, **more))

    return call


@pytest.fixture
def stop(project: Path, home: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Return a function that runs the client's hooks at the end of a turn, and their answers."""
    monkeypatch.delenv("CI", raising=False)

    def call(*, again: bool = False, **env: str) -> list[dict]:
        settings = json.loads((home / ".claude/settings.json").read_text())
        said = {"session_id": SESSION, "transcript_path": str(log), "cwd": str(project),
                "hook_event_name": "Stop", "stop_hook_active": again,
                "last_assistant_message": 'Rounded, "all" is done.'}  # fmt: skip
        answers = []
        for command in (h["command"] for g in settings["hooks"]["Stop"] for h in g["hooks"]):
            text = json.dumps(said, separators=(",", ":")).encode()
            done = in_shell(command, text, cwd=project, env=os.environ | env)
            assert (done.returncode, done.stderr) == (0, b"")
            answers += [json.loads(done.stdout)] if done.stdout else []
        return answers

    return call


@pytest.fixture
def on(cli) -> None:
    """Switch it on."""
    done = cli("agents", "wrapup", "--on")
    assert done.code == 0, done.err


def earlier(home: Path, minutes: int) -> None:
    """Let time pass since the session was asked."""
    note = home / ".calm/asked" / f"{SESSION}.jsonl"
    then = note.stat().st_mtime - minutes * 60
    os.utime(note, (then, then))


@pytest.mark.parametrize(
    ("calls", "ago", "work"),
    [
        ([EDIT, EDIT], 0, "2 edits of this session"),
        ([COMMIT], 0, "1 commit of this session"),
        ([EDIT], 6, "1 edit of this session"),
        ([EDIT], 0, ""),
        ([LOOK, LOOK, LOOK], 9, ""),
        ([], 0, ""),
    ],
)
def test_an_agent_with_work_is_asked_and_another_is_not(on, works, stop, calls, ago, work):
    works(LOOK, ago=ago)
    works(*calls)
    answers = stop()
    assert bool(answers) is bool(work)
    if work:
        found = answers[0]["hookSpecificOutput"]
        assert found["hookEventName"] == "Stop"
        assert work in found["additionalContext"]
        assert "store_journal_entry" in found["additionalContext"]


def test_it_is_asked_once_for_the_same_work_and_the_person_reads_what_was_written(
    on, works, stop, cli, home
):
    works(EDIT, EDIT)
    assert stop()
    assert stop(again=True) == []  # it refused, and may stop
    earlier(home, 30)
    assert stop() == []
    works(EDIT, COMMIT)
    assert stop()
    said = ("--summary", "Rounded the till.", "--title", "The till rounds to cents")
    assert cli("wrapup", *said, "--session-id", SESSION, "--agent", "claude-code").code == 0
    assert "saved this session as" in stop(again=True)[0]["systemMessage"]
    assert "The till rounds to cents" in stop(again=True)[0]["systemMessage"]


def test_new_work_is_asked_about_after_twenty_minutes_and_not_before(on, works, stop, home):
    works(EDIT, EDIT, ago=60)
    assert stop()
    works(EDIT, EDIT)
    assert stop() == []
    earlier(home, 21)
    assert stop()


def test_it_says_how_many_sessions_were_wrapped_up_and_how_many_by_themselves(
    on, works, stop, cli, home, project
):
    assert cli("agents", "wrapup").out.endswith(
        "0 sessions with work here in 90 days: 0 wrapped up, 0 of them after being asked\n"
    )
    works(EDIT, EDIT)
    assert stop()
    said = ("--summary", "Rounded the till.", "--agent", "claude-code", "--session-id")
    asked = "1 session with work here in 90 days: {}\n".format
    assert asked("0 wrapped up, 0 of them after being asked") in cli("agents", "wrapup").out
    assert cli("wrapup", *said, SESSION).code == 0
    assert asked("1 wrapped up, 1 of them after being asked") in cli("agents", "wrapup").out
    notes = home / ".calm/asked"
    text = (notes / f"{SESSION}.jsonl").read_text()
    earlier = text[: text.rindex("claude-code")]  # as the first version wrote it
    for name, place in (("unasked", earlier), ("elsewhere", "2\n/another/shop\n")):
        (notes / f"{name}.jsonl").write_text(place)
        os.utime(notes / f"{name}.jsonl", (0, 0))
    assert cli("wrapup", *said, "unasked").code == 0
    found = cli("agents", "wrapup").out
    assert "2 sessions with work here in 90 days: 2 wrapped up, 1 of them after" in found


def test_sessions_of_long_ago_are_forgotten(on, works, stop, log, home, project):
    works(EDIT, EDIT)
    assert stop()
    newer = log.with_name("newer.jsonl")
    newer.write_bytes(log.read_bytes())
    payload = {"session_id": "newer", "transcript_path": str(newer), "cwd": str(project)}
    for days, left in ((89, 2), (91, 1)):
        later = datetime.now(UTC) + timedelta(days=days)
        around = Environment(home=home, cwd=project, now=lambda later=later: later)
        (home / ".calm/asked/newer.jsonl").unlink(missing_ok=True)
        answer(around, io.BytesIO(json.dumps(payload).encode()))
        assert len(list((home / ".calm/asked").iterdir())) == left


def test_work_that_an_entry_tells_of_is_not_asked_about(on, works, stop, cli):
    works(EDIT, EDIT, COMMIT, ago=3)
    said = ("--summary", "Rounded the till.", "--session-id", SESSION, "--agent", "claude-code")
    assert cli("wrapup", *said).code == 0
    assert stop() == []


@pytest.mark.parametrize("env", [{"CI": "true"}, {"CALMKB_CHILD": "1"}])
def test_in_ci_and_in_our_own_children_nobody_is_asked(on, works, stop, env):
    works(EDIT, EDIT)
    assert stop(**env) == []


def test_a_program_and_a_sub_agent_are_not_asked(on, works, stop, log):
    works(EDIT, EDIT, isSidechain=True)
    assert stop() == []
    log.write_text(log.read_text().replace('"cli"', '"sdk-cli"'))
    works(EDIT, EDIT, entrypoint="sdk-cli")
    assert stop() == []


def test_where_there_is_no_journal_nobody_is_asked(on, works, stop, project):
    (project / "calmkb.toml").unlink()
    works(EDIT, EDIT)
    assert stop() == []


def test_off_the_settings_are_as_they_were_to_the_byte(project, cli, home):
    path = home / ".claude/settings.json"
    path.parent.mkdir(exist_ok=True)
    before = b'{\n   "model": "opus",\n\t"env": {"A": "b"} }\n'
    path.write_bytes(before)
    assert "off" in cli("agents", "wrapup").out
    assert "one more request" in cli("agents", "wrapup", "--on").out
    assert "on: " in cli("agents", "wrapup").out
    assert b"WrapupCheck" in path.read_bytes()
    assert cli("agents", "wrapup", "--off").code == 0
    assert (path.read_bytes(), (home / ".calm/asked").exists()) == (before, False)


def test_a_missing_hook_is_said(on, cli, home):
    (home / ".claude/settings.json").write_text("{}")
    assert "the hook is missing in Claude Code" in cli("agents", "wrapup").out


def test_an_agent_does_not_switch_it_on(project, home):
    done = without_terminal(
        "agents", "wrapup", "--on", cwd=project, env={**os.environ, "CLAUDECODE": "1"}
    )
    assert (done.returncode, (home / ".calm/asked").exists()) == (1, False)


def test_with_the_plugin_on_it_is_said_where_the_hook_is(home, project, cli):
    (home / ".claude").mkdir(exist_ok=True)
    settings = {"enabledPlugins": {"calmkb@calmkb": True}}
    (home / ".claude/settings.json").write_text(json.dumps(settings))
    done = cli("agents", "wrapup", "--on")
    assert "Claude Code is asked for wrap-ups; the hook is in" in done.out
