"""`calmkb project`: old records are read the new way, and people resolve what is left."""

import json

import pytest

from tests.conftest import git

LEARNT = "Run `make lint` before every commit, the hook does not."


def entry(number, name, folder, repository="", learning=""):
    """Return the file of a session, as this or an older calmkb wrote it."""
    where = f"repository: {repository}\n" if repository else ""
    learnt = f"\n## Learnings\n\n- {learning}\n" if learning else ""
    return (
        f"---\nid: {number:08}-0000-4000-8000-000000000000\nagent: claude-code\n"
        f"created_at: '2026-10-{number:02}T09:00:00+00:00'\nproject_name: '{name}'\n"
        f"working_directory: {folder}\n{where}---\n\n## Summary\n\nSession {number}.\n{learnt}"
    )


@pytest.fixture
def journal(project):
    """Return a function that commits sessions: (name, folder, repository, learning) each."""

    def write(*rows):
        for number, row in enumerate(rows, 1):
            path = project / f"journal/sessions/2026/10/{number:02}"
            path.mkdir(parents=True, exist_ok=True)
            name = f"2026-10-{number:02}T090000Z-session-{number:08}.md"
            (path / name).write_text(entry(number, *row))
        git(project, "add", "-A")
        git(project, "commit", "-qm", "sessions")
        return project

    return write


def projects(cli):
    found = json.loads(cli("project", "list", "--json").out)
    return {one["name"]: one["sessions"] for one in found["projects"]}


def commands(cli):
    return [
        one["command"] for one in json.loads(cli("project", "list", "--json").out)["suggestions"]
    ]


def test_old_sessions_in_worktrees_are_their_repositorys(cli, journal):
    journal(
        ("3", "~/workspace/cli/.worktrees/3"),
        ("3", "~/workspace/cli/.claude/worktrees/3"),
        ("fix", "~/workspace/cli/worktrees/fix"),
        ("cli", "~/workspace/cli"),
        ("named", "~/workspace/cli/.worktrees/4"),  # a person gave the name
    )
    assert projects(cli) == {"cli": 4, "named": 1}
    listed = json.loads(cli("session", "list", "--project", "cli", "--json").out)
    assert {row["project_name"] for row in listed["entries"]} == {"cli"}
    assert len(listed["entries"]) == 4
    assert "2 projects" in cli("stats").out


def test_a_merge_is_read_everywhere_and_rewrites_no_session(cli, journal, project):
    journal(
        ("shop-wt2", "shop-wt2", "", LEARNT),
        ("shop", "shop", "", "Never edit generated files."),
    )
    before = git(project, "log", "-p", "--", "journal/sessions")
    said = cli("project", "merge", "shop-wt2", "shop")
    assert (said.code, said.out) == (0, "shop-wt2 read as shop now\n")
    assert git(project, "log", "--format=%s", "-1") == "project(shop): shop-wt2\n"
    assert git(project, "log", "-p", "--", "journal/sessions") == before
    assert projects(cli) == {"shop": 2}
    for name in ("shop", "shop-wt2"):  # by the name of before too
        listed = json.loads(cli("session", "list", "--project", name, "--json").out)
        assert listed["count"] == 2
    found = json.loads(cli("search", "Session", "--project", "shop", "--json").out)
    assert {hit["project"] for hit in found["hits"]} == {"shop"}
    assert len(found["hits"]) == 2
    proposals = json.loads(cli("reflect", "--json").out)["proposals"]
    assert {one["scope"] for one in proposals} == {"shop"}
    assert cli("check").code == 0


def test_a_memory_of_a_former_name_reaches_the_digest(cli, journal, project):
    journal(("shop-wt2", "shop-wt2"), ("shop", "shop"))
    cli("memory", "add", LEARNT, "--category", "workflow", "--scope", "shop-wt2")
    digest = project / "CLAUDE.md"
    cli("export")
    assert not digest.exists() or "make lint" not in digest.read_text()
    cli("project", "merge", "shop-wt2", "shop")
    cli("export")
    assert "make lint" in digest.read_text()
    cli("project", "rename", "shop", "storefront")
    cli("export")
    assert "make lint" in digest.read_text()


def test_names_can_be_given_back_and_repositories_told_apart(cli, journal):
    journal(
        ("cli", "~/a/cli", "github.com/acme/cli"),
        ("cli", "~/b/cli", "github.com/other/cli"),
        ("tools", "~/tools"),
    )
    assert commands(cli) == ["calmkb project rename github.com/other/cli NAME"]
    cli("project", "rename", "github.com/other/cli", "other-cli")
    assert projects(cli) == {"cli": 1, "other-cli": 1, "tools": 1}
    for name in ("cli", "other-cli"):
        assert json.loads(cli("session", "list", "--project", name, "--json").out)["count"] == 1
    cli("project", "rename", "tools", "kit")
    cli("project", "rename", "kit", "tools")
    assert projects(cli) == {"cli": 1, "other-cli": 1, "tools": 1}


def test_what_looks_like_one_repository_is_named_with_its_command(cli, journal, project, tmp_path):
    git(project, "worktree", "add", "-q", str(tmp_path / "shop-wt2"))
    journal(
        ("shop", "shop", "root:0123456789ab"),
        ("Shop", "~/Shop", ""),
        ("old-name", "~/old-name", "root:0123456789ab"),
        ("shop-wt2", "shop-wt2"),
        ("3", "3"),
    )
    assert sorted(commands(cli)) == [
        "calmkb project merge 3 Shop",
        "calmkb project merge old-name Shop",
        "calmkb project merge shop-wt2 Shop",
    ]


def test_faults_name_the_fix(cli, journal):
    journal(("shop", "shop"), ("site", "site"))
    unknown = cli("project", "merge", "typo", "shop")
    assert (unknown.code, "list them with: calmkb project list" in unknown.err) == (1, True)
    taken = cli("project", "rename", "site", "shop")
    assert (taken.code, "calmkb project merge site shop" in taken.err) == (1, True)
    assert cli("project", "merge", "shop", "global").code == 1
    assert cli("project", "rename", "shop", "shop").code == 1


def test_two_branches_that_merge_projects_do_not_conflict(cli, journal, project):
    journal(("a", "a"), ("b", "b"), ("shop", "shop"))
    git(project, "switch", "-qc", "other")
    cli("project", "merge", "a", "shop")
    git(project, "switch", "-q", "main")
    cli("project", "merge", "b", "shop")
    git(project, "merge", "-q", "--no-edit", "other")
    assert projects(cli) == {"shop": 3}


def test_no_record_makes_a_projects_memories_global(cli, journal, project):
    journal(("shop", "shop"))
    cli("memory", "add", LEARNT, "--category", "workflow", "--scope", "other")
    folder = project / "journal/projects/2026/10/01"
    folder.mkdir(parents=True)
    (folder / "2026-10-01T090000Z-global-bbbbbbbb.md").write_text(
        "---\nid: bbbbbbbb-0000-4000-8000-000000000000\n"
        "created_at: '2026-10-01T09:00:00+00:00'\nname: Global\naliases:\n- other\n---\n"
    )
    found = json.loads(cli("memory", "list", "--json").out)["memories"]
    assert "other" in json.dumps(found)
    checked = cli("check")
    assert (checked.code, "which is not a project" in checked.out + checked.err) == (1, True)
