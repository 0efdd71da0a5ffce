"""Who may approve: a person at a terminal; what an agent runs is a proposal, or refused."""

import json
import os

import pytest

from calmkb.hook import AGENT_MARKS
from tests import warm
from tests.conftest import git
from tests.warm import without_terminal

PNPM = "Use pnpm for every script, never npm."
ADD = ("memory", "add", PNPM, "--category", "workflow")


def by_agent(*args, said="", **env):
    """Run calmkb as an agent's shell tool does: no terminal."""
    return without_terminal(*args, said=said, env={**os.environ, **env})


def at_terminal(*args, **env):
    return warm.at_terminal(*args, env={**os.environ, **env})


def printed(child):
    """Return what a program prints until its end."""
    text = child.read()
    child.close()
    return text


def commits(project):
    return int(git(project, "rev-list", "--count", "HEAD"))


def test_a_memory_added_at_a_terminal_is_approved_by_the_person(project, cli):
    assert "Memory saved: " in printed(at_terminal(*ADD))
    assert "approved_by: ada@example.org" in git(project, "show", "HEAD")
    assert PNPM in cli("memory", "list").out


def test_a_memory_added_by_an_agent_is_a_proposal_that_the_review_shows(project, cli):
    before = commits(project)
    done = by_agent(*ADD, "--scope", "shop", "--tag", "js")
    assert (done.returncode, done.stdout.split(": ")[0]) == (0, "Proposed")
    assert "no person is at a terminal" in done.stdout and "calmkb reflect" in done.stdout
    assert commits(project) == before
    assert cli("memory", "list").out == "No memories found.\n"
    (row,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (row["text"], row["scope"], row["tags"]) == (PNPM, "shop", ["js"])


@pytest.mark.parametrize("mark", ["CLAUDECODE", "GEMINI_CLI", "AI_AGENT", "CALMKB_CHILD"])
def test_a_terminal_that_an_agent_runs_is_no_persons(project, mark):
    assert mark in AGENT_MARKS
    said = printed(at_terminal(*ADD, **{mark: "1"}))
    assert "Proposed" in said and f"{mark} is set" in said
    assert "memories/" not in git(project, "log", "--format=", "--name-only")


def test_an_agent_changes_merges_and_retires_nothing(project, cli, add):
    one, other = add(PNPM), add("Prices are in cents.", category="fact")
    before = commits(project)
    for args in (
        ("edit", one, "--text", "Use npm."), ("edit", one, "--scope", "global"),
        ("merge", one, other, "--force"), ("retire", one),
    ):  # fmt: skip
        done = by_agent("memory", *args)
        assert done.returncode == 1
        assert "needs a person at a terminal, and no person is at a terminal" in done.stderr
    assert commits(project) == before


def test_a_verdict_that_an_agent_gives_is_recorded_as_an_agents(project, add):
    identity = add(PNPM)
    assert by_agent("memory", "feedback", identity, "harmful").returncode == 0
    assert "given_by: agent" in git(project, "show", "HEAD")
    printed(at_terminal("memory", "feedback", identity, "helpful"))
    assert "given_by: ada@example.org" in git(project, "show", "HEAD")


def test_a_person_edits_what_they_approved_at_a_terminal(project, add):
    identity = add(PNPM)
    git(project, "config", "user.email", "bo@example.org")
    assert "Edited" in printed(at_terminal("memory", "edit", identity, "--scope", "till"))
    assert "+approved_by: bo@example.org" in git(project, "show", "HEAD")


def test_the_review_keeps_what_an_agent_proposed_with_its_id(project, cli, tmp_path):
    identity = by_agent(*ADD).stdout.split()[1]
    child = at_terminal("reflect")
    child.expect("proposed by an agent")
    child.expect("reflect> ")
    child.sendline("a 1")
    child.expect("1 accepted")
    child.sendline("undo")
    child.expect("1 open")
    child.sendline("a 1")
    child.expect("1 accepted")
    child.sendline("done")
    assert "Reflection Complete" in printed(child)
    (row,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    assert (row["id"], row["approved_by"]) == (identity, "ada@example.org")
    assert cli("reflect").out == "No unreflected sessions to process.\n"
    assert "Nothing was written" in by_agent(*ADD).stderr


def test_what_the_review_rejects_stays_rejected(project, cli):
    by_agent(*ADD)
    child = at_terminal("reflect")
    child.expect("reflect> ")
    child.sendline("r 1 not ours")
    child.expect("1 rejected")
    child.sendline("done")
    printed(child)
    assert "rejected on 20" in by_agent(*ADD).stdout
    assert json.loads(cli("reflect", "--json").out)["proposals"] == []


def test_decisions_that_an_agent_applies_wait_for_a_person_to_confirm(project, cli, tmp_path):
    cli("wrapup", "--summary", "Worked.", "--friction", "The lock file was rewritten by npm.")
    document = json.loads(by_agent("reflect", "--json").stdout)
    document["proposals"][0] |= {
        "decision": "accept", "category": "workflow",
        "text": "Use pnpm; npm rewrites the lock file.",
    }  # fmt: skip
    before = commits(project)
    done = by_agent("reflect", "--apply", "-", said=json.dumps(document))
    assert (done.returncode, commits(project)) == (0, before), done.stderr
    assert "Prepared 1 decision; nothing is decided yet" in done.stdout
    child = at_terminal("reflect")
    child.expect("Use pnpm; npm rewrites the lock file.")
    child.expect("workflow, low confidence")
    child.expect("1 accepted")
    child.expect("reflect> ")
    child.sendline("done")
    assert "Reflection Complete" in printed(child)
    text = git(project, "show", "HEAD")
    assert "approved_by: ada@example.org" in text and "category: workflow" in text


def test_decisions_are_applied_at_once_at_a_terminal(project, cli, tmp_path):
    cli("wrapup", "--summary", "Worked.", "--friction", "The lock file was rewritten by npm.")
    document = json.loads(cli("reflect", "--json").out)
    document["proposals"][0]["decision"] = "accept"
    (tmp_path / "d.json").write_text(json.dumps(document))
    assert "Memories created: 1" in printed(
        at_terminal("reflect", "--apply", str(tmp_path / "d.json"))
    )


def test_a_proposal_goes_into_a_pull_request_and_merging_approves_it(project, cli, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "shared.git")
    git(project, "remote", "add", "origin", str(tmp_path / "shared.git"))
    git(project, "push", "-q", "-u", "origin", "main")
    by_agent(*ADD)
    assert "1 proposal" in by_agent("reflect", "--pr").stdout
    assert json.loads(cli("reflect", "--json").out)["proposals"] == []
    branch = git(project, "ls-remote", "origin", "calmkb/*").split()[1]
    git(project, "fetch", "-q", "origin", branch)
    git(project, "merge", "-q", "--no-ff", "-m", "Merge the proposal", "FETCH_HEAD")
    git(project, "push", "-q", "origin", "main")
    assert PNPM in cli("memory", "list").out
    assert cli("sync").code == 0
    assert json.loads(cli("reflect", "--json").out)["proposals"] == []


def test_the_first_memory_of_all_is_approved_by_who_commits_it(home, cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not (home / ".calm/kb").exists()
    assert cli("memory", "add", "Prices are in cents.", "--category", "fact").code == 0
    [row] = json.loads(cli("memory", "list", "--json").out)["memories"]
    assert row["approved_by"] == "ada@example.org"
