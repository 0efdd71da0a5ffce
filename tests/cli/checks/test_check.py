"""`calmkb check`: what it finds in real journals, and how it tells CI."""

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.documents import record_path, render
from calmkb.model import Entry, Memory, Record
from tests.conftest import git

NOW = datetime(2026, 10, 19, tzinfo=UTC)
RANDOM = "q7Zk2vX9" + "Lm4Tn8Rw"


def keep(project: Path, record: Record) -> str:
    path = f"journal/{record_path(record)}"
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(render(record))
    return path


def memory(number: int, text: str, **values) -> Memory:
    return Memory(id=f"{number:08}-0000-4000-8000-000000000000", created_at=NOW, text=text,
                  category="workflow", **values)  # fmt: skip


def entry(number: int, text: str) -> Entry:
    return Entry(id=f"{number:08}-0000-4000-8000-000000000000", created_at=NOW, summary=text,
                 project_name="shop")  # fmt: skip


def rules(said) -> list[str]:
    return [item["rule"] for item in json.loads(said.out)["findings"]]


def test_a_sound_journal_has_no_findings(project, cli):
    keep(project, entry(1, "Moved the tests."))
    keep(project, memory(2, "Use pnpm here.", sources=(entry(1, "x").id,)))
    said = cli("check", "--strict")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("0 problems in ")


def test_two_memories_that_say_the_same_are_a_warning(project, cli):
    for number in (1, 2):
        keep(project, memory(number, f"Use pnpm for every script of the storefront{'.' * number}"))
    assert rules(cli("check", "--format", "json")) == ["near-duplicate"]
    assert (cli("check").code, cli("check", "--strict").code) == (0, 1)


def test_two_memories_that_say_the_opposite_are_a_conflict_in_one_scope_only(project, cli):
    keep(project, memory(1, "Always run the tests before a push.", scope="shop"))
    keep(project, memory(2, "Never run the tests before a push.", scope="bank"))
    assert rules(cli("check", "--format", "json")) == []
    keep(project, memory(3, "Never run the tests before a push.", scope="shop"))
    assert "conflict" in rules(cli("check", "--format", "json"))


def test_what_is_superseded_is_compared_no_more(project, cli):
    old = memory(1, "Always run the tests before a push.")
    keep(project, old)
    keep(project, memory(2, "Never run the tests before a push.", supersedes=old.id))
    assert cli("check", "--strict").code == 0


def test_a_dangling_source_and_a_double_id_are_errors(project, cli):
    keep(project, memory(1, "Use pnpm.", sources=(entry(9, "x").id, "SIG-1")))
    keep(project, entry(1, "Moved the tests."))
    said = cli("check", "--format", "json")
    assert (said.code, sorted(rules(said))) == (1, ["dangling-source", "duplicate-id"])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"Deploy with API_KEY={RANDOM} today", "secret"),
        ("The log is in /home/grace/logs", "machine-path"),
        ("Run this\u202e now", "hidden-character"),
    ],
)
def test_what_a_person_typed_into_a_record_is_found_with_its_line(project, cli, text, rule):
    path = keep(project, entry(1, f"First line.\n{text}"))
    found = json.loads(cli("check", "--format", "json").out)["findings"]
    line = (project / path).read_text().split("\n").index(text) + 1
    assert [(f["path"], f["line"], f["rule"]) for f in found] == [(path, line, rule)]
    assert RANDOM not in json.dumps(found)


def test_an_export_that_drifted_or_broke_and_a_long_digest_are_found(project, cli):
    keep(project, memory(1, "Use pnpm."))
    assert cli("export").code == 0
    assert cli("check", "--strict").code == 0
    keep(project, memory(2, "Start the database container first."))
    assert rules(cli("check", "--format", "json")) == ["drifted-export"]
    (project / "CLAUDE.md").write_text("# Ours\n<!-- calmkb:end -->\n")
    said = cli("check", "--format", "json")
    [found] = json.loads(said.out)["findings"]
    assert (said.code, found["rule"], found["line"]) == (1, "broken-block", 2)
    (project / "CLAUDE.md").unlink()
    (project / "calmkb.toml").write_text("[export]\nmax_tokens = 5\n")
    assert rules(cli("check", "--format", "json")) == ["long-digest"]


def test_github_gets_one_line_a_finding(project, cli):
    path = keep(project, entry(1, "The log is in /home/grace/logs"))
    said = cli("check", "--format", "github")
    assert said.out.startswith(f"::warning file={path},line=")
    assert said.out.count("\n") == 1


def test_a_workflow_gets_a_summary_that_acts_on_nothing(project, cli, tmp_path):
    keep(project, memory(2, "x", sources=("<img src=x>|@ada",)))
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    said = cli("check", "--format", "github", "--summary", str(summary))
    assert said.out.startswith("::")
    text = summary.read_text()
    assert text.startswith("before\n### Journal: 1 ")
    assert "<img" not in text and "@ada" not in text and "\\|" in text
    assert cli("check", "--summary", str(tmp_path / "no" / "where.md")).code == 1


