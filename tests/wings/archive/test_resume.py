"""`calmkb next resume`: the few turns of a kept session that whoever goes on needs."""

import json
import re

from tests.capture.support import agent, text, user
from tests.wings.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"


def with_time(*objects):
    return [one | {"timestamp": "2026-03-01T10:00:00Z"} for one in objects]


def test_a_kept_session_is_handed_over_within_its_tokens(session, cli):
    talk = [
        one
        for number in range(120)
        for one in (user(f"Step {number}: {'words ' * 40}"), agent(text(f"Did step {number}.")))
    ]
    end = (user("And the changelog?"), agent(text("The changelog is left.")))
    session(NAME, *with_time(*SILENT, *talk, *end))
    cli("keep")
    out = cli("session", "resume", NAME[:8], "--tokens", "400").out
    assert "person: Why does the command print its usage" in out
    assert "person: And the changelog?" in out
    assert "agent: The changelog is left." in out
    assert "Step 20:" not in out
    assert "Files that it changed: cmd/root.go" in out
    assert f"or claude --resume {NAME}" in out
    cost, whole = re.search(r"About ([\d,]+) of ([\d,]+) tokens", out).groups()
    assert int(cost) <= 410
    assert int(whole.replace(",", "")) > 7_000
    assert len(out) < 4 * 600


def test_an_entry_left_to_be_continued_brings_its_turns(session, cli, home):
    path = session(NAME, *SILENT)
    cli("keep")
    said = cli("wrapup", "continue", "--from-transcript", str(path), "--next", "Go on.", "--json")
    identity = json.loads(said.out)["id"]
    out = cli("session", "resume", identity).out
    assert out.startswith("# Continue: shop\n")
    assert f"## Turns of session {NAME}" in out
    again = cli("session", "resume", identity)
    assert (again.code, "# Continue" in again.out) == (0, False)
    assert f"## Turns of session {NAME}" in again.out


def test_what_is_neither_is_refused(session, cli):
    session(NAME, *SILENT)
    cli("keep")
    refused = cli("session", "resume", "ffff")
    assert (refused.code, "not found" in refused.err) == (1, True)
