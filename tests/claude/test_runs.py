"""Runs of the real client: journalled with no code, and told of the runs before them."""

import json
import os
import subprocess

import pytest

from tests.claude.conftest import CLIENT, PROGRAMS
from tests.claude.model import scripted
from tests.trust.support import write_allowed

STEPS = (
    {"blocks": [{"text": "I look around."},
                {"tool": "Bash", "input": {"command": "echo one; echo two"}}]},
    {"tool": "Bash", "input": {"command": "echo no such till >&2; exit 3"}},
    {"text": "The till is missing."},
)  # fmt: skip


@pytest.fixture
def run(claude):
    """Return a function that runs `calmkb run coding` with the client on its PATH."""
    write_allowed(
        claude.project,
        "[agents.coding]\nformat = 'claude-stream-json'\ncommand = "
        "'claude -p --output-format stream-json --verbose --allowedTools Bash'\n",
    )
    env = {
        **os.environ, **claude.env,
        "PATH": os.pathsep.join([str(CLIENT.parent), str(PROGRAMS), os.environ["PATH"]]),
    }  # fmt: skip

    def call(*args):
        done = subprocess.run(
            [PROGRAMS / "calmkb", "run", "coding", "--json", *args], cwd=claude.project, env=env,
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        events = [json.loads(line) for line in done.stdout.splitlines()]
        entries = [e["entry"] for e in events if e["type"] == "entry"]
        return events[-1]["run"], [e for e in entries if e["entry_type"] != "thinking"]

    return call


def session_of(claude):
    """Return the id of the one session that the run journal holds."""
    import asyncio

    from calmkb.wings.runs.store.store import open_journal

    async def look():
        journal = await open_journal(f"sqlite+aiosqlite:///{claude.home}/.calm/runs.sqlite")
        (session,) = await journal.list_sessions()
        await journal.close()
        return session.id

    return asyncio.run(look())


def test_text_tools_a_failure_and_the_end_are_journalled(claude, run):
    ended, entries = run(scripted("find the till", *STEPS))
    assert [e["entry_type"] for e in entries] == [
        "run:started", "text", "tool:starting", "tool:complete", "step:complete",
        "tool:starting", "tool:complete", "step:complete", "text", "run:complete",
    ]  # fmt: skip
    good, bad = (e["data"] for e in entries if e["entry_type"] == "tool:complete")
    assert (good["toolName"], good["summary"], good["success"]) == ("Bash", "one", True)
    assert bad["success"] is False and "no such till" in bad["result"]
    assert ended["status"] == "completed"
    assert ended["result"]["message"] == "The till is missing."
    (signal,) = json.loads(claude.calmkb("signal", "query"))
    assert "Bash failed" in signal["content"]


def test_a_second_run_of_the_session_is_told_of_the_first(claude, run):
    run(scripted("count the files", {"text": "There are seven."}))
    run("--session-id", session_of(claude), "and how many did you count?")
    heard = claude.heard()
    assert "User: count the files" in heard and "You: There are seven." in heard
    assert "The task now:\n\nand how many did you count?" in heard
