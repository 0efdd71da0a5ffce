"""Improvements: a record in git, an item under Pending, and commands that change their state."""

import re

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


def test_a_state_set_at_the_command_line_is_committed_and_the_list_stays_as_it_is(
    kept, file, records, cli, subjects
):
    kept(CONFIG, NAMES)
    identity = records()[CONFIG]["id"]
    before = file.read_bytes()
    said = cli("improvements", "defer", identity[:8], "--reason", "After the release")
    assert said.out == f"{identity[:8]} is deferred: {CONFIG}\n"
    assert subjects()[0] == f"improve(Configuration): deferred {CONFIG}"
    assert "already deferred" in cli("improvements", "defer", identity).out
    assert cli("improvements", "reopen", identity).code == 0
    assert records()[CONFIG]["state"] == "pending"
    assert file.read_bytes() == before


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
