"""The hooks in a person's settings, while the real client runs."""

import json

import pytest

from tests.claude.conftest import FAILS

THEIRS = (
    '{\n    "model": "haiku",  \n    "hooks": {"Stop": [{"hooks": '
    '[{"type": "command", "command": "touch ~/theirs-ran"}]}]},\n'
    '  "permissions": {"allow": ["Bash(*)"]} }'
)
BASH = ("--allowedTools", "Bash")


@pytest.fixture
def capturing(claude):
    """Return a client whose person has switched the hooks on."""
    claude.calmkb("hooks", "on")
    return claude


def signals(claude) -> list[dict]:
    return json.loads(claude.calmkb("signal", "query"))


def test_settings_survive_on_and_off_to_the_byte_with_the_client_between(claude):
    path = claude.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(THEIRS)
    claude.calmkb("hooks", "on", "--status-line")
    switched = path.read_text()
    claude.say("run it", *FAILS, {"text": "done"})
    assert (claude.home / "theirs-ran").exists()
    assert path.read_text() == switched
    claude.calmkb("hooks", "off")
    assert path.read_text() == THEIRS


def test_a_session_leaves_its_signals_after_the_next_one_has_begun(capturing):
    session = capturing.say("install it", *FAILS, {"text": "I ran npm install."}, args=BASH)
    on = ("--resume", session, *BASH)
    capturing.say("no, use pnpm instead of npm", {"text": "pnpm it is."}, args=on)
    capturing.say("/compact", args=on)
    capturing.say("/compact", args=on)
    capturing.say("something else")

    lines = (capturing.home / ".calm" / "signals.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    found = {(one["type"], one["confidence"]): one for one in kept if one["session_id"] == session}
    assert found["failure", 1]["content"].startswith("Bash failed: no such till")
    assert found["failure", 1]["tags"] == ["Bash"]
    assert "pnpm" in found["correction", 3]["content"]
    assert [one["type"] for one in kept if one["session_id"] == session].count("correction") == 1
    assert any(one["type"] == "summary" for one in kept)


def test_after_a_compaction_the_model_hears_what_was_noticed(capturing):
    session = capturing.say("install it", *FAILS, {"text": "I ran npm install."}, args=BASH)
    on = ("--resume", session, *BASH)
    capturing.say("no, use pnpm instead of npm", {"text": "pnpm it is."}, args=on)
    capturing.say("/compact", args=on)
    capturing.say("go on", {"text": "done"}, args=on)
    heard = capturing.heard()
    assert "- [failure] Bash failed: no such till" in heard
    assert "- [correction] " in heard
    assert "/reflect" in heard


def test_a_new_session_hears_what_was_left_to_be_continued(capturing):
    (capturing.project / "calmkb.toml").write_text("")
    capturing.calmkb(
        "wrapup", "continue", "--summary", "Till half done.", "--next", "Round half pennies up."
    )
    capturing.say("hello")
    assert "Round half pennies up." in capturing.heard()


def test_a_session_without_failures_hears_nothing_of_calmkb(capturing):
    capturing.say("hello")
    assert "calmkb" not in capturing.heard().lower()


def test_switched_off_nothing_is_noted(capturing):
    capturing.calmkb("hooks", "off")
    capturing.say("run it", *FAILS, {"text": "done"}, args=BASH)
    assert signals(capturing) == []
