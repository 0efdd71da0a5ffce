"""Five people and a bare host: one begins the journal, the others need no command for it."""

import json

from calmkb.system.journal_place import JOURNAL_BRANCH
from tests.conftest import git
from tests.warm import begun

NAMES = ("ada", "ben", "cleo", "dev", "eve")


def together(people, *args):
    """Run a command for all of them at once; return what went wrong."""
    running = [begun(*args, cwd=one.clone) for one in people]
    ended = [(process.communicate(), process.returncode) for process in running]
    return [streams[1] for streams, code in ended if code]


def test_five_people_share_a_journal_and_no_code_branch_ever_shows_it(person, host, tmp_path):
    first = person(NAMES[0])
    first.calm("init", "--share", "origin")
    people = [first, *(person(name) for name in NAMES[1:])]
    for one, name in zip(people, NAMES, strict=True):
        one.git("checkout", "-qb", f"feature/{name}")
        one.calm("wrapup", "--summary", f"By {name}.", "--friction", "The tests need Docker.")
    assert together(people, "sync") == []
    assert together(people, "sync") == []
    for one, name in zip(people, NAMES, strict=True):
        assert json.loads(one.calm("session", "list", "--json"))["count"] == len(NAMES)
        assert one.git("status", "--porcelain") == ""
        assert one.git("log", f"main..feature/{name}") == ""
    assert len({one.git("rev-parse", JOURNAL_BRANCH) for one in people}) == 1
    assert git(host, "log", "--format=%s", "main") == "first\n"

    first.calm("reflect", "--pr")
    branches = git(host, "for-each-ref", "--format=%(refname:short)", "refs/heads/calmkb").split()
    (branch,) = branches
    merging = tmp_path / "merging"
    git(tmp_path, "clone", "-q", "-b", JOURNAL_BRANCH, str(host), str(merging))
    git(merging, "merge", "-q", "--no-ff", "-m", "Merge", f"origin/{branch}")
    git(merging, "push", "-q", "origin", f"HEAD:{JOURNAL_BRANCH}")
    assert "approved, 0 rejected" in first.calm("sync")
    last = people[-1]
    last.calm("sync")
    for one in (first, last):
        one.calm("export")
        assert "Docker" in (one.clone / "CLAUDE.md").read_text()
        one.calm("init", "--undo", "--yes")
        assert one.git("status", "--porcelain") == ""
    assert git(host, "log", "--format=%s", "main") == "first\n"
