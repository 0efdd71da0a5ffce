"""Several machines judge and change memories: verdicts never conflict, words are never lost."""

import json
from pathlib import Path

import pytest

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
