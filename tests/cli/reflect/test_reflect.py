"""`calmkb reflect` and `calmkb export`: from sessions to what the next one is told."""

import json

import pytest

from tests import warm
from tests.children import interrupt
from tests.conftest import git
from tests.warm import without_terminal

PNPM = ("`npm test` hung: the project uses pnpm, and the lock file was rewritten.",
        "npm install rewrote the lock file; the project uses pnpm.")  # fmt: skip
DOCKER = "The end-to-end job needs the database container; nothing said so."


@pytest.fixture
def met_twice(project, cli):
    """Return the project after two sessions that met one thing, and one that met another."""
    for friction in (*PNPM, DOCKER):
        assert cli("wrapup", "--summary", "Worked.", "--friction", friction).code == 0
    return project


def proposals(cli):
    return json.loads(cli("reflect", "--json").out)


def decide(cli, tmp_path, document, *actions):
    for proposal, action in zip(document["proposals"], actions, strict=True):
        proposal["decision"] = action
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(document))
    return cli("reflect", "--apply", str(path))


def test_the_loop_from_friction_to_the_digest(met_twice, cli, tmp_path):
    said = decide(cli, tmp_path, proposals(cli), "accept", "reject")
    assert (said.code, "Memories created: 1" in said.out) == (0, True), said.err
    files = git(met_twice, "show", "--format=", "--name-only", "HEAD").split()
    assert sorted(path.split("/")[1] for path in files) == ["memories", "reflections"]
    assert git(met_twice, "status", "--porcelain") == ""
    assert cli("reflect").out == "No unreflected sessions to process.\n"
    assert cli("export").out.startswith("Wrote 1 memory to ")
    text = (met_twice / "CLAUDE.md").read_text()
    assert "## Gotchas\n\n- " in text and "pnpm" in text
    assert cli("export", "--check").code == 0
    assert cli("check").code == 0


def test_decisions_in_a_file_that_leave_some_open_say_so(met_twice, cli, tmp_path):
    said = decide(cli, tmp_path, proposals(cli), "accept", None)
    assert "- Left for next time: 1 proposal, with their sessions\n" in said.out


def test_reflecting_changes_nothing_until_something_is_decided(met_twice, cli):
    before = git(met_twice, "log", "--format=%H")
    assert cli("reflect", "--json").out == cli("reflect", "--json").out
    assert "[ ]   1. " in cli("reflect", "--dry-run").out
    assert git(met_twice, "log", "--format=%H") == before
    assert git(met_twice, "status", "--porcelain") == ""


def test_a_rejected_proposal_returns_only_with_new_evidence(met_twice, cli, tmp_path):
    document = proposals(cli)
    document["proposals"][1]["reason"] = "Only on my machine."
    decide(cli, tmp_path, document, "accept", "reject")
    assert proposals(cli)["proposals"] == []
    cli("wrapup", "--summary", "Again.", "--friction", DOCKER)
    (back,) = proposals(cli)["proposals"]
    assert back["rejected"].endswith(": Only on my machine.")
    assert len(back["evidence"]) == 2


def test_logs_go_when_their_sessions_are_reflected_on(project, cli, home, tmp_path):
    (tmp_path / "l.jsonl").write_text("{}\n")
    cli("wrapup", "--summary", "x", "--friction", DOCKER, "--log", str(tmp_path / "l.jsonl"))
    assert "Logs deleted: 1" in decide(cli, tmp_path, proposals(cli), "accept").out
    assert list((home / ".calm/sessions").iterdir()) == []


