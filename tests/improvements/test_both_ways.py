"""The file that people edit and the records in git tell the same, whoever changed what."""

import json
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
        rf"<!-- calmkb:improvement {record['id']} [0-9a-f]{{16}} -->",
        item,
    ), item


def test_an_item_moved_by_hand_is_read_back_and_committed(
    kept, file, records, cli, subjects, project
):
    kept(CONFIG, NAMES)
    text = file.read_text()
    start, end = text.index("### ["), text.index("### [", text.index("### [") + 1)
    moved = text[:start] + text[end:]
    file.write_text(
        moved.replace("## Applied\n", "## Applied\n\n" + text[start:end].strip() + "\n")
    )
    before = file.read_text()
    said = cli("improvements", "sync")
    assert (said.code, said.err) == (0, "")
    assert "applied: Searches for" in said.out
    assert records()[CONFIG]["state"] == "applied"
    assert subjects()[0] == f"improve(Configuration): applied {CONFIG}"
    assert without_marks(file.read_text()) == without_marks(before)
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"
    assert git(project, "status", "--porcelain") == "?? .claude/\n"


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("### [", "### [x] ["),
        lambda text: re.sub(r"(### \[[\d-]+\]) (.*)", r"\1 \2 ✅", text),
        lambda text: re.sub(r"(### \[[\d-]+\]) (.*)", r"\1 ~~\2~~", text),
        lambda text: text.replace("<!-- calmkb:imp", "- [x] Done\n<!-- calmkb:imp"),
        lambda text: text.replace("<!-- calmkb:imp", "- **Status**: applied\n<!-- calmkb:imp"),
        lambda text: text.replace("- **Suggested", "- [x] **Suggested"),
    ],
)
def test_an_item_ticked_as_done_is_applied_and_moved(kept, file, records, board, cli, edit):
    kept(CONFIG)
    plain = file.read_text()
    file.write_text(edit(plain))
    assert file.read_text() != plain
    assert cli("improvements", "sync").code == 0
    assert records()[CONFIG]["state"] == "applied"
    assert board() == {"Pending": [], "Applied": [CONFIG], "Deferred": []}
    assert "[x]" not in file.read_text()
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"


def test_words_edited_by_hand_are_read_back_through_the_filter(kept, file, records, cli):
    kept(CONFIG)
    secret = "ghp_" + "a1B2" * 9
    file.write_text(
        file.read_text()
        .replace("- **Impact**: Low", "- **Impact**: high")
        .replace(f"- **Details**: {CONFIG}", f"- **Details**: Settings lie\n  in @etc/, {secret}")
    )
    assert cli("improvements", "sync").code == 0
    (record,) = records().values()
    assert record["impact"] == "high"
    assert record["details"].startswith("Settings lie in @etc/, [redacted")
    text = file.read_text()
    assert secret not in text
    assert "- **Details**: Settings lie in `@etc/`, " in text
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"


def test_a_record_settled_at_the_command_line_moves_its_item_with_the_notes_in_it(
    kept, file, records, board, cli, subjects
):
    kept(CONFIG, NAMES)
    identity = records()[CONFIG]["id"]
    mine = "My own line, with  two blanks\n\n#### And a heading\n\n```\n### [x] not one\n```\n"
    text = file.read_text()
    mark = text.index("-->", text.index(identity)) + 4
    file.write_text("Our list.\n\n" + text[:mark] + mine + text[mark:])
    said = cli("improvements", "defer", identity[:8], "--reason", "After the release")
    assert said.out == f"{identity[:8]} is deferred: {CONFIG}\n"
    assert board() | {"Applied": []} == {
        "Pending": [NAMES], "Applied": [], "Deferred": [CONFIG, "not one"],
    }  # fmt: skip
    assert mine.rstrip() in file.read_text().partition("## Deferred")[2]
    assert file.read_text().startswith("Our list.\n\n# Improvements\n")
    assert subjects()[0] == f"improve(Configuration): deferred {CONFIG}"
    assert "already deferred" in cli("improvements", "defer", identity).out
    assert cli("improvements", "reopen", identity).code == 0
    assert records()[CONFIG]["state"] == "pending"
    assert CONFIG in board()["Pending"]


