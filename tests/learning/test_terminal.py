"""The review of signals at a real terminal: one at a time, written at once, stopped anywhere."""

import shlex

from tests.children import interrupt
from tests.conftest import git
from tests.learning.conftest import without_terminal

STAGING = "I meant the staging database, not production"
FIXTURES = "We keep fixtures in tests/data"
BRIEF = "Please keep answers short"


def test_each_approval_is_written_at_once_and_quitting_keeps_it(project, capture, store, terminal):
    first, second, third = capture(STAGING), capture(FIXTURES, "convention"), capture(BRIEF)
    (project / "CLAUDE.md").write_bytes(b"# Shop\r\n\r\n## Conventions\r\n\r\n- old")
    child = terminal(project)
    child.expect("Learning 1 of 3 — correction \\(low confidence\\)")
    child.expect("I meant the staging database")
    child.expect("suggested: the project's CLAUDE.md")
    child.expect("source: PreCompact, turn 7")
    child.sendline("?")
    places = "p: the project's CLAUDE.md, g: your global CLAUDE.md, i: the project's impro"
    child.expect(places.replace(" ", r"\s+"))  # cut at the width of the terminal
    child.sendline("d")
    child.expect("Learning 2 of 3 — convention")
    assert store.get(first.id).status == "dismissed"
    child.sendline("a")
    child.expect("added to ")
    child.expect("Learning 3 of 3")
    assert (project / "CLAUDE.md").read_bytes() == (
        b"# Shop\r\n\r\n## Conventions\r\n\r\n- old\r\n- We keep fixtures in tests/data"
    )
    assert (project / "CLAUDE.md.bak").read_bytes().endswith(b"- old")
    child.sendline("q")
    child.expect("Reflected on 2 items: 1 added, 1 skipped.")
    child.expect(r"The file before this review is kept as .+/CLAUDE.md.bak")
    child.expect("1 left for another time")
    child.wait()
    kept = store.get(second.id)
    assert (kept.status, kept.category) == ("promoted", "Conventions")
    assert kept.promoted_to.endswith("/CLAUDE.md")
    assert store.get(third.id).status == "captured"


def test_what_is_edited_first_goes_to_the_global_file_with_its_four_headings(
    project, capture, home, terminal, tmp_path
):
    capture(BRIEF)
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "Keep answers to three lines\\n" >"$1"\n')
    editor.chmod(0o755)
    command = shlex.quote(str(editor))
    child = terminal(project, EDITOR=command, VISUAL=command)
    child.expect("reflect> ")
    child.sendline("e")
    child.expect("Keep answers to three lines")
    child.expect("reflect> ")
    child.sendline("a g")
    child.expect("added to ~/.claude/CLAUDE.md")
    child.sendline("")
    child.expect("Reflected on 1 item: 1 added, 0 skipped.")
    text = (home / ".claude/CLAUDE.md").read_text()
    assert "## Preferences\n\n- Keep answers to three lines\n" in text
    assert text.count("\n## ") == 4
    index = (home / ".calm/learnings/LEARNINGS.md").read_text()
    assert "Keep answers to three lines (promoted to ~/.claude/CLAUDE.md)" in index
    assert not (project / "CLAUDE.md").exists()


def test_outside_a_project_no_project_is_offered(tmp_path, capture, terminal):
    capture(STAGING)
    child = terminal(tmp_path)
    child.expect("reflect> ")
    child.sendline("?")
    child.expect("or to \\[g: your global CLAUDE.md\\]")
    child.sendline("a p")
    child.expect("'p' is not a place for it; choose from: g")
    child.sendline("q")
    child.expect("Reflected on 0 items")


def test_many_are_offered_as_a_whole_first(project, capture, store, terminal):
    words = "ant bee cat dog eel fox gnu hen ibis jay".split()
    for number, word in enumerate(words):
        capture(f"Bash failed: {word * 3} {number}{word}", "failure", session=word)
    child = terminal(project)
    child.expect(
        "10 learnings wait. Enter asks one by one, l lists them first, none dismisses all."
    )
    child.sendline("l")
    child.expect(" 10. Bash failed: jayjayjay")
    child.sendline("none")
    child.expect("10 dismissed, 0 open")
    child.sendline("")
    child.expect("Reflected on 10 items: 0 added, 10 skipped.")
    child.wait()
    assert {one.status for one in store.query()} == {"dismissed"}


def test_an_interrupt_keeps_what_was_approved_and_exits_130(project, capture, store, terminal):
    first = capture(STAGING)
    capture(FIXTURES, "convention")
    child = terminal(project)
    child.expect("reflect> ")
    child.sendline("a i")
    child.expect("Learning 2 of 2")
    child.expect("reflect> ")
    interrupt(child)
    child.wait()
    assert child.exitstatus == 130
    assert store.get(first.id).status == "promoted"
    assert "- **Details**: I meant" in (project / ".claude/improvements.md").read_text()


def test_a_file_that_cannot_be_edited_is_told_and_asked_again(project, capture, terminal):
    capture(STAGING)
    (project / "CLAUDE.md").write_bytes(b"\xff\xfe")
    child = terminal(project)
    child.expect("reflect> ")
    child.sendline("a p")
    child.expect("is not UTF-8")


def test_without_a_terminal_a_review_points_to_json(project, capture):
    capture(STAGING)
    done = without_terminal(project)
    assert done.returncode == 1
    assert "calmkb reflect --signals --json > FILE" in done.stderr


def test_the_projects_of_a_review_are_named(project, tmp_path, capture, terminal):
    other = tmp_path / "api"
    other.mkdir()
    git(other, "init", "-q")
    capture(STAGING, meta={"cwd": str(other)})
    capture(FIXTURES, "convention")
    child = terminal(project)
    child.expect("Project: .+/shop.*Learning 1 of 2 — convention")
    child.sendline("d")
    child.expect("Project: .+/api.*Learning 2 of 2 — correction")
    child.sendline("a p")
    child.expect("added to .+/api/CLAUDE.md")
    child.sendline("")
    child.expect("Reflected on 2 items: 1 added, 1 skipped.")
    assert STAGING in (other / "CLAUDE.md").read_text()


def test_what_is_written_is_not_taken_back_and_the_way_is_said(project, capture, store, terminal):
    first = capture(STAGING)
    capture(FIXTURES, "convention")
    child = terminal(project)
    child.expect("reflect> ")
    child.sendline("d")
    child.expect("Learning 2 of 2")
    child.sendline("u")
    child.expect(r"calmkb\s+signal\s+update\s+ID\s+'\{\"status\":\s+\"captured\"\}'")
    child.sendline("q")
    child.wait()
    assert store.get(first.id).status == "dismissed"