def test_decisions_on_proposals_that_have_changed_are_refused(met_twice, cli, tmp_path):
    document = proposals(cli)
    cli("wrapup", "--summary", "Again.", "--friction", DOCKER)
    before = git(met_twice, "rev-list", "--count", "HEAD")
    said = decide(cli, tmp_path, document, "skip", "accept")
    assert (said.code, "is not open" in said.err) == (1, True)
    assert git(met_twice, "rev-list", "--count", "HEAD") == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"decision": "yes"}, "decision 'yes' is unknown; choose from: accept, reject, skip"),
        ({"decision": "accept", "category": "gossip"}, "category 'gossip' is unknown"),
        ({"decision": "accept", "importance": 7}, "importance 7 is not a number from 0 to 1"),
        ({"decision": "accept", "text": 3}, "text must be text"),
        ({"decision": "accept", "text": "x" * 10_001}, "Memory text has 10,001 characters"),
    ],
)
def test_bad_decisions_are_explained_and_change_nothing(met_twice, cli, tmp_path, change, told):
    document = proposals(cli)
    document["proposals"][0] |= change
    (tmp_path / "d.json").write_text(json.dumps(document))
    before = git(met_twice, "rev-list", "--count", "HEAD")
    said = cli("reflect", "--apply", str(tmp_path / "d.json"))
    assert (said.code, told in said.err) == (1, True), said.err
    assert git(met_twice, "rev-list", "--count", "HEAD") == before


def test_without_a_terminal_a_review_points_to_json(met_twice):
    done = without_terminal("reflect", cwd=met_twice)
    assert done.returncode == 1
    assert "calmkb reflect --json > FILE" in done.stderr


def test_a_person_reviews_at_the_terminal(met_twice):
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")
    child = warm.at_terminal("reflect", folder=met_twice)
    child.expect("Debugging Insights")
    child.expect("1 of 2")
    child.expect("reflect> ")
    child.sendline("a 9")
    child.expect("9 is out of range; choose from 1 to 2")
    child.sendline("v 1")
    child.expect("npm install rewrote the lock file")
    child.sendline("a")
    child.expect("1 accepted, 1 open")
    child.expect("2 of 2")
    child.sendline("r only here")
    child.expect("1 accepted, 1 rejected, 0 open")
    child.expect("Enter finishes, u takes the last decision back")
    child.sendline("")
    child.expect("Reflection Complete")
    child.expect("Commit ([0-9a-f]{8}); undo it with: git revert --no-edit")
    assert git(met_twice, "rev-parse", "HEAD").startswith(child.match.group(1))
    child.expect(pexpect.EOF)
    said = git(met_twice, "log", "-1", "--format=%s").strip()
    assert said == "reflect: 1 memory, 3 sessions reflected on"
    assert "Evidence: " in git(met_twice, "show", "HEAD")
    assert "Reason: only here" in git(met_twice, "show", "HEAD")


def at_a_terminal(folder, *args):
    child = warm.at_terminal("reflect", *args, folder=folder)
    child.expect("reflect> ")
    return child


def say(child, line, *answers):
    child.sendline(line)
    for answer in answers:
        child.expect(answer)


def test_a_review_that_was_left_goes_on_where_it_stood(met_twice, home):
    child = at_a_terminal(met_twice)
    say(child, "r 2 only here", "1 rejected, 1 open")
    say(child, "a 1", "1 accepted, 1 rejected")
    say(child, "undo", "1 rejected, 1 open")
    say(child, "quit", "Your decisions are kept for the next time")
    (kept,) = (home / ".calm/reviews").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    child = at_a_terminal(met_twice)
    assert "Decided before, and not yet written: 1 rejected, 1 open." in child.before
    say(child, "u", "Taken back.", "2 open")
    say(child, "r 2 only here", "1 rejected, 1 open")
    say(child, "done", "Reflection Complete", "Left for next time: 1 proposal")
    child.wait()
    assert "Reason: only here" in git(met_twice, "show", "HEAD")
    assert list((home / ".calm/reviews").iterdir()) == []


def test_a_proposal_can_be_merged_into_a_memory(met_twice, cli):
    cli("memory", "add", "In this project pnpm is the only package manager.",
        "--category", "workflow")  # fmt: skip
    (memory,) = json.loads(cli("memory", "list", "--json").out)["memories"]
    child = at_a_terminal(met_twice)
    say(child, "m 1 ffffffff", "names no memory to merge into")
    say(child, f"m 1 {memory['id'][:8]}", "merged into the memory", "1 merged, 1 open")
    say(child, "done", "Memories with new evidence: 1")
    child.wait()
    assert len(json.loads(cli("memory", "list", "--json").out)["memories"]) == 1
    shown = git(met_twice, "show", "HEAD")
    assert "+## Evidence" in shown and "+merged:" in shown
    assert len(proposals(cli)["proposals"]) == 1


