"""What the real client shows a person of a memory that its model proposes."""

import json

import pytest

from tests.claude.conftest import PROGRAMS
from tests.claude.model import scripted
from tests.claude.test_dialogue import press
from tests.claude.test_screen import at_terminal
from tests.conftest import git

__all__ = ["at_terminal"]
WORDS = "Use pnpm for every script of the till, never npm; npm rewrites the lock file."


@pytest.fixture
def proposing(claude):
    """Return what a person types so that the model proposes a memory to the project's server."""
    (claude.project / "calmkb.toml").write_text("")
    server = {"command": str(PROGRAMS / "calmkb"), "args": ["mcp", "--tools", "memory"]}
    (claude.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"calmkb": server}}))
    settings = claude.project / ".claude/settings.local.json"
    settings.parent.mkdir(exist_ok=True)
    allowed = {"allow": ["mcp__calmkb__store_memory"]}
    settings.write_text(json.dumps({"enabledMcpjsonServers": ["calmkb"], "permissions": allowed}))
    call = {"tool": "mcp__calmkb__store_memory",
            "input": {"content": WORDS, "category": "workflow", "tags": None}}  # fmt: skip
    return scripted("keep it", call, {"text": "done"})


@pytest.fixture
def asked(at_terminal, proposing):
    """Return the client at the moment when it asks the person."""
    child = at_terminal()
    child.expect("shortcuts|effort|auto mode")
    child.send(proposing)
    child.expect("=")
    child.send("\r")
    child.expect("requests your input")
    child.expect("Keep for")
    child.expect("lock.{1,40}file")
    child.expect("Esc.{1,40}cancel")
    return child


def test_what_a_person_declines_is_no_memory_and_waits_for_nobody(claude, asked):
    press(asked, "\x1b[B", "❯.{1,20}Decline")
    press(asked, "\r", "Called.{1,60}calmkb")
    assert claude.calmkb("memory", "list") == "No memories found.\n"
    assert claude.calmkb("reflect") == "No unreflected sessions to process.\n"
    assert '"status":"rejected"' in claude.heard().replace(" ", "")


def test_a_person_sees_the_words_whole_and_approves_them(claude, asked):
    press(asked, "\r", "Called.{1,60}calmkb")
    assert WORDS in claude.calmkb("memory", "list")
    assert "approved_by: " in git(claude.project, "show", "HEAD")