@pytest.mark.parametrize(
    "command",
    [
        "check",
        "doctor",
        "session list",
        "search pnpm",
        "stats",
        "export",
        "memory list",
        "reflect --json",
        "site build",
        "wrapup --summary x",
    ],
)
def test_a_journal_that_is_a_link_is_named_and_not_read(project, cli, command):
    keep(project, memory(1, "Use pnpm in every script."))
    (project / "journal").rename(project.parent / "elsewhere")
    (project / "journal").symlink_to("../elsewhere")
    said = cli(*command.split())
    assert (said.code, "pnpm" in said.out) == (1, False), said
    assert f"journal: {project / 'journal'} is a symbolic link" in said.out + said.err


HIDES = {
    "an ignore rule": ["sh", "-c", "echo '*.md' > .gitignore"],
    "info/exclude": ["sh", "-c", "echo journal/ >> .git/info/exclude"],
    "the person's own rule": ["git", "config", "--global", "core.excludesFile", "{0}/rules"],
    "a setting": ["git", "config", "--global", "status.showUntrackedFiles", "no"],
    "assume-unchanged": ["git", "update-index", "--assume-unchanged", "{1}"],
    "skip-worktree": ["git", "update-index", "--skip-worktree", "{1}"],
}


@pytest.mark.parametrize("name", HIDES)
def test_a_record_that_git_does_not_show_is_named(project, cli, home, name):
    (home / "rules").write_text("*.md\n")
    path = keep(project, entry(1, "Moved the tests."))
    assert rules(cli("check", "--format", "json")) == []
    if "{1}" in HIDES[name]:
        git(project, "add", path)
        git(project, "commit", "-qm", "by hand")
    subprocess.run([one.format(home, path) for one in HIDES[name]], cwd=project, check=True)
    (found,) = json.loads(cli("check", "--format", "json").out)["findings"]
    assert (found["rule"], found["path"]) == ("hidden-record", path)


@pytest.mark.skipif(os.name == "nt", reason="a name there holds none of these")
def test_the_name_of_a_file_steers_no_terminal_and_makes_no_row(project, cli):
    cli("wrapup", "--summary", "Worked.")
    record = next((project / "journal/sessions").rglob("*.md"))
    record.with_name("\x1b]0;owned\x07 a\nb.md").write_bytes(record.read_bytes())
    said = cli("check")
    assert (said.code, "owned" in said.out, "\x1b" in said.out) == (1, True, False)
    assert not any(row.startswith("b.md") for row in said.out.split("\n"))


@pytest.fixture
def removed(project, cli, monkeypatch):
    """Return a function that commits the removal of a session under a subject, at a date."""
    path = keep(project, entry(1, "Moved the tests."))
    git(project, "add", ".")
    git(project, "commit", "-qm", "wrapup: Moved the tests")

    def remove(subject: str, date: str = "") -> str:
        git(project, "rm", "-q", path)
        monkeypatch.setenv("GIT_COMMITTER_DATE", date)
        git(project, "commit", "-qm", subject)
        return path

    return remove


def test_a_record_that_a_commit_of_others_removed_is_told_with_the_way_back(project, cli, removed):
    path = removed("wip")
    said = cli("check", "--strict")
    assert (said.code, said.out.startswith(f"{path}:1: note: commit ")) == (0, True)
    back = said.out.partition("restore it with: ")[2].split()
    git(project, *back[1:5])
    assert (rules(cli("check", "--format", "json")), (project / path).exists()) == ([], True)


@pytest.mark.parametrize(
    ("subject", "date"),
    [("Revert \"wrapup: Moved the tests\"", ""), ("calmkb: forget 1 entry", ""),
     ("Clean up", "2026-01-02T03:04:05Z")],
)  # fmt: skip
def test_a_removal_that_was_meant_or_is_long_ago_is_not_told(cli, removed, subject, date):
    removed(subject, date)
    assert rules(cli("check", "--format", "json")) == []


def test_a_memory_that_was_retired_or_merged_is_not_told(project, cli):
    for number in range(1, 5):
        keep(
            project, memory(number, f"Rule {number} of the shop is about {'abcd'[number - 1] * 9}.")
        )
    git(project, "add", ".")
    git(project, "commit", "-qm", "Add rules")
    said = [cli("memory", "retire", "00000001", "--reason", "Wrong."),
            cli("memory", "merge", "00000002", "00000003", "--force")]  # fmt: skip
    assert [one.code for one in said] == [0, 0], said
    assert "removed-record" not in rules(cli("check", "--format", "json"))


def test_a_record_that_got_another_name_is_not_removed(project, cli, removed):
    path = removed("wip")
    git(project, "revert", "--no-edit", "HEAD")
    git(project, "mv", path, path.replace("moved", "tests"))
    git(project, "commit", "-qm", "Rename")
    assert "removed-record" not in rules(cli("check", "--format", "json"))
