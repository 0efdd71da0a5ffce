"""The hooks in a person's settings, while the real client runs."""

import json

THEIRS = (
    '{\n    "model": "haiku",  \n    "hooks": {"Stop": [{"hooks": '
    '[{"type": "command", "command": "touch ~/theirs-ran"}]}]},\n'
    '  "permissions": {"allow": ["Bash(*)"]} }'
)
FAILING = {"tool": "Bash", "input": {"command": "echo no such till >&2; exit 3"}}


def test_settings_survive_on_and_off_to_the_byte_with_the_client_between(claude):
    path = claude.home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(THEIRS)
    claude.calmkb("hooks", "on", "--status-line")
    switched = path.read_text()
    claude.say("run it", FAILING, {"text": "done"})
    assert (claude.home / "theirs-ran").exists()
    assert path.read_text() == switched
    claude.calmkb("hooks", "off")
    assert path.read_text() == THEIRS


def test_a_session_leaves_its_signals_and_the_next_one_hears_of_them(claude):
    claude.calmkb("hooks", "on")
    bash = ("--allowedTools", "Bash")
    session = claude.say("install it", FAILING, {"text": "I ran npm install."}, args=bash)
    on = ("--resume", session, *bash)
    claude.say("no, use pnpm instead of npm in this project", {"text": "pnpm it is."}, args=on)
    claude.say("/compact", args=on)
    claude.say("go on", {"text": "done"}, args=on)

    signals = json.loads(claude.calmkb("signal", "query"))
    assert {one["session_id"] for one in signals} == {session}
    found = {(one["type"], one["confidence"]) for one in signals}
    assert ("failure", 1) in found
    assert ("correction", 3) in found
    assert "summary" in {one["type"] for one in signals}