def test_an_item_taken_out_by_hand_is_deferred_and_does_not_come_back(
    kept, file, records, board, cli, project
):
    kept(CONFIG, NAMES)
    text = file.read_text()
    start, end = text.index("### ["), text.index("### [", text.index("### [") + 1)
    file.write_text(text[:start] + text[end:])
    assert "taken out of the file" in cli("improvements", "sync").out
    assert records()[CONFIG]["state"] == "deferred"
    assert "taken out of .claude/improvements.md" in git(project, "log", "-1", "--format=%b")
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"
    assert board() == {"Pending": [NAMES], "Applied": [], "Deferred": []}
    assert cli("improvements", "reopen", records()[CONFIG]["id"]).code == 0
    assert CONFIG in board()["Pending"]


def test_a_file_that_is_gone_or_on_another_branch_takes_nothing_out(
    kept, file, records, board, cli, project
):
    empty = "# Improvements\n\n## Pending\n"
    file.parent.mkdir()
    file.write_text(empty)
    git(project, "add", ".")
    git(project, "commit", "-qm", "list")
    git(project, "branch", "old")
    kept(CONFIG)
    whole = file.read_text()
    file.unlink()
    assert cli("improvements", "list").code == 0
    assert cli("improvements", "sync").code == 0
    assert records()[CONFIG]["state"] == "pending"
    assert board()["Pending"] == [CONFIG]
    file.write_text(empty)
    git(project, "symbolic-ref", "HEAD", "refs/heads/elsewhere")
    git(project, "update-ref", "refs/heads/elsewhere", "main")
    assert cli("improvements", "sync").code == 0
    assert records()[CONFIG]["state"] == "pending"
    assert board()["Pending"] == [CONFIG]
    assert CONFIG in whole


def test_both_sides_changed_and_nothing_is_lost(kept, file, records, cli, project):
    kept(CONFIG)
    record = records()[CONFIG]
    path = project / "journal" / json.loads(
        cli("improvements", "show", record["id"], "--json").out
    )["path"]  # fmt: skip
    theirs = path.read_text().replace(f"\n{CONFIG}\n", "\nThe settings lie in etc.\n")
    theirs = theirs.replace("category: Configuration", "category: Documentation")
    path.write_text(theirs.replace("state: pending", "state: deferred"))
    git(project, "commit", "-qam", "by a colleague")
    text = file.read_text().replace(f"- **Details**: {CONFIG}", "- **Details**: Nobody knows.")
    file.write_text(text.replace("- **Impact**: Low", "- **Impact**: Medium"))
    said = cli("improvements", "sync")
    assert (said.code, "the record keeps both" in said.err) == (0, True)
    (made,) = records().values()
    assert (made["details"], made["category"], made["impact"], made["state"]) == (
        "Nobody knows.", "Documentation", "medium", "deferred",
    )  # fmt: skip
    assert made["sections"] == [
        {"heading": "Said otherwise", "text": "Details: The settings lie in etc."}
    ]
    text = file.read_text()
    assert "- **Category**: Documentation\n" in text.partition("## Deferred")[2]
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"


OLD = (
    "# Improvements\r\n\r\nMine.\r\n\r\n## Pending\r\n\r\n"
    "### [2026-01-12] Fixtures are hard to find\r\n\r\n- **Category**: Test Structure\r\n"
    "- **Impact**: Medium\r\n- **Details**: Fixtures lie in four folders\r\n"
    "- **Confidence**: medium (2 sessions)\r\n\r\n"
    "### Rename the cart\r\n\r\nIt is a basket.\r\n\r\n## Applied\r\n\r\nText.\r\n\r\n## Ideas\r\n"
    "\r\n### Not an improvement yet"
)


