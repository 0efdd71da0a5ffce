"""Several machines judge and change memories: verdicts never conflict, words are never lost."""

import json
import os
import sys
from pathlib import Path

import pexpect
import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
from calmkb.hook import AGENT_MARKS
from tests.conftest import git


@pytest.fixture
def machines(project, tmp_path, cli):
    """Return two clones of one team's knowledge base, and a function that runs calmkb in one."""
    bare = tmp_path / "team.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(project, "remote", "add", "origin", str(bare))
    git(project, "push", "-q", "-u", "origin", "main")
    git(tmp_path, "clone", "-q", str(bare), "other")

    def run(folder: Path, *args: str):
        said = cli("--kb", str(folder), *args)
        assert said.code == 0, said.err
        return said.out

    return project, tmp_path / "other", run


def counts(run, folder: Path) -> dict[str, tuple[int, int]]:
    rows = json.loads(run(folder, "memory", "list", "--json"))["memories"]
    return {row["id"]: (row["helpful"], row["harmful"]) for row in rows}


def test_both_judge_the_same_memory_offline_and_every_verdict_counts(machines, add):
    one, two, run = machines
    identity = add("Prices are in cents.")
    run(one, "sync")
    run(two, "sync")
    for folder in (one, two):
        run(folder, "memory", "feedback", identity, "helpful")
        run(folder, "memory", "feedback", identity, "harmful", "--note", "Not in the till.")
    run(two, "memory", "feedback", identity, "helpful")
    for folder in (one, two, one):
        run(folder, "sync")
    assert counts(run, one) == counts(run, two) == {identity: (3, 2)}
    for folder in (one, two):
        assert git(folder, "status", "--porcelain") == ""
    assert git(one, "rev-parse", "HEAD") == git(two, "rev-parse", "HEAD")


def test_one_merges_what_the_other_still_judges_by_its_old_id(machines, add):
    one, two, run = machines
    gone, kept = add("Prices are in cents."), add("Use pnpm for scripts.")
    run(one, "sync")
    run(two, "sync")
    run(one, "memory", "merge", gone, kept)
    run(two, "memory", "feedback", gone, "helpful")
    for folder in (one, two, one):
        run(folder, "sync")
    assert counts(run, one) == counts(run, two) == {kept: (1, 0)}


def test_words_changed_in_two_places_are_both_kept_and_the_next_edit_says_so(machines, add, cli):
    one, two, run = machines
    identity = add("Prices are in cents.")
    run(one, "sync")
    run(two, "sync")
    run(one, "memory", "edit", identity, "--text", "Prices are in whole cents.")
    run(two, "memory", "edit", identity, "--text", "Prices are in pence, never cents.")
    run(one, "sync")
    run(two, "sync")
    assert len(list((two / "journal/memories/workflow").iterdir())) == 2
    said = cli("--kb", str(two), "memory", "edit", identity, "--text", "Prices.")
    assert (said.code, "exists in two files" in said.err) == (1, True)
    assert cli("--kb", str(two), "memory", "list").code == 0


@pytest.fixture
def edited_twice(machines, add):
    """Return a clone in which two people's edits of one memory lie, and the memory's id."""
    one, two, run = machines
    git(two, "config", "user.name", "Bob")
    git(two, "config", "user.email", "bob@example.org")
    identity = add("Prices are in cents.")
    run(one, "sync")
    run(two, "sync")
    run(one, "memory", "edit", identity, "--text", "Prices are in whole cents.")
    run(two, "memory", "edit", identity, "--text", "Prices are in pence, never cents.")
    run(one, "sync")
    run(two, "sync")
    return two, identity


def test_two_edits_are_one_conflict_and_nobody_is_called_a_forger(edited_twice, cli):
    two, identity = edited_twice
    said = cli("--kb", str(two), "check")
    assert said.code == 0
    assert "conflicting-edits" in said.out and len(said.out.splitlines()) == 1, said.out
    assert all(path.name in said.out for path in (two / "journal/memories").rglob("*.md"))
    assert f"calmkb memory resolve {identity[:8]}" in said.out
    (row,) = json.loads(cli("--kb", str(two), "memory", "list", "--json").out)["memories"]
    assert (row["id"], row["in_conflict"]) == (identity, True)
    assert f"in conflict: calmkb memory resolve {identity[:8]}" in cli(
        "--kb", str(two), "memory", "list"
    ).out  # fmt: skip


