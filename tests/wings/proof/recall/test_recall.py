"""An agent is told at most two memories at the prompt that they are about, and never twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb import recall
from tests.cli.conftest import Said, cli, project
from tests.conftest import git
from tests.wings.proof.recall.hooked import ask_hook

__all__ = ["Said", "cli", "project"]

WORKSPACE = "Install with pnpm: npm rewrites the lock file of the workspace."
REFUND = "Refunds go through the payment client, never through the ledger."
CLOCK = "The build machine keeps local time, so compare timestamps in UTC."


@pytest.fixture
def told(project: Path, cli, home: Path):
    """Return a function that asks the installed hook about a prompt, as the client does."""
    for text in (WORKSPACE, REFUND, CLOCK):
        assert cli("memory", "add", "--category", "workflow", "--scope", "shop", text).code == 0
    assert cli("recall", "--on").code == 0

    def ask(prompt: str, *, cwd: Path = project, session: str = "s1") -> str:
        said = ask_hook(home, "UserPromptSubmit", session_id=session, cwd=str(cwd), prompt=prompt)
        return str(said.get("additionalContext", ""))

    return ask


def start_session(folder: Path, home: Path) -> None:
    started = {"session_id": "s9", "cwd": str(folder), "source": "startup"}
    subprocess.run(
        [sys.executable, "-m", "calmkb", "hook", "SessionStart"], input=json.dumps(started),
        text=True, check=True, cwd=folder, env={**os.environ, "HOME": str(home)},
        capture_output=True,
    )  # fmt: skip


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the command is for sh")


def test_a_prompt_is_answered_by_the_memory_that_it_is_about_once_a_session(told):
    prompt = "npm install broke the lock file again, can you install the workspace?"
    said = told(prompt)
    assert WORKSPACE in said
    assert "calmkb memory " in said
    assert REFUND not in said
    assert told(prompt) == "", "it was recalled in this session"
    assert WORKSPACE in told(prompt, session="s2")
    assert told("Make the button blue, please.") == ""


def test_other_folders_and_children_of_calmkb_are_told_nothing(told, tmp_path, monkeypatch):
    prompt = "npm rewrote the lock file of the workspace"
    assert told(prompt, cwd=tmp_path) == ""
    monkeypatch.setenv("CALMKB_CHILD", "1")
    assert told(prompt) == ""


def test_what_an_agent_reads_already_or_nobody_approved_is_not_told(told, project, cli):
    assert cli("export").code == 0
    cli("recall", "--on")
    assert told("npm rewrote the lock file of the workspace") == ""


def test_a_retired_memory_is_told_no_longer_from_the_next_session_on(told, project, cli, home):
    rows = json.loads(cli("memory", "list", "--json").out)["memories"]
    name = next(row["id"] for row in rows if row["text"] == WORKSPACE)
    assert cli("memory", "retire", name).code == 0
    start_session(project, home)
    assert told("npm rewrote the lock file of the workspace", session="s9") == ""
    assert REFUND in told("send the refunds through the payment client", session="s9")


def test_off_restores_the_settings_to_the_byte_and_the_list_tells_what_was_told(told, cli, home):
    told("npm rewrote the lock file of the workspace")
    said = cli("recall").out
    assert said.startswith("on: 3 memories can be recalled")
    assert f"      1          0  {WORKSPACE}" in said
    (one, *_) = (
        m
        for m in json.loads(cli("memory", "list", "--json").out)["memories"]
        if m["text"] == WORKSPACE
    )
    words = "in 1 session, 0 of which hit the same problem"
    assert words in " ".join(cli("memory", "show", one["id"]).out.split())
    shown = json.loads(cli("memory", "show", one["id"], "--json").out)["recalled"]
    assert shown == {"sessions": 1, "met": 0}
    assert WORKSPACE in cli("recall", "npm rewrote the lock of the workspace").out
    assert cli("recall", "hello there").out == "Nothing fits.\n"
    assert cli("hooks", "off").code == 0
    assert "nothing is recalled: calmkb agents recall --on" in cli("recall").err
    assert cli("recall", "--on").code == 0
    assert cli("recall").err == ""
    assert cli("recall", "--off").code == 0
    assert not (home / ".claude/settings.json").exists()
    assert cli("recall").out.startswith("off: ")


def test_a_broken_index_or_input_is_answered_with_nothing(told, home):
    prompt = "npm rewrote the lock file of the workspace"
    for broken in ("{", "[1]", '[{"kb": 1, "folder": "x", "memories": []}]'):
        (home / ".calm/recall.json").write_text(broken)
        assert told(prompt) == ""


def test_a_worktree_of_the_project_is_told_too_once_a_session_started_there(told, project, home):
    git(project, "worktree", "add", "-q", "../second")
    second = project.parent / "second"
    prompt = "npm rewrote the lock file of the workspace"
    assert told(prompt, cwd=second) == ""
    start_session(second, home)
    assert WORKSPACE in told(prompt, cwd=second)


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=80), max_size=5))
def test_at_most_two_fit_and_each_shares_two_words_with_the_prompt(prompt, texts):
    rows = [{"text": t, "terms": w} for t, w in zip(texts, recall.weighed(texts), strict=True)]
    found = recall.fitting(prompt, rows)
    assert len(found) <= recall.MOST
    for row in found:
        assert len(recall.terms(prompt) & set(row["terms"])) >= recall.LEAST
