"""`calmkb start`: a look that writes nothing, then one question at a time."""

import contextlib
import json
import os
import shlex
import sqlite3
import sys
from datetime import timedelta

import pexpect
import pytest
from click import unstyle
from wcwidth import width

from tests import warm
from tests.conftest import git
from tests.wings.start.conftest import everything_in
from tests.wings.start.histories import START, Session, histories


def test_without_any_agent_it_says_what_to_do(look, shop):
    said = look()
    assert said.code == 0
    assert said.out.startswith("No agent has left a session on this machine.")


def test_where_no_session_is_of_this_repository_it_says_what_to_do(look, shop, home, tmp_path):
    list(histories(home, [str(tmp_path / "elsewhere")], 3))
    said = look().out
    assert "Read 0 sessions of shop.\nLeft out: 3 from other repositories." in said
    assert said.endswith(
        "To begin a journal here:   calmkb init\n"
        "To look at every session:  calmkb start --all-projects\n"
    )
    assert "Read 3 sessions." in look("--all-projects").out


def test_the_look_reads_everything_and_writes_nothing(look, shop, home, tmp_path):
    list(histories(home, [str(shop), str(tmp_path / "elsewhere")], 12))
    before = everything_in(home, shop)
    said = look()
    assert said.code == 0, said.err
    assert "claude  12 sessions, 2026-10-01 to 2026-10-02" in said.out
    assert "Read 6 sessions of shop." in said.out
    assert "Left out: 6 from other repositories." in said.out
    assert everything_in(home, shop) == before


def test_a_look_at_the_newest_alone_says_so(look, shop, home, monkeypatch):
    list(histories(home, [str(shop)], 4))
    monkeypatch.setattr("calmkb.wings.start.verbs.preview.NEWEST", 3)
    assert "Read the newest 3 sessions of shop." in look().out


def test_in_no_repository_all_sessions_are_looked_at(look, home, tmp_path, monkeypatch):
    list(histories(home, ["/w/a", "/w/b"], 6))
    monkeypatch.chdir(tmp_path)
    assert "Read 6 sessions." in look().out


def test_sessions_are_dated_by_what_they_say_and_not_by_a_copy_of_their_files(look, shop, home):
    for path in histories(home, [str(shop)], 4):
        os.utime(path)
    assert "claude  4 sessions, 2026-10-01\n" in look().out


def test_sessions_that_the_client_soon_deletes_are_counted_by_its_own_setting(look, shop, home):
    list(histories(home, [str(shop)], 4))
    (home / ".claude/settings.json").write_text(json.dumps({"cleanupPeriodDays": 99_999}))
    assert "claude  4 sessions, 2026-10-01\n" in look().out  # one day is no range
    (home / ".claude/settings.json").write_text(json.dumps({"cleanupPeriodDays": 5}))
    said = look().out
    assert "4 will be deleted by the client within a week (it keeps 5 days)" in said


def test_hostile_words_stay_words_at_the_terminal(look, shop, home):
    for number in range(2):
        session = Session(str(shop), number, START + timedelta(hours=number))
        session.person("Fix it")
        session.agent("I ran npm test.")
        session.person("No, never use \x1b[2Jthe old tool here, "
                       "use pnpm: npm rewrites the lock\u202e file. ghp_" + "a1B2" * 9)  # fmt: skip
        session.write(home)
    said = look()
    assert said.code == 0 and "pnpm" in said.out
    assert "\x1b[2J" not in said.out and "\u202e" not in said.out and "ghp_a1B2" not in said.out


def walk(shop, size):
    """Take every step of `calmkb start` at a terminal; return all that it showed."""
    child = warm.at_terminal("start", folder=shop, dimensions=size)
    shown = []
    for number in range(1, 8):
        asked = child.expect([rf"{number} of 7  [^>]*/\?> ", rf"{number} of 7  [^>?]*?\.\r\n"])
        shown.append(child.before + child.after)
        if asked == 1:
            continue
        child.sendline("y")
        if "Review" in child.after:
            for line in ("x zzz", "all", "done"):
                child.expect("reflect> ")
                shown.append(child.before)
                child.sendline(line)
    child.expect(pexpect.EOF)
    return "".join([*shown, child.before])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("size", [(24, 80), (40, 120)])
def test_each_step_asks_once_and_what_was_done_is_not_asked_again(cli, shop, home, size):
    list(histories(home, [str(shop)], 8))
    log = git(shop, "log", "--oneline", "main")
    shown = walk(shop, size)
    assert "7 steps follow" in shown
    assert "Added 8 entries" in shown and "Copied 8 sessions" in shown
    assert "'zzz' names no memory" in shown and "Memories created" in shown
    assert "Added them to ~/.claude/settings.json" in " ".join(shown.split())
    assert "calmkb site serve" in shown and "Tomorrow" in shown
    assert "Next: calmkb" not in shown
    for line in shown.replace("\r", "\n").split("\n"):
        assert width(unstyle(line)) <= size[1] or line.startswith("git -C /"), line
    assert (shop / "AGENTS.md").read_text().count("calmkb:begin") == 1  # the one that was there
    assert not (shop / "CLAUDE.md").exists()
    assert git(shop, "log", "--oneline", "main") == log
    again = walk(shop, size)
    assert "0 new sessions for the journal" in again
    assert "?> " not in again and "copied already" in again


