"""The plugin in the real client."""

import shutil

import pytest

from calmkb.cli.clients.plugin import plugin_dir
from tests.claude.conftest import FAILS

PLUGIN = str(plugin_dir())
WITHOUT_LEAVE = ("--plugin-dir", PLUGIN)
WITH = (*WITHOUT_LEAVE, "--allowedTools", "Bash")


def test_the_clients_own_check_finds_nothing_strictly(claude, tmp_path):
    assert "Validation passed" in claude.run("plugin", "validate", PLUGIN, "--strict")
    # A folder with a marketplace is checked as one; without it, the plugin by itself.
    alone = shutil.copytree(PLUGIN, tmp_path / "alone")
    (alone / ".claude-plugin" / "marketplace.json").unlink()
    assert "Validating plugin manifest" in claude.run("plugin", "validate", str(alone), "--strict")


def test_its_folder_is_a_marketplace_to_install_it_from(claude):
    claude.run("plugin", "marketplace", "add", PLUGIN)
    claude.run("plugin", "install", "calmkb@calmkb")
    assert "enabled" in claude.run("plugin", "list")
    claude.say("hello")
    assert "calmkb:wrapup" in claude.heard()


def test_the_model_learns_of_its_skills_and_of_its_server(claude):
    claude.say("hello", args=WITH)
    heard = claude.heard()
    for skill in ("wrapup", "reflection", "reflect", "reflect-toggle"):
        assert f"calmkb:{skill}: " in heard
    assert "mcp__plugin_calmkb_calmkb__store_journal_entry" in heard
    assert "calmkb keeps what coding sessions teach" in heard
    assert "Connected" in claude.run("--plugin-dir", PLUGIN, "mcp", "list")


@pytest.mark.parametrize("name", ["wrapup", "calmkb:wrapup"])
def test_a_person_calls_a_skill_by_its_name(claude, name):
    claude.say(f"/{name} continue", args=WITH)
    assert "Argument: `continue`" in claude.heard()


def test_its_server_stores_an_entry(claude):
    tool = "mcp__plugin_calmkb_calmkb__store_journal_entry"
    entry = {"summary": "Taught the till to round.", "working_directory": str(claude.project)}
    claude.say(
        "wrap up",
        {"tool": tool, "input": entry},
        {"text": "done"},
        args=("--plugin-dir", PLUGIN, "--allowedTools", tool),
    )
    assert "Taught the till to round." in claude.calmkb("session", "list")


def test_its_hooks_fire(claude):
    claude.say("run it", *FAILS, {"text": "done"}, args=WITH)
    queued = {path.name.split("-")[0] for path in (claude.home / ".calm" / "queue").iterdir()}
    assert {"PostToolUseFailure", "Stop", "SessionEnd"} <= queued


def test_the_skill_reflect_may_run_what_it_tells_the_model_to_run(claude):
    moment = '{"type": "convention", "content": "Don\'\\\'\'t round.", "confidence": 2}'
    commands = (
        f"calmkb signal append '{moment}'",
        "calmkb reflect --signals --json",
        "calmkb reflect --signals --apply - <<< '{\"items\": []}'",
    )
    steps = [{"tool": "Bash", "input": {"command": command}} for command in commands]
    claude.say("/calmkb:reflect", *steps, {"text": "Learning 1 of 1"}, args=WITHOUT_LEAVE)
    assert "Don't round." in claude.calmkb("signal", "query")
    heard = claude.heard()
    assert '"suggested": "' in heard
    assert "Reflected on 0 items" in heard


def test_the_skill_wrapup_may_store_an_entry_by_the_program(claude):
    command = (
        "calmkb wrapup --agent claude-code --log latest --summary 'Rounded the till.' "
        "--friction 'Half pennies.' --next 'Round up.'"
    )
    steps = {"tool": "Bash", "input": {"command": command}}, {"text": "Session Wrapped Up"}
    claude.say("/calmkb:wrapup", *steps, args=WITHOUT_LEAVE)
    assert "Rounded the till." in claude.calmkb("session", "list")
    assert list((claude.home / ".calm" / "sessions").glob("*.jsonl"))
