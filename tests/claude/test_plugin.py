"""The plugin in the real client."""

import json
import shutil

import pytest

from calmkb.cli.clients.plugin import plugin_dir
from tests.claude.conftest import FAILS
from tests.claude.model import scripted
from tests.conftest import git

PLUGIN = str(plugin_dir())
WITH = ("--plugin-dir", PLUGIN, "--allowedTools", "Bash")


TOOL = "mcp__plugin_calmkb_calmkb__"


def use(name, **given):
    return {"tool": name if name in ("Bash", "Read") else f"{TOOL}{name}", "input": given}


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
    # On a busy machine the first request goes without a server that is still starting.
    steps = [use("Bash", command="calmkb search --help") for _ in range(3)]
    claude.say("hello", *steps, {"text": "done"}, args=WITH)
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


def test_its_hooks_fire(claude):
    claude.say("run it", *FAILS, {"text": "done"}, args=WITH)
    queued = {path.name.split("-")[0] for path in (claude.home / ".calm" / "queue").iterdir()}
    assert {"PostToolUseFailure", "Stop", "SessionEnd"} <= queued


def page(skill, name):
    return use("Read", file_path=f"{PLUGIN}/skills/{skill}/references/{name}.md")


def allowed(claude, skill, *steps):
    """Let the model do `steps` with no leave but the skill's own; return the session."""
    prompt = scripted(f"/calmkb:{skill}", *steps, {"text": "done"})
    ended = claude.ask(prompt, "--plugin-dir", PLUGIN)
    assert ended["permission_denials"] == []
    return ended["session_id"]


def test_the_skill_reflect_may_do_what_it_tells_the_model_to_do(claude):
    moment = '{"type": "convention", "content": "Don\'\\\'\'t round.", "confidence": 2}'
    session = allowed(
        claude,
        "reflect",
        page("reflect", "moments"),
        page("reflect", "sorting"),
        use("Bash", command=f"calmkb signal append '{moment}'"),
        use("Bash", command="calmkb reflect --signals --json"),
        use("Bash", command="calmkb reflect --signals --apply - <<< '{\"items\": []}'"),
    )
    (kept,) = json.loads(claude.calmkb("signal", "query", "--type", "convention"))
    assert (kept["content"], kept["session_id"]) == ("Don't round.", session)
    heard = claude.heard()
    assert '"suggested": "' in heard
    assert "Reflected on 0 items" in heard


MARKDOWN = """calmkb wrapup --agent claude-code --markdown - <<'END'
## Summary

Didn't round the "till"; `$(boom)` costs $5.

## Friction points

- It's half pennies: {a: b} & more; see <tag>.
END"""


def test_the_skill_wrapup_stores_by_the_server_and_by_the_program_and_it_is_one_session(claude):
    (claude.project / "calmkb.toml").write_text("")
    said = {"summary": "Rounded the till.", "working_directory": str(claude.project)}
    session = allowed(
        claude,
        "wrapup",
        page("wrapup", "raw-log"),
        use("store_journal_entry", **said),
        use("Bash", command=MARKDOWN),
    )
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    assert row["summary"] == 'Didn\'t round the "till"; `$(boom)` costs $5.'
    shown = json.loads(claude.calmkb("session", "show", row["id"], "--full", "--json"))
    assert (shown["agent"], shown["session_id"]) == ("claude-code", session)
    assert session in shown["session_log"]
    assert git(claude.project, "ls-files", "journal/sessions").count("\n") == 2
    assert claude.calmkb("import", "claude").startswith("0 added")


def test_the_skill_wrapup_may_take_up_the_last_session(claude):
    (claude.project / "calmkb.toml").write_text("")
    last = "0a11e5aa-3f0e-4a6b-9a51-0f6f2b7f7c11"
    command = MARKDOWN.replace("claude-code", f"claude-code --session-id {last} --log latest", 1)
    allowed(
        claude,
        "wrapup last",
        page("wrapup", "last-session"),
        use("Bash", command="calmkb wrapup --draft"),
        use("Bash", command=command),
    )
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    assert json.loads(claude.calmkb("session", "show", row["id"], "--json"))["session_id"] == last


def test_the_skill_wrapup_continue_leaves_the_work_to_the_next_session(claude):
    (claude.project / "calmkb.toml").write_text("")
    command = MARKDOWN.replace("wrapup", "wrapup continue", 1).replace(
        "Friction points", "Next steps"
    )
    allowed(claude, "wrapup continue", use("Bash", command=command))
    assert "- It's half pennies" in claude.calmkb("session", "pending")


def test_the_server_knows_the_folder_that_the_client_works_in(claude):
    allowed(claude, "wrapup", use("store_journal_entry", summary="Rounded the till."))
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    assert row["project_name"] == "shop"


def test_the_skill_reflection_may_do_what_it_tells_the_model_to_do(claude):
    (claude.project / "calmkb.toml").write_text("")
    claude.calmkb("wrapup", "--summary", "Rounded the till.", "--friction", "Half pennies.")
    (row,) = json.loads(claude.calmkb("session", "list", "--json"))["entries"]
    found = {"content": "Tills round up.", "category": "fact"}
    allowed(
        claude,
        "reflection",
        page("reflection", "analysts"),
        page("reflection", "without-the-server"),
        use("list_journal_entries", unreflected_only=True, limit=10),
        use("get_journal_entry", entry_id=row["id"], include_log=True),
        use("dedupe_proposals", proposals=[found]),
        use("store_memory", **found, sources=[row["id"]]),
        use("Bash", command="calmkb session list --unreflected --limit 10 --json"),
        use("Bash", command=f"calmkb show {row['id']} --log"),
        use("Bash", command="calmkb memory find tills"),
        use("mark_entries_reflected", entry_ids=[row["id"]], delete_logs=True),
    )
    assert "No journal entries" in claude.calmkb("session", "list", "--unreflected")
