"""`calmkb start`: a look that writes nothing, then one question at a time."""

import contextlib
import json
import os
import shlex
import shutil
import sqlite3
import sys

import pytest

from tests.conftest import git
from tests.start.conftest import everything_in
from tests.start.histories import START, Session, histories


def test_without_any_agent_it_says_what_to_do(look, shop):
    said = look()
    assert said.code == 0
    assert said.out.startswith("No agent has left a session on this machine.")


def test_the_look_reads_everything_and_writes_nothing_but_the_page(look, shop, home, tmp_path):
    list(histories(home, [str(shop), str(tmp_path / "elsewhere")], 12))
    before = everything_in(home, shop)
    said = look("--page", str(tmp_path / "out/look.html"))
    assert said.code == 0, said.err
    assert "claude  12 sessions, 2026-10-01 to 2026-10-02" in said.out
    assert "Read 6 sessions of shop." in said.out
    assert "Left out: 6 of other repositories." in said.out
    page = (tmp_path / "out/look.html").read_text("utf-8")
    assert "What 6 sessions of shop teach" in page
    assert everything_in(home, shop) == before


def test_in_no_repository_all_sessions_are_looked_at(look, home, tmp_path, monkeypatch):
    list(histories(home, ["/w/a", "/w/b"], 6))
    monkeypatch.chdir(tmp_path)
    assert "Read 6 sessions." in look().out


def test_sessions_that_the_client_soon_deletes_are_counted_by_its_own_setting(look, shop, home):
    list(histories(home, [str(shop)], 4))
    (home / ".claude/settings.json").write_text(json.dumps({"cleanupPeriodDays": 99_999}))
    assert "deleted" not in look().out
    (home / ".claude/settings.json").write_text(json.dumps({"cleanupPeriodDays": 5}))
    said = look().out
    assert "4 will be deleted by the client within a week (it keeps 5 days)" in said


def test_hostile_words_stay_words_on_the_page(look, shop, home, tmp_path):
    for number in range(2):
        session = Session(str(shop), number, START)
        session.person("Fix it")
        session.agent("I ran npm test.")
        session.person("No, never use <script>alert(1)</script><img src=x onerror=alert(2)> here, "
                       "use pnpm: npm rewrites the lock\u202e file. ghp_" + "a1B2" * 9)  # fmt: skip
        session.write(home)
    assert look("--page", str(tmp_path / "p.html")).code == 0
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "&lt;script&gt;" in page
    assert "<script" not in page and "<img" not in page
    assert "\u202e" not in page and "ghp_a1B2" not in page
    assert "default-src 'none'" in page


def test_a_page_that_cannot_be_written_is_named(look, shop, home, tmp_path):
    list(histories(home, [str(shop)], 1))
    (tmp_path / "file").write_text("")
    said = look("--page", str(tmp_path / "file/p.html"))
    assert said.code == 1
    assert "p.html" in said.err


@pytest.mark.skipif(shutil.which("script") is None, reason="needs a terminal")
def test_each_step_asks_and_what_was_done_is_not_asked_again(terminal, shop, home, tmp_path):
    list(histories(home, [str(shop)], 8))
    before = everything_in(shop / ".git" / "refs" / "heads"), git(shop, "status", "--porcelain")
    child = terminal("start", "--no-browser")
    child.expect("Begin a journal for this repository")
    child.expect("> ")
    child.sendline("y")
    child.expect("Where")
    child.sendline("")
    child.expect("Agents")
    child.sendline("claude-code")
    child.expect("Name of the site")
    child.sendline("")
    child.expect("Share")
    child.sendline("")
    child.expect("Write this")
    child.sendline("y")
    child.expect("Keep 8 sessions and what is older as entries in")
    child.expect("> ")
    child.sendline("y")
    child.expect("Added 8 entries")
    child.expect("Review .* proposals? now")
    child.expect("> ")
    child.sendline("n")
    child.expect("Capture corrections and failures from now on")
    child.expect("> ")
    child.sendline("y")
    child.expect("Added them to .*settings.json")
    child.expect("That is all")
    child.expect(__import__("pexpect").EOF)
    assert git(shop, "status", "--porcelain") == before[1]
    assert git(shop, "log", "--oneline", "main").count("\n") == 1
    assert "calmkb" in (home / ".claude/settings.json").read_text()
    again = terminal("start", "--no-browser")
    again.expect("has these sessions already")
    again.expect("Review")
    again.expect("> ")
    again.sendline("q")
    again.expect("You left")


def test_the_page_opens_in_the_browser_of_the_person(terminal, shop, home, tmp_path):
    list(histories(home, [str(shop)], 2))
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n')
    browser.chmod(0o755)
    child = terminal("start", BROWSER=f"{shlex.quote(str(browser))} %s")
    child.expect("Begin a journal")
    child.expect("> ")
    child.sendline("q")
    child.expect("You left")
    opened = (tmp_path / "opened").read_text().strip()
    assert opened.startswith("file:///") and opened.endswith("index.html")


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
    child = terminal("start", "--no-browser")
    # A command that is none keeps nothing, whatever is answered next.
    answer(child, "Keep 3 sessions", "w '", "w claude")
    child.expect("left of today's")
    child.expect(r"Send them\? \[y/N\]")
    child.sendline("y")
    child.expect("Added 3 entries")
    answer(child, "Capture corrections", "p")
    child.expect("Installed the plugin")
    child.expect("That is all")
    assert [one["summary"].split(":")[0] for one in listed(cli)] == ["Wanted"] * 3
    called = [json.loads(line) for line in agent.read_text().splitlines()]
    assert [one[:2] for one in called[-2:]] == [["plugin", "marketplace"], ["plugin", "install"]]


def test_words_that_are_no_command_are_no_yes(terminal, cli, shop, home):
    list(histories(home, [str(shop)], 2))
    assert cli("init", "--yes").code == 0
    child = terminal("start", "--no-browser")
    answer(child, "Keep 2 sessions", "w '", "n")
    answer(child, "Capture corrections", "q")
    child.expect("You left")
    assert listed(cli) == []


def test_a_repositorys_journal_takes_its_own_sessions_whatever_was_looked_at(
    terminal, cli, shop, home, tmp_path
):
    list(histories(home, [str(shop), str(tmp_path / "private")], 6))
    assert cli("init", "--yes").code == 0
    child = terminal("start", "--no-browser", "--all-projects")
    child.expect("Read 6 sessions")
    answer(child, "Keep 3 sessions", "y")
    child.expect("Added 3 entries")
    child.close()
    assert {one["project_name"] for one in listed(cli)} == {"shop"}


def test_without_a_journal_of_its_own_the_personal_one_takes_this_repositorys_sessions(
    terminal, cli, shop, home, tmp_path
):
    list(histories(home, [str(shop), str(tmp_path / "private")], 6))
    child = terminal("start", "--no-browser")
    answer(child, "Begin a journal", "n")
    answer(child, "Keep 3 sessions", "y")
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
