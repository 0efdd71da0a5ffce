"""What holds everywhere: different repositories and different people met it."""

import json

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.reflect.reflection import pending
from tests.conftest import git

PNPM = "Use pnpm for every script; npm rewrites the lock file and hangs the tests."


@pytest.fixture
def met(repo, monkeypatch):
    """Return a function that commits sessions of (project, address) and tells the scope."""
    (repo / "calmkb.toml").write_text("")
    monkeypatch.chdir(repo)

    def scope(*rows):
        for number, (project, address) in enumerate(rows, 1):
            folder = repo / f"journal/sessions/2026/10/{number:02}"
            folder.mkdir(parents=True)
            (folder / f"2026-10-{number:02}T090000Z-session-{number:08}.md").write_text(
                f"---\nid: {number:08}-0000-4000-8000-000000000000\n"
                f"created_at: '2026-10-{number:02}T09:00:00+00:00'\nproject_name: {project}\n"
                f"working_directory: {project}\nrepository: example.org/acme/{project}\n---\n\n"
                f"## Summary\n\nWork.\n\n## Learnings\n\n- {PNPM}\n"
            )
            git(repo, "add", "-A")
            git(repo, "commit", "-qm", "x", f"--author=A <{address}>")
        found = pending(open_kb(process_environment())).proposals.open
        return json.dumps([one.scope for one in found])

    return scope


ADA, BO = "ada@example.org", "bo@example.org"


def test_two_repositories_of_two_people_make_it_global(met):
    assert met(("shop", ADA), ("site", BO)) == '["global"]'


def test_in_the_journal_of_one_person_two_repositories_do(met):
    assert met(("shop", ADA), ("site", ADA), ("site", ADA)) == '["global"]'


@pytest.fixture
def team(repo):
    """Let somebody else commit a session on something else."""
    (repo / "journal/sessions/2026/09/01").mkdir(parents=True)
    (repo / "journal/sessions/2026/09/01/2026-09-01T090000Z-other-aaaaaaaa.md").write_text(
        "---\nid: aaaaaaaa-0000-4000-8000-000000000000\n"
        "created_at: '2026-09-01T09:00:00+00:00'\nproject_name: shop\nworking_directory: shop\n"
        "---\n\n## Summary\n\nLooked around.\n"
    )
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "x", f"--author=B <{BO}>")


def test_what_one_person_of_a_team_met_is_of_the_project_of_most_sessions(met, team):
    assert met(("shop", ADA), ("site", ADA), ("site", ADA)) == '["site"]'


def test_two_addresses_of_one_person_are_one(met, team, repo):
    (repo / ".mailmap").write_text(f"Ada <{ADA}> <ada@laptop>\n")
    assert met(("shop", ADA), ("site", "ada@laptop")) == '["shop"]'


def test_one_repository_of_two_people_is_the_projects(met):
    assert met(("shop", ADA), ("shop", BO)) == '["shop"]'
