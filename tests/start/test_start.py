"""`calmkb start`: a look that writes nothing, then one question at a time."""

import json
import shutil

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
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    child = terminal("start", BROWSER=f"{browser} %s")
    child.expect("Begin a journal")
    child.expect("> ")
    child.sendline("q")
    child.expect("You left")
    opened = (tmp_path / "opened").read_text().strip()
    assert opened.startswith("file:///") and opened.endswith("index.html")
