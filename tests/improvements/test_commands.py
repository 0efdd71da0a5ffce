"""Improvements: a record in git, an item under Pending, and commands that change their state."""

import re

import pytest

from tests.conftest import git

CONFIG = "Searches for settings find nothing"
NAMES = "The checkout module is named three different things"


def test_a_learning_becomes_a_record_and_an_item(kept, file, records, board, subjects, project):
    kept(CONFIG)
    record = records()[CONFIG]
    assert (record["state"], record["category"], record["project"]) == (
        "pending", "Configuration", "shop",
    )  # fmt: skip
    assert (record["confidence"], record["reason"]) == ("low", "1 session")
    assert record["approved_by"] == "ada@example.org"
    assert record["sources"][0].startswith("SIG-")
    assert subjects() == [f"improve(Configuration): pending {CONFIG}"]
    assert board() == {"Pending": [CONFIG], "Applied": [], "Deferred": []}
    day = record["created_at"][:10]
    item = file.read_text().partition("## Pending\n\n")[2].partition("\n\n## Applied")[0]
    assert re.fullmatch(
        rf"### \[{day}\] {CONFIG}\n\n"
        rf"- \*\*Category\*\*: Configuration\n- \*\*Impact\*\*: Low\n- \*\*Details\*\*: {CONFIG}\n"
        r"- \*\*Suggested action\*\*: .+\n- \*\*Confidence\*\*: low \(1 session\)\n"
        rf"<!-- calmkb:improvement {record['id']} -->",
        item,
    ), item


def test_a_state_set_at_the_command_line_moves_the_item_with_the_notes_in_it(
    kept, file, records, board, cli, subjects
):
    kept(CONFIG, NAMES)
    identity = records()[CONFIG]["id"]
    mine = "My own line, with  two blanks\n\n#### And a heading\n\n```\n### [x] not one\n```\n"
    text = file.read_text()
    mark = text.index("-->", text.index(identity)) + 4
    file.write_text("Our list.\n\n" + text[:mark] + mine + text[mark:])
    before = file.read_text()
    said = cli("improvements", "defer", identity[:8], "--reason", "After the release")
    assert said.out.startswith(f"{identity[:8]} is deferred: {CONFIG}\nMoved its item in ")
    assert board() | {"Applied": []} == {
        "Pending": [NAMES], "Applied": [], "Deferred": [CONFIG, "not one"],
    }  # fmt: skip
    assert mine.rstrip() in file.read_text().partition("## Deferred")[2]
    assert file.read_text().startswith("Our list.\n\n# Improvements\n")
    assert file.with_name("improvements.md.bak").read_text() == before
    assert subjects()[0] == f"improve(Configuration): deferred {CONFIG}"
    assert "already deferred" in cli("improvements", "defer", identity).out
    assert cli("improvements", "reopen", identity).code == 0
    assert records()[CONFIG]["state"] == "pending"
    assert CONFIG in board()["Pending"]


def test_an_item_written_by_an_older_version_moves_too(kept, file, records, board, cli):
    kept(CONFIG)
    identity = records()[CONFIG]["id"]
    text = file.read_text()
    file.write_text(text.replace(f"{identity} -->", f"{identity} 9c1d2e3f4a5b6c7d -->"))
    assert cli("improvements", "apply", identity).code == 0
    assert board() == {"Pending": [], "Applied": [CONFIG], "Deferred": []}


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: re.sub(r"<!-- calmkb:improvement .*\n", "", text),
        lambda text: text.replace("## Pending\n", "## Pending\n\n```\nnever closed\n"),
    ],
)
def test_an_item_that_cannot_be_found_stays_and_the_record_changes(kept, file, records, cli, edit):
    kept(CONFIG)
    file.write_text(edit(file.read_text()))
    before = file.read_text()
    assert cli("improvements", "apply", records()[CONFIG]["id"]).code == 0
    assert records()[CONFIG]["state"] == "applied"
    assert file.read_text() == before


def test_a_project_without_the_file_gets_none_from_a_command(kept, file, records, cli):
    kept(CONFIG)
    file.unlink()
    assert cli("improvements", "apply", records()[CONFIG]["id"]).code == 0
    assert not file.exists()


def test_export_sync_and_an_empty_review_commit_no_improvement(
    kept, file, records, cli, subjects, tmp_path, project
):
    kept(CONFIG)
    git(tmp_path, "init", "-q", "--bare", "host.git")
    git(project, "remote", "add", "origin", str(tmp_path / "host.git"))
    git(project, "config", "branch.main.remote", "origin")
    git(project, "config", "branch.main.merge", "refs/heads/main")
    edited = file.read_text().replace("### [", "### [x] [", 1).replace("Low", "High")
    file.write_text(edited)
    before = subjects()
    for command in (("export",), ("sync",), ("reflect", "--signals")):
        said = cli(*command)
        assert (said.code, said.err) == (0, ""), command
    assert (file.read_text(), subjects()) == (edited, before)
    assert records()[CONFIG]["state"] == "pending"