def test_items_of_an_old_file_become_records_only_when_asked(file, records, cli, project):
    file.parent.mkdir()
    file.write_bytes(OLD.encode())
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    said = cli("improvements", "sync")
    assert "2 without a record, such as 'Fixtures are hard to find'" in said.out
    assert (file.read_bytes(), records()) == (OLD.encode(), {})
    said = cli("improvements", "sync", "--adopt")
    assert (said.code, said.out.count("recorded: ")) == (0, 2)
    made = records()
    assert made["Fixtures lie in four folders"]["created_at"].startswith("2026-01-12")
    assert made["Fixtures lie in four folders"]["reason"] == "2 sessions"
    assert made["It is a basket."]["title"] == "Rename the cart"
    assert without_marks(file.read_bytes().decode()) == without_marks(OLD)
    assert "\r\n" in file.read_bytes().decode().partition("calmkb:improvement")[2]
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"


def test_an_item_without_its_comment_is_known_by_its_heading(kept, file, records, cli, board):
    kept(CONFIG)
    bare = without_marks(file.read_text())
    file.write_text(bare.replace("- **Category**: Configuration", "- **Category**: Naming"))
    assert cli("improvements", "sync").code == 0
    assert len(records()) == 1
    assert records()[CONFIG]["category"] == "Naming"
    assert board()["Pending"] == [CONFIG]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("\n````\na thought\n", "a comment begins that never ends"),
        ("\n<<<<<<< HEAD\n", "settle the merge first"),
    ],
)
def test_a_file_that_cannot_be_told_apart_is_left_alone(kept, file, records, cli, broken, told):
    kept(CONFIG)
    text = file.read_text().replace("## Pending\n", "## Pending\n" + broken)
    file.write_text(text)
    said = cli("improvements", "sync")
    assert (said.code, told in said.err) == (1, True)
    assert (file.read_text(), records()[CONFIG]["state"]) == (text, "pending")


def test_what_a_colleague_settled_comes_into_the_file_and_new_ones_are_added(
    kept, file, records, board, cli, project
):
    kept(CONFIG)
    record = records()[CONFIG]
    journal = project / "journal" / "improvements"
    (path,) = journal.iterdir()
    path.write_text(path.read_text().replace("state: pending", "state: applied"))
    (journal / "2026-10-20T080000Z-by-hand.md").write_text(
        f"---\nproject: shop\ntitle: {NAMES}\n---\n\n{NAMES}\n"
    )
    git(project, "add", "journal")
    git(project, "commit", "-qm", "from elsewhere")
    said = cli("improvements", "sync")
    assert "2 items brought up to date" in said.out
    assert board() == {"Pending": [NAMES], "Applied": [record["title"]], "Deferred": []}
    assert cli("improvements", "sync").out == "In step: nothing to do.\n"


def without_marks(text: str) -> str:
    return re.sub(r"(?m)^(\r?\n)?<!-- calmkb:improvement .* -->\r?\n?", "", text).strip()


def test_export_sync_and_the_next_review_read_it_back_and_a_fault_there_stops_nothing(
    kept, file, records, cli, subjects, tmp_path, project
):
    kept(CONFIG)
    git(tmp_path, "init", "-q", "--bare", "host.git")
    git(project, "remote", "add", "origin", str(tmp_path / "host.git"))
    git(project, "config", "branch.main.remote", "origin")
    git(project, "config", "branch.main.merge", "refs/heads/main")
    for command in (("export",), ("sync",), ("reflect", "--signals")):
        file.write_text(file.read_text().replace("### [", "### [x] [", 1))
        said = cli(*command)
        assert (said.code, said.err) == (0, ""), command
        assert f"applied: {CONFIG} (as the file says)" in said.out
        assert records()[CONFIG]["state"] == "applied"
        cli("improvements", "reopen", records()[CONFIG]["id"])
    assert subjects()[0].startswith("improve(Configuration): reopened")
    file.write_text(file.read_text() + "```\n")
    said = cli("export")
    assert (said.code, "not read back" in said.err) == (0, True)
