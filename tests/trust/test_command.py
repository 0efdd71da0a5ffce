"""`calmkb agents trust`: shown, allowed by a person, listed, revoked; outside the repository."""

import json
import os
import subprocess
from dataclasses import replace
from typing import get_args

import pytest

from calmkb.capture.hooks.commands import shell_command
from calmkb.kb.base.approvals import is_approved
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.model.trust import TrustKind, TrustRequest
from calmkb.store.local.choices import KeepingChoice, keeping, save_keeping
from tests.trust.support import allow_everything

AGENT = '[agents.coding]\ncommand = "true"\n'


def test_a_repository_that_asks_for_nothing_says_so(project, cli):
    assert "asks for nothing" in cli("trust").out


def test_what_is_asked_for_is_shown_with_why_and_with_its_content(publish, cli):
    publish({"calmkb.toml": AGENT})
    said = cli("trust")
    assert said.code == 0
    assert "agents.coding.command" in said.out
    assert "runs this program" in said.out
    assert "| true" in said.out
    assert "not allowed on this machine" in said.out


def test_hidden_characters_of_a_request_are_shown(publish, cli):
    publish({"calmkb.toml": '[agents.coding]\ncommand = "tr\\u200bue\\u202e"\n'})
    said = cli("trust")
    assert "\u200b" not in said.out
    assert "U+200B" in said.out


def test_without_a_terminal_nothing_is_allowed(publish, cli, home):
    publish({"calmkb.toml": AGENT})
    said = cli("trust", "allow")
    assert (said.code, "person at a terminal" in said.err) == (1, True)
    assert not (home / ".calm/trust.jsonl").exists()


def test_a_person_allows_lists_and_revokes(publish, cli, terminal, home):
    clone = publish({"calmkb.toml": AGENT})
    child = terminal("trust", "allow")
    child.expect("agents.coding.command")
    child.expect(r"\[y/N\]")
    child.sendline("y")
    child.wait()
    assert "  allowed on this machine" in cli("trust").out
    (grant,) = json.loads(cli("trust", "list", "--json").out)["grants"]
    assert (grant["subject"], grant["kind"]) == ("agents.coding.command", "program")
    assert str(clone) in grant["knowledge_base"]
    assert "agents.coding.command" in cli("trust", "list").out
    assert "Revoked" in cli("trust", "revoke", grant["sha256"][:12]).out
    assert "not allowed on this machine" in cli("trust").out
    assert "allowed nothing" in cli("trust", "list").out


def test_all_approvals_of_one_repository_are_revoked_at_once(publish, cli):
    publish({"calmkb.toml": AGENT})
    allow_everything()
    assert cli("trust", "revoke", "--all").out.startswith("Revoked ")
    assert cli("trust", "revoke", "--all").out == "There was nothing to revoke.\n"
    assert cli("trust", "revoke").code == 1
    assert "no approval begins with" in cli("trust", "revoke", "0" * 12).err
    assert "8 or more digits" in cli("trust", "revoke", "0").err


def test_approvals_are_the_owners_alone_whatever_the_umask(publish, home):
    publish({"calmkb.toml": AGENT})
    before = os.umask(0)
    try:
        allow_everything()
    finally:
        os.umask(before)
    file = home / ".calm/trust.jsonl"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_broken_or_forged_line_allows_nothing(publish, cli, home):
    publish({"calmkb.toml": AGENT})
    allow_everything()
    file = home / ".calm/trust.jsonl"
    row = json.loads(file.read_text())
    file.write_text('{"action": "allow"}\n[]\n\xff\n' + json.dumps(row | {"knowledge_base": "/x"}))
    assert "not allowed on this machine" in cli("trust").out
    allow_everything()  # after a torn line too
    assert "  allowed on this machine" in cli("trust").out


def test_the_state_folder_of_a_project_holds_no_approvals(publish, cli, monkeypatch, home):
    clone = publish({"calmkb.toml": AGENT})
    allow_everything()
    (clone / "state").mkdir()
    (home / ".calm/trust.jsonl").replace(clone / "state/trust.jsonl")
    monkeypatch.setenv("REFLECTIONS_DIR", str(clone / "state"))
    assert "not allowed on this machine" in cli("trust").out


def test_doctor_names_what_is_not_allowed(publish, cli):
    publish({"calmkb.toml": AGENT})
    assert "not allowed on this machine: agents.coding.command" in cli("doctor").out
    allow_everything()
    assert "trust: 1 thing allowed on this machine" in cli("doctor").out


HOMES = {
    "a person's": ({"CI": "true"}, ".claude"),
    "another client's": ({"CI": "true"}, ".config/opencode"),
    "no CI's": ({}, ""),
    "an agent's": ({"CI": "true", "CLAUDECODE": "1"}, ""),
    "a hook's": ({"CI": "true", "CLAUDE_PROJECT_DIR": "/x"}, ""),
}


@pytest.mark.parametrize("name", HOMES)
def test_hashes_in_the_environment_count_in_ci_alone(publish, cli, monkeypatch, home, name):
    publish({"calmkb.toml": AGENT})
    (asked,) = json.loads(cli("trust", "--json").out)["requests"]
    env, client = HOMES[name]
    monkeypatch.setenv("CALMKB_TRUST", asked["sha256"])
    monkeypatch.delenv("CI", raising=False)
    (home / client).mkdir(parents=True, exist_ok=True)
    for variable, value in env.items():
        monkeypatch.setenv(variable, value)
    assert "not allowed on this machine" in cli("trust").out


def test_ci_names_no_hand_over_and_no_memory(publish, monkeypatch):
    publish({"calmkb.toml": AGENT})
    monkeypatch.setenv("CI", "true")
    kb = open_kb(process_environment())
    for kind in get_args(TrustKind):
        asked = TrustRequest(kind, "it", "why", "what")
        monkeypatch.setenv("CALMKB_TRUST", asked.sha256)
        named = is_approved(replace(kb, environment=process_environment()), asked)
        assert named == (kind in ("program", "site", "filter")), kind


FOLDERS = ["state", "{0}/state", "{0}/sub/../state", "/proc/self/cwd/state", "{0}-link/state", "./"]


@pytest.mark.parametrize("named", FOLDERS)
def test_no_folder_of_a_clone_is_the_state_folder(publish, monkeypatch, home, named):
    """It could hold a program that writes sessions, and words that are told to agents."""
    clone = publish({"state/writing.json": "{}", "sub/a": ""})
    clone.with_name("clone-link").symlink_to(clone)
    monkeypatch.setenv("REFLECTIONS_DIR", named.format(clone))
    assert process_environment().state == home / ".calm"
    monkeypatch.chdir(clone / "sub")
    if named != "./" and not named.startswith("/proc"):
        assert process_environment().state == home / ".calm"
    monkeypatch.chdir(clone)
    subprocess.run(["sh", "-c", shell_command("Stop")], input=b"{}", check=True)
    assert list((home / ".calm/queue").iterdir())
    assert not (clone / "state/queue").exists()


def test_a_folder_elsewhere_moves_what_is_kept_and_nothing_that_a_person_decided(
    publish, monkeypatch, home, tmp_path
):
    publish({"calmkb.toml": AGENT})
    save_keeping(home / ".calm", KeepingChoice(on=False))
    monkeypatch.setenv("REFLECTIONS_DIR", str(tmp_path / "moved"))
    environment = process_environment()
    assert environment.state == tmp_path / "moved"
    assert not keeping(environment.own).on
    subprocess.run(["sh", "-c", shell_command("Stop")], input=b"{}", check=True)
    assert list((tmp_path / "moved/queue").iterdir())
