"""A sync that was killed while it recorded what became of a pull request: recorded once."""

import os

import pytest

from tests.cli.journal.test_killed import STEPS, count, kill
from tests.cli.reflect.test_pull_request import branches, merge, team
from tests.conftest import git

__all__ = ["team"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="a command that kills itself needs SIGKILL"),
]


@pytest.mark.parametrize(
    ("how", "step"),
    [
        *[("closed", step) for step in [*STEPS[:4], "delete_logs", "forget", "_push"]],
        *[("merged", step) for step in ["_wait", "forget"]],
    ],
)
def test_what_became_of_a_pull_request_is_recorded_once(team, cli, tmp_path, how, step):
    one = team("one")
    cli("sync")
    cli("reflect", "--pr")
    (branch,) = branches(tmp_path)
    if how == "merged":
        merge(tmp_path, branch)
        git(one, "pull", "-q", "--rebase", "origin", "main")
        cli("sync", "--dry-run")
    else:
        git(tmp_path / "team.git", "branch", "-D", branch)
    kill(step, "sync")
    again = cli("sync")
    assert again.code == 0, again.err
    assert count(one, "reflections") == 1
    (record,) = (one / "journal/reflections").rglob("*.md")
    assert f"proposed_in: {branch}" in record.read_text()
    assert git(one, "for-each-ref", "refs/calmkb/proposed") == ""
