"""A session without a project: where its learnings hold is asked, never taken to be everywhere."""

import json

import pytest

from tests.conftest import git

RULE = "Verify and run the hooks before each commit; a signed one that fails them is undone."


@pytest.fixture
def journal(tmp_path, cli, monkeypatch):
    """A knowledge base with one session that worked in the person's home folder."""
    folder = tmp_path / "kb"
    day = folder / "journal/sessions/2026/10/01"
    day.mkdir(parents=True)
    (folder / "calmkb.toml").write_text("")
    (day / "2026-10-01T090000Z-session-00000001.md").write_text(
        "---\nid: 00000001-0000-4000-8000-000000000000\nproject_name: ''\n"
        "created_at: '2026-10-01T09:00:00+00:00'\nworking_directory: '~'\nagent: claude-code\n"
        f"---\n\n## Summary\n\nWork.\n\n## Learnings\n\n- {RULE}\n"
    )
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "begin")
    monkeypatch.chdir(folder)
    return folder


def decided(cli, folder, **fields):
    document = json.loads(cli("reflect", "--json").out)
    document["proposals"][0] |= {"decision": "accept"} | fields
    (folder.parent / "d.json").write_text(json.dumps(document))
    return cli("reflect", "--apply", str(folder.parent / "d.json"))


def exported(cli, *more):
    return cli("export", "--file", "-", *more).out


def test_the_json_says_that_a_choice_is_needed_and_takes_none_without_it(journal, cli):
    (made,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (made["scope"], made["needs"]) == (None, ["scope"])
    done = decided(cli, journal)
    assert (done.code, "no session tells where it holds" in done.err) == (1, True)
    assert decided(cli, journal, scope="shop").code == 0


def test_a_memory_of_unknown_scope_is_exported_nowhere_until_a_person_says_it(journal, cli):
    folder = journal / "journal/memories/workflow"
    folder.mkdir(parents=True)
    memory = (
        "---\nid: 00000002-0000-4000-8000-000000000000\nscope: '?'\napproved_by: a@b.c\n"
        f"category: workflow\ncreated_at: '2026-10-02T09:00:00+00:00'\n---\n\n{RULE}\n"
    )
    (folder / "2026-10-02T090000Z-hooks-00000002.md").write_text(memory)
    git(journal, "add", "-A")
    git(journal, "commit", "-qm", "merge a request")
    for project in ([], ["--project", "unrelated"], ["--project", "?"]):
        assert RULE not in exported(cli, *project)
    assert cli("memory", "edit", "00000002", "--scope", "shop").code == 0
    assert RULE in exported(cli, "--project", "shop")
    assert RULE not in exported(cli, "--project", "unrelated")