def test_merging_by_json_names_the_memory(met_twice, cli, tmp_path):
    document = proposals(cli)
    document["proposals"][0] |= {"decision": "merge", "into": "ffff"}
    (tmp_path / "d.json").write_text(json.dumps(document))
    said = cli("reflect", "--apply", str(tmp_path / "d.json"))
    assert (said.code, "'ffff' names no memory to merge into" in said.err) == (1, True)


def test_ten_are_shown_at_once_and_the_rest_waits(project, cli):
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima".split()
    for word in words:
        cli("wrapup", "--summary", "x", "--friction", f"{word} {word}ing broke the {word}er")
    found = proposals(cli)["proposals"]
    assert [one["shown"] for one in found] == [True] * 10 + [False] * 2
    shown = cli("reflect", "--dry-run").out
    assert "2 more wait for the next time; see them with --more." in shown
    assert found[11]["text"] not in shown
    assert found[11]["text"] in cli("reflect", "--dry-run", "--more").out


def test_brittle_proposals_are_held_back_but_never_hidden(project, cli, tmp_path):
    cli("wrapup", "--summary", "x", "--friction", "The bug was on line 234 of user.py")
    shown = cli("reflect", "--dry-run").out
    assert "1 held back: names a line of a file and little else. See them:" in shown
    assert "Nothing worth a memory in 1 session." in shown
    (held,) = proposals(cli)["held"]
    assert held["held"] == "names a line of a file and little else"
    assert "held back: names a line of a file" in cli("reflect", "--dry-run", "--all").out
    held["decision"] = "accept"
    (tmp_path / "d.json").write_text(json.dumps({"proposals": [held]}))
    assert "Memories created: 1" in cli("reflect", "--apply", str(tmp_path / "d.json")).out


def test_deeply_nested_json_is_a_fault_of_the_input(project, cli, tmp_path):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for command in (["reflect", "--apply"], ["reflect", "--signals", "--apply"]):
        cli("wrapup", "--summary", "x", "--friction", DOCKER)
        said = cli(*command, str(tmp_path / "deep.json"))
        assert said.code == 1, said.err
    said = cli("wrapup", "--json", str(tmp_path / "deep.json"))
    assert (said.code, "nested too deeply" in said.err) == (1, True)


def test_an_interrupted_review_writes_nothing_and_exits_130(met_twice):
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")
    before = git(met_twice, "rev-list", "--count", "HEAD")
    child = warm.at_terminal("reflect", folder=met_twice)
    child.expect("reflect> ")
    child.sendline("all")
    child.expect("2 accepted")
    interrupt(child, "Interrupted; nothing more was written.")
    child.expect(pexpect.EOF)
    child.wait()
    # An interrupt in the middle of an import lets Python die of the signal: for a shell, 130 too.
    assert 130 in (child.exitstatus, 128 + (child.signalstatus or 0))
    assert git(met_twice, "rev-list", "--count", "HEAD") == before


def test_export_keeps_the_rest_of_the_file_and_refuses_hand_edits(met_twice, cli, tmp_path):
    target = met_twice / "CLAUDE.md"
    target.write_bytes(b"# Mine\r\n\r\nkeep me")
    decide(cli, tmp_path, proposals(cli), "accept", "accept")
    assert cli("export", "--check").code == 1
    assert target.read_bytes() == b"# Mine\r\n\r\nkeep me"
    assert cli("export").code == 0
    assert target.read_bytes().startswith(b"# Mine\r\n\r\nkeep me\r\n\r\n<!-- calmkb:begin v1")
    assert "is up to date" in cli("export").out
    target.write_bytes(target.read_bytes().replace(b"pnpm", b"yarn"))
    said = cli("export")
    assert (said.code, "edited by hand" in said.err) == (1, True)
    assert cli("export", "--force").code == 0


def test_nothing_approved_creates_no_file(project, cli):
    assert "No approved memories" in cli("export").out
    assert not (project / "CLAUDE.md").exists()
