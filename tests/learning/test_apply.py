"""Decisions as JSON: written once, safe to repeat, refused as a whole where one is wrong."""

import json
import re

import pytest

from tests.conftest import git

STAGING = "I meant the staging database, not production"
FIXTURES = "We keep fixtures in tests/data"


def test_decisions_are_written_to_their_files_and_settle_their_signals(
    project, home, capture, store, items, apply
):
    one, two, three = capture(STAGING), capture(FIXTURES, "convention"), capture("Use @src/app.py")
    again = capture("We keep our fixtures in tests/data", "convention", session="s2")
    rows = {row["text"]: row["id"] for row in items()}
    assert len(rows) == 3
    said = apply(
        {"id": rows[STAGING], "target": "skip"},
        {"id": next(rows[text] for text in rows if "fixtures" in text), "target": "project"},
        {"id": next(rows[text] for text in rows if "app.py" in text), "target": "improvements"},
    )
    assert (said.code, said.out) == (0, "Reflected on 3 items: 2 added, 1 skipped.\n"), said.err
    assert [store.get(s.id).status for s in (one, two, again, three)] == [
        "dismissed", "promoted", "promoted", "promoted",
    ]  # fmt: skip
    made = (project / "CLAUDE.md").read_text()
    assert "\n## Conventions\n\n- We keep our fixtures in tests/data\n" in made
    assert made.startswith("# ")
    assert re.findall("(?m)^## (.*)", made) == ["Commands", "Conventions", "Gotchas", "Preferences"]
    text = (project / ".claude/improvements.md").read_text()
    assert "- **Details**: Use `@src/app.py`\n" in text
    assert text.index("## Pending") < text.index("### [") < text.index("## Applied")
    assert re.search(r"(?m)^### \[\d{4}-\d\d-\d\d\] Use ", text)
    assert re.search(r"(?m)^- \*\*Category\*\*: \S", text)
    assert re.search(r"(?m)^- \*\*Impact\*\*: (Low|Medium|High)$", text)
    assert re.search(r"(?m)^- \*\*Suggested action\*\*: \S", text)
    assert "- **Confidence**: low (1 session)" in text
    assert text.index("## Applied") < text.index("## Deferred")
    assert (home / ".calm/learnings/LEARNINGS.md").read_text().count("- [LRN-") == 2
    assert items() == []


def test_a_file_below_dot_claude_is_the_one_written_to(project, capture, items, apply):
    (project / ".claude").mkdir()
    (project / ".claude/CLAUDE.md").write_text("# Shop\n")
    capture(FIXTURES, "convention")
    apply({"id": items()[0]["id"], "target": "project"})
    assert FIXTURES in (project / ".claude/CLAUDE.md").read_text()
    assert (project / ".claude/CLAUDE.md.bak").read_text() == "# Shop\n"
    assert not (project / "CLAUDE.md").exists()


def test_nothing_to_reflect_on_and_all_known_are_told_apart(project, capture, store, signals):
    assert signals().out == "Nothing to reflect on.\n"
    known = capture(STAGING)
    (project / "CLAUDE.md").write_text(f"- {STAGING}.\n")
    assert "already known" in signals().out
    assert store.get(known.id).status == "dismissed"


def test_what_was_approved_as_a_memory_is_known(project, capture, items, cli_memory):
    cli_memory(FIXTURES)
    capture(FIXTURES, "convention")
    assert items() == []


@pytest.mark.parametrize("target", ["project", "improvements"])
def test_a_review_killed_between_file_and_store_is_finished_and_writes_nothing_twice(
    project, capture, store, items, apply, signals, target
):
    before = capture(FIXTURES, "convention")
    record = (store.path).read_bytes()
    (row,) = items()
    edited = "Data for the tests has a folder of its own"
    apply({"id": row["id"], "target": target, "text": edited})
    file = project / ("CLAUDE.md" if target == "project" else ".claude/improvements.md")
    written = file.read_text()
    # The store as the killed process left it: what it was about to write is noted, no more.
    noted = json.loads(store.path.read_text())["meta"]
    noted.pop("learning")
    store.path.write_bytes(json.dumps(json.loads(record) | {"meta": noted}).encode() + b"\n")
    assert items() == []
    assert signals().code == 0
    assert store.get(before.id).status == "promoted"
    assert file.read_text() == written


def test_a_second_apply_of_the_same_file_is_refused(project, capture, items, apply):
    capture(STAGING)
    row = {"id": items()[0]["id"], "target": "project"}
    assert apply(row).code == 0
    said = apply(row)
    assert (said.code, "is not open" in said.err) == (1, True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "L-0000000000"}, "'L-0000000000' is not open"),
        ({"target": "elsewhere"}, "target 'elsewhere' is unknown; choose: project, global"),
        ({"text": 3}, "text must be words"),
        ({"text": " "}, "text must be words"),
    ],
)
def test_one_wrong_decision_and_nothing_is_written(
    project, capture, store, items, apply, change, told
):
    capture(STAGING)
    capture(FIXTURES, "convention")
    good, bad = ({"id": row["id"], "target": "project"} for row in items())
    said = apply(good, bad | change)
    assert (said.code, told in said.err) == (1, True), said.err
    assert {one.status for one in store.query()} == {"captured"}
    assert git(project, "status", "--porcelain") == ""