def test_agents_read_neither_of_two_edits(edited_twice, cli, monkeypatch):
    two, _ = edited_twice
    monkeypatch.chdir(two)
    said = cli("export", "--target", "agents-md")
    assert "resolve" in said.err
    for args in (["export", "--target", "json", "--stdout"], ["search", "prices"],
                 ["recall", "what are prices in, pence?"]):  # fmt: skip
        assert "Prices are" not in cli(*args).out, args
    assert not any("Prices are" in path.read_text() for path in two.glob("*.md"))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--take", "left"], "Prices are in whole cents."),
        (["--take", "right"], "Prices are in pence, never cents."),
        (["--text", "Prices are in cents or pence."], "Prices are in cents or pence."),
    ],
)
def test_a_person_decides_in_one_commit_that_leaves_one_file(edited_twice, cli, options, text):
    two, identity = edited_twice
    before = git(two, "rev-parse", "HEAD")
    said = cli("--kb", str(two), "memory", "resolve", identity, *options)
    assert said.code == 0, said.err
    assert "Ada" in said.out and "Bob <bob@example.org>" in said.out
    assert git(two, "rev-parse", "HEAD^") == before
    (path,) = (two / "journal/memories").rglob("*.md")
    assert text in path.read_text() and git(two, "status", "--porcelain") == ""
    assert cli("--kb", str(two), "check").out.count("forged") == 0
    (row,) = json.loads(cli("--kb", str(two), "memory", "list", "--json").out)["memories"]
    assert (row["text"], row["in_conflict"], row["approval_differs"]) == (text, False, False)
    again = cli("--kb", str(two), "memory", "resolve", identity, *options)
    assert (again.code, "nothing to decide" in again.err) == (1, True)


def test_every_other_change_of_a_memory_in_conflict_names_resolve(edited_twice, add, cli):
    two, identity = edited_twice
    for args in (["edit", identity, "--text", "x"], ["retire", identity],
                 ["merge", identity, identity], ["show", identity]):  # fmt: skip
        said = cli("--kb", str(two), "memory", *args)
        assert (said.code, f"calmkb memory resolve {identity[:8]}" in said.err) == (1, True), args


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("answer", ["right", "e"])
def test_a_person_at_a_terminal_is_shown_both_and_asked(edited_twice, editor, answer):
    two, identity = edited_twice
    editor("""sed -i -e 's/never cents/or cents/' -e '/whole cents/d' "$1" """)
    args = ["-m", "calmkb", "--kb", str(two), "memory", "resolve", identity[:8]]
    env = {name: value for name, value in os.environ.items() if name not in AGENT_MARKS}
    child = pexpect.spawn(
        sys.executable, args, env=env, encoding="utf-8", timeout=60, dimensions=(60, 200)
    )
    child.expect_exact("left: ")
    child.expect_exact("Prices are in whole cents.")
    child.expect_exact("right: ")
    child.expect_exact("Prices are in pence, never cents.")
    child.expect_exact("l/r/e/q/?> ")
    child.sendline(answer)
    child.expect_exact(f"Resolved {identity}")
    child.expect(pexpect.EOF)
    (path,) = (two / "journal/memories").rglob("*.md")
    wanted = "in pence, never cents" if answer == "right" else "in pence, or cents"
    assert wanted in path.read_text() and "whole" not in path.read_text()
    assert git(two, "status", "--porcelain") == ""


def test_no_agent_decides_between_edits(edited_twice):
    two, identity = edited_twice
    assert run(calmkb, ["--kb", str(two), "memory", "resolve", identity], person=False) == 1
    assert len(list((two / "journal/memories").rglob("*.md"))) == 2