def test_a_second_start_reads_only_what_is_new(cli, look, shop, home):
    files = list(histories(home, [str(shop)], 4))
    assert cli("init", "--yes").code == 0
    assert cli("import", "claude").code == 0
    for path in files:  # as long and as old as before, but no transcript: it is not read again
        kept = path.stat()
        path.write_bytes(b"x" * kept.st_size)
        os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    for number in (10, 11):
        session = Session(str(shop), number, START + timedelta(hours=number))
        session.person("Add a discount")
        session.agent("Done.")
        session.write(home)
    assert "2 new sessions for the journal" in look().out


def test_an_error_ends_its_step_and_not_the_walk(terminal, cli, shop, home):
    list(histories(home, [str(shop)], 2))
    (home / ".claude/settings.json").write_text("{ broken")
    child = terminal("start")
    for number in (1, 2, 3, 4):
        answer(child, f"{number} of 7", "n")
    child.expect("step 6 failed")
    child.expect("7 of 7")
    child.expect("Done. To see it")


def test_the_first_look_leaves_out_what_the_repository_says_already(look, shop, home):
    list(histories(home, [str(shop)], 24))
    lines = [line for line in look().out.splitlines() if line.startswith("  - ")]
    whole = next(line for line in lines if not line.endswith("…"))  # a narrow terminal cuts others
    (shop / "AGENTS.md").write_text(f"# Shop\n\n{whole.strip()}\n")
    assert whole not in look().out