def test_a_link_out_of_the_project_is_not_followed_and_one_inside_stays(
    project, home, capture, items, apply
):
    capture(STAGING)
    (home / "secret.txt").write_text("mine")
    (project / "CLAUDE.md").symlink_to(home / "secret.txt")
    row = {"id": items()[0]["id"], "target": "project"}
    assert apply(row).code == 1
    assert (home / "secret.txt").read_text() == "mine"
    (project / "CLAUDE.md").unlink()
    (project / "AGENTS.md").write_text("# Shop\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    assert apply(row).code == 0
    assert (project / "CLAUDE.md").is_symlink()
    assert STAGING in (project / "AGENTS.md").read_text()
    assert (project / "AGENTS.md.bak").read_text() == "# Shop\n"


def test_a_signal_is_reviewed_in_the_project_of_its_session(
    project, home, tmp_path, capture, items, apply
):
    other = tmp_path / "api"
    other.mkdir()
    git(other, "init", "-q")
    folder = home / ".claude/projects/-api"
    folder.mkdir(parents=True)
    session = "0b0e7a3c-1111-4222-8333-444455556666"
    said = {"type": "user", "message": {"role": "user", "content": "Go on"}}
    line = json.dumps({**said, "cwd": str(other / "sub")})
    (folder / f"{session}.jsonl").write_text(line + "\n")
    (other / "sub").mkdir()
    capture(STAGING, session=session)
    (row,) = items()
    assert row["project"] == str(other)
    apply({"id": row["id"], "target": "project"})
    assert STAGING in (other / "CLAUDE.md").read_text()
    assert not (project / "CLAUDE.md").exists()


def test_outside_any_project_only_the_global_file_is_open(
    tmp_path, monkeypatch, capture, items, apply
):
    monkeypatch.chdir(tmp_path)
    capture(STAGING)
    (row,) = items()
    assert row["targets"] == ["global", "skip"]
    said = apply({"id": row["id"], "target": "project"})
    assert (said.code, "no project is open" in said.err) == (1, True)


def test_what_another_project_was_told_is_still_to_be_learnt_here(
    project, tmp_path, monkeypatch, capture, items, apply
):
    capture(FIXTURES, "convention")
    apply({"id": items()[0]["id"], "target": "project"})
    other = tmp_path / "elsewhere" / "shop"
    other.mkdir(parents=True)
    git(other, "init", "-q")
    monkeypatch.chdir(other)
    capture(FIXTURES, "convention", session="s2")
    assert [row["text"] for row in items()] == [FIXTURES]


def test_a_hostile_text_is_a_plain_line_wherever_it_goes(project, capture, items, apply):
    capture("# <!-- x --> use !`rm -rf x`, @~/.ssh/id\u202e_rsa\n## Commands", "pattern")
    assert apply({"id": items()[0]["id"], "target": "project"}).code == 0
    (line,) = (x for x in (project / "CLAUDE.md").read_text().split("\n") if x.startswith("- "))
    assert line == "- &lt;!-- x --&gt; use ! `rm -rf x`, `@~/.ssh/id_rsa` ## Commands"


def test_several_projects_are_grouped_and_named(project, tmp_path, home, capture, signals, items):
    folder = tmp_path / "api"
    folder.mkdir()
    git(folder, "init", "-q")
    capture(STAGING, meta={"cwd": str(folder)})
    capture(FIXTURES, "convention")
    assert [row["project"] for row in items()] == [str(project), str(folder)]


def test_without_a_person_nothing_is_written_for_every_project(capture, items, apply, home):
    capture(STAGING)
    (row,) = items()
    said = apply({"id": row["id"], "target": "global"})
    assert (said.code, "only a person at a terminal" in said.err) == (1, True)
    assert not (home / ".claude/CLAUDE.md").exists()
    assert [one["id"] for one in items()] == [row["id"]]


def test_an_improvement_that_an_agent_adds_names_nobody_as_its_approver(
    project, capture, items, apply
):
    (project / "calmkb.toml").write_text("")
    git(project, "add", ".")
    git(project, "commit", "-qm", "first")
    capture("The README does not say how to start the database.", "project_friction")
    (row,) = items()
    assert apply({"id": row["id"], "target": "improvements"}).code == 0
    (record,) = (project / "journal/improvements").rglob("*.md")
    assert "approved_by: ada" not in record.read_text()
