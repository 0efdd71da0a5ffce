"""The real client at a terminal: what a person sees of calmkb."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from calmkb.cli.clients.plugin import plugin_dir
from tests.claude.conftest import CLIENT, PROGRAMS
from tests.claude.model import scripted


@pytest.fixture
def at_terminal(claude):
    """Return a function that starts the client at a terminal, past its first questions."""
    started = []

    def start(*args: str, programs: Path = PROGRAMS) -> pexpect.spawn:
        known = claude.home / ".claude.json"
        state = json.loads(known.read_text()) if known.exists() else {}
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state |= {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["sk-test-dummy"], "rejected": []},
            "projects": {str(claude.project): trusted},
        }
        known.write_text(json.dumps(state))
        child = pexpect.spawn(
            str(CLIENT),
            list(args or ("--allowedTools", "Bash")),
            cwd=claude.project,
            env=replace(claude, programs=programs).env | {"TERM": "xterm-256color"},
            dimensions=(50, 160),
            encoding="utf-8",
            timeout=30,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.ptyproc.delayafterterminate = 2  # on a busy machine it takes its time to go
        child.close(force=True)


def test_the_status_line_counts_what_waits_beside_the_persons_own(claude, at_terminal):
    path = claude.home / ".claude" / "settings.json"
    path.parent.mkdir()
    theirs = "cat >/dev/null; printf '%s' mine-stands"
    path.write_text(json.dumps({"statusLine": {"type": "command", "command": theirs}}))
    claude.calmkb("signal", "append", '{"type": "convention", "content": "Tills round up."}')
    claude.calmkb("hooks", "on", "--status-line")
    child = at_terminal()
    seen = re.compile(r"mine-stands.*reflect:.*1.*pending", re.DOTALL)
    assert child.expect([seen, pexpect.EOF]) == 0, child.before


def test_a_person_who_wraps_up_is_asked_for_no_permission(claude, at_terminal):
    tool = "mcp__plugin_calmkb_calmkb__store_journal_entry"
    steps = {"tool": tool, "input": {"summary": "Rounded the till."}}, {"text": "all is kept"}
    child = at_terminal("--plugin-dir", str(plugin_dir()))
    child.expect("shortcuts|effort|auto mode")
    child.send(scripted("/calmkb:wrapup", *steps))
    child.expect("=")
    child.send("\r")
    assert child.expect(["all.{1,12}is.{1,12}kept", "Do you want", pexpect.EOF]) == 0, child.before
    assert "Rounded the till." in claude.calmkb("session", "list")


def test_a_person_is_offered_what_waits_and_the_model_is_not(claude, at_terminal):
    claude.calmkb("hooks", "on")
    claude.calmkb("signal", "append", '{"type": "convention", "content": "Tills round up."}')
    child = at_terminal()
    seen = re.compile(r"signals.{1,12}to.{1,12}review:.{1,12}1.{1,12}\(/reflect\)", re.DOTALL)
    assert child.expect([seen, pexpect.EOF]) == 0, child.before
    claude.say("hello")
    assert "to review" not in claude.heard()


def test_after_a_clear_the_server_knows_the_new_session(claude, at_terminal):
    (claude.project / "calmkb.toml").write_text("")
    child = at_terminal("--plugin-dir", str(plugin_dir()))
    child.expect("shortcuts|effort|auto mode")
    child.send(scripted("hello", {"text": "first answer"}))
    child.expect("=")
    child.send("\r")
    child.expect("first.{1,12}answer")
    child.send("/clear")
    child.expect(pexpect.TIMEOUT, timeout=1)  # until the menu of commands has opened
    child.send("\r")
    for _ in range(20):
        child.expect(pexpect.TIMEOUT, timeout=1)
        if list((claude.home / ".calm/clients").glob("*")):
            break
    tool = "mcp__plugin_calmkb_calmkb__store_journal_entry"
    steps = {"tool": tool, "input": {"summary": "Rounded the till."}}, {"text": "all is kept"}
    child.send(scripted("/calmkb:wrapup", *steps))
    child.expect("=")
    child.send("\r")
    child.expect("all.{1,12}is.{1,12}kept")
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    session = json.loads(claude.calmkb("session", "show", row["id"], "--json"))["session_id"]
    kept = (claude.home / ".claude/projects").rglob("*.jsonl")
    paths = {path.stem: path.read_text() for path in kept}
    assert len(paths) == 2
    assert "store_journal_entry" in paths[session]
    assert "first answer" not in paths[session]


def test_a_session_that_a_person_ends_leaves_its_summary_and_what_it_taught(claude, at_terminal):
    child = at_terminal("--plugin-dir", str(plugin_dir()))
    child.expect("shortcuts|effort|auto mode")
    for said, answer in (("install it", "npm it is"), ("no, use pnpm instead of npm", "so be it")):
        child.send(scripted(said, {"text": answer}))
        child.expect("=")
        child.send("\r")
        child.expect(answer.replace(" ", ".{1,12}"))
    child.send("/exit")
    child.expect(pexpect.TIMEOUT, timeout=1)  # until the menu of commands has opened
    child.send("\r")
    child.expect(pexpect.EOF)
    kept = {one["type"]: one for one in json.loads(claude.calmkb("signal", "query"))}
    assert set(kept) == {"summary", "correction"}
    assert kept["summary"]["content"].startswith("Session of 4 turns")
    assert kept["correction"]["content"].startswith("no, use pnpm instead of npm")


def test_a_plugin_without_its_program_fails_no_hook(claude, at_terminal):
    settings = claude.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("{}")
    child = at_terminal("--plugin-dir", str(plugin_dir()), programs=Path("/nowhere"))
    child.expect("shortcuts|effort|auto mode")
    child.send(scripted("hello", {"text": "an answer"}))
    child.expect("=")
    child.send("\r")
    seen = ["hook.{1,12}(failed|error)", "an.{1,12}answer"]
    assert child.expect(seen) == 1, child.before
    assert not (claude.home / ".calm").exists()