AGENT = """
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
if "-p" in sys.argv:
    lines = [json.loads(x) for x in sys.stdin.read().split("Session:\\n")[1].splitlines() if x]
    number, words = lines[0].split(" ", 1)[0], lines[0].split(": ", 1)[1]
    said = {{"summary": [{{"text": "Wanted: " + words, "lines": [int(number)]}}]}}
    print(json.dumps({{"result": json.dumps(said), "total_cost_usd": 0.01}}))
"""


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Put a `claude` on PATH that writes entries and notes what it was called with."""
    program, log = tmp_path / "bin/claude", tmp_path / "called"
    program.parent.mkdir()
    script = program.with_suffix(".py")
    script.write_text(AGENT.format(log=str(log)))
    # A `#!` line cannot name a Python whose path has a space.
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(script)])} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return log


def answer(child, question, *lines):
    child.expect(question)
    for line in lines:
        child.expect("> ")
        child.sendline(line)


def listed(cli, *options):
    return json.loads(cli(*options, "session", "list", "--json", "--limit", "99").out)["entries"]


def test_an_agent_writes_the_entries_and_the_client_installs_the_plugin(
    terminal, cli, shop, home, agent
):
    list(histories(home, [str(shop)], 3))
    assert cli("init", "--yes").code == 0
    child = terminal("start")
    # A command that is none keeps nothing, whatever is answered next.
    answer(child, "Add 3 sessions", "w '", "w claude")
    child.expect("left of today's")
    child.expect(r"Send them\? \[y/N\]")
    child.sendline("y")
    child.expect("Added 3 entries")
    answer(child, "Copy 3 transcripts", "n")
    answer(child, "Have agents write their own", "n")
    answer(child, "Capture corrections", "p")
    child.expect("Installed the plugin")
    child.expect("Done. To see it")
    assert [one["summary"].split(":")[0] for one in listed(cli)] == ["Wanted"] * 3
    called = [json.loads(line) for line in agent.read_text().splitlines()]
    assert [one[:2] for one in called[-2:]] == [["plugin", "marketplace"], ["plugin", "install"]]


def test_words_that_are_no_command_are_no_yes(terminal, cli, shop, home):
    list(histories(home, [str(shop)], 2))
    assert cli("init", "--yes").code == 0
    child = terminal("start")
    answer(child, "Add 2 sessions", "w '", "n")
    answer(child, "Copy 2 transcripts", "n")
    answer(child, "Have agents write their own", "n")
    answer(child, "Capture corrections", "q")
    child.expect("You left")
    assert listed(cli) == []


def test_a_repositorys_journal_takes_its_own_sessions_whatever_was_looked_at(
    terminal, cli, shop, home, tmp_path
):
    list(histories(home, [str(shop), str(tmp_path / "private")], 6))
    assert cli("init", "--yes").code == 0
    child = terminal("start", "--all-projects")
    child.expect("3 new sessions")
    answer(child, "Add 3 sessions", "y")
    child.expect("Added 3 entries")
    child.close()
    assert {one["project_name"] for one in listed(cli)} == {"shop"}


def test_sessions_of_another_repository_of_the_same_name_are_not_offered(
    terminal, cli, shop, home, tmp_path
):
    list(histories(home, [str(shop), str(tmp_path / "old/shop")], 6))
    child = terminal("start", "--all-projects")
    child.expect("Read 6 sessions")
    answer(child, "Begin a journal", "y")
    answer(child, "Add 3 sessions", "y")
    child.expect("Added 3 entries")
    child.close()


def test_without_a_journal_of_its_own_the_personal_one_takes_this_repositorys_sessions(
    terminal, cli, shop, home, tmp_path
):
    list(histories(home, [str(shop), str(tmp_path / "private")], 6))
    child = terminal("start")
    answer(child, "Begin a journal", "n")
    answer(child, "Add 3 sessions", "y")
    child.expect("Added 3 entries")
    child.close()
    assert {one["project_name"] for one in listed(cli)} == {"shop"}


def test_sessions_in_a_database_are_counted_and_a_broken_one_hides_nobody(look, shop, home):
    list(histories(home, [str(shop)], 1))
    folder = home / ".local/share/opencode"
    folder.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(folder / "opencode.db")) as db:
        db.execute("CREATE TABLE session (id TEXT)")
        db.execute("INSERT INTO session VALUES ('ses_1')")
        db.commit()
    assert "opencode  1 session, " in look().out
    (folder / "opencode.db").write_bytes(b"no database" * 100)
    said = look()
    assert (said.code, "opencode" in said.out) == (0, False)


@pytest.mark.parametrize("days", [10**15, -1, 0, True, "30", None])
def test_a_strange_setting_of_the_client_is_its_default(look, shop, home, days):
    list(histories(home, [str(shop)], 1))
    (home / ".claude/settings.json").write_text(json.dumps({"cleanupPeriodDays": days}))
    said = look()
    assert (said.code, "(it keeps 30 days)" in said.out) == (0, True)


def test_a_wrap_up_right_after_the_walk_names_the_session_and_asks(terminal, cli, shop, home):
    list(histories(home, [str(shop)], 2))
    assert cli("init", "--yes").code == 0
    assert cli("import", "claude").code == 0
    before = cli("session", "list", "--json").out
    child = terminal("wrapup")
    child.expect(r"(?s)The session of 2026-10-01 .*\shas the entry")
    child.sendline("")
    child.expect("Nothing was written")
    child.expect(pexpect.EOF)
    assert cli("session", "list", "--json").out == before
    child = terminal("wrapup")
    child.expect("in its place")
    child.sendline("y")
    child.expect("Keep this wrap-up")
    child.sendline("y")
    child.expect("Journal entry saved")
    child.expect(pexpect.EOF)
    times = [row["created_at"][:10] for row in listed(cli)]
    assert times == [row["created_at"][:10] for row in json.loads(before)["entries"]]


def test_a_reflection_leads_to_what_was_written_in_place_of_a_draft(terminal, cli, shop, home):
    list(histories(home, [str(shop)], 4))
    assert cli("init", "--yes").code == 0
    assert cli("import", "claude").code == 0
    waiting = json.loads(cli("reflect", "--json").out)
    for one in waiting["proposals"]:
        one["decision"] = "accept"
    (home / "d.json").write_text(json.dumps(waiting))
    assert cli("reflect", "--apply", str(home / "d.json")).code == 0
    newest = listed(cli)[0]
    session = cli("session", "show", newest["id"], "--json").out
    written = json.loads(session)
    better = cli("wrapup", "--summary", "Written by hand.", "--session-id", written["session_id"],
                 "--agent", written["agent"], "--json")  # fmt: skip
    assert better.code == 0
    name = json.loads(better.out)["id"][:8]
    folder = home / "staged"
    assert cli("site", "stage", str(folder)).code == 0
    pages = [p.read_text("utf-8") for p in folder.rglob("*.md") if "reflections" in p.as_posix()]
    assert any("Sessions covered" in page and f"-{name}.md" in page for page in pages)
    assert not any("not in this knowledge base" in page for page in pages)


def test_copies_of_deleted_transcripts_do_not_stand_for_new_ones(terminal, cli, shop, home):
    for path in list(histories(home, [str(shop)], 3)):
        assert cli("keep", str(path)).code == 0
        path.unlink()
    list(histories(home, [str(shop)], 2, seed=5))
    session = Session(str(shop), 20, START)
    session.person("Add a discount")
    session.agent("Done.")
    session.write(home)
    assert "not kept: calmkb agents keep" in cli("search", "kangaroo").out
    child = terminal("start")
    for number in (1, 2):
        answer(child, f"{number} of 7", "n")
    child.expect("3 of 7  Copy 1 transcript, of every")


def test_what_was_left_out_is_said_of_one_as_of_many(look, shop, home, tmp_path):
    list(histories(home, [str(shop), str(tmp_path / "elsewhere")], 2))
    (home / ".claude/projects/empty").mkdir()
    (home / ".claude/projects/empty/a.jsonl").write_text('{"type":"summary","summary":"x"}\n')
    assert "Left out: 1 from other repositories, 1 without a conversation." in look().out
