"""Names that differ in case only: found by check, and nothing is written over on any disk."""

import json

import pytest

from calmkb.errors import StoreError
from tests.conftest import git
from tests.store.writing import write

LOWER, UPPER = "journal/memories/fact/a.md", "journal/memories/fact/A.md"


def commit_both(project):
    """Commit two names as a machine with another disk did; the work tree here holds the second."""
    write(project, LOWER, b"mine\n")
    blob = git(project, "hash-object", "-w", "--stdin").strip()
    git(project, "update-index", "--add", "--cacheinfo", f"100644,{blob},{UPPER}")
    git(project, "commit", "-qm", "from a disk that tells cases apart")


def findings(cli):
    return [one for one in json.loads(cli("check", "--format", "json").out)["findings"]
            if one["rule"] == "case-only-name"]  # fmt: skip


def test_check_names_them_though_the_disk_holds_one(project, cli):
    assert findings(cli) == []
    commit_both(project)
    (found,) = findings(cli)
    assert (found["path"], "differs from memories/fact/A.md in case only" in found["message"]) == (
        LOWER, True,
    )  # fmt: skip
    assert cli("check").code == 1


def test_folders_that_differ_so_are_named_once(project, cli):
    write(project, "journal/memories/Fact/a.md")
    write(project, "journal/memories/fact/b.md")
    assert [one["path"] for one in findings(cli)] == ["journal/memories/fact"]


@pytest.mark.parametrize("other", [UPPER, "journal/memories/FACT/b.md"])
def test_on_a_disk_that_does_not_tell_cases_apart_nothing_is_written_over(project, other):
    git(project, "config", "core.ignorecase", "true")
    write(project, other, b"theirs\n")
    for data in (b"mine\n", None):
        with pytest.raises(StoreError, match=r"they differ in case only, .*rename it with git mv"):
            write(project, LOWER, data)
    assert (project / other).read_bytes() == b"theirs\n"
    write(project, other, b"theirs again\n")
    assert git(project, "status", "--porcelain") == ""
