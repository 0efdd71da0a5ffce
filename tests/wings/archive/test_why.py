"""`calmkb why`: from a line to the words that decided it."""

import json

import pytest

from tests.capture.support import agent, call, result, shell
from tests.conftest import git
from tests.wings.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"


@pytest.fixture
def decided(project, session):
    """Return the commit of a line that a session wrote and committed."""
    (project / "cmd").mkdir()
    file = project / "cmd" / "root.go"
    file.write_text("package cmd\n\n\treturn err\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "Begin")
    file.write_text("package cmd\n\n\treturn NewSilentError(err)\n")
    git(project, "add", ".")
    said = git(project, "commit", "-m", "Be silent")
    edit = call("t2", "Edit", file_path=str(file), old_string="return err",
                new_string="return NewSilentError(err)")  # fmt: skip
    session(NAME, *SILENT[:2], agent(edit), result("t2", "ok"), *shell(9, "git commit -am x", said))
    return git(project, "rev-parse", "HEAD").strip()


def asked(cli, place):
    said = cli("why", place, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


def test_a_line_leads_to_the_question_and_the_reason(project, cli, decided):
    cli("keep")
    out = cli("why", "cmd/root.go:3").out
    assert out.startswith("cmd/root.go:3  return NewSilentError(err)\n")
    assert f"commit {decided[:12]}  Be silent\n" in out
    assert "2 agent: Because cobra prints it unless the error is wrapped" in out
    assert "3 Edit ▸: " in out
    found = asked(cli, "cmd/root.go:3")
    assert [one["session"]["session"] for one in found["commits"]] == [NAME]
    assert [one["session"] for one in asked(cli, "cmd/root.go:1")["commits"]] == [None]


def test_a_file_leads_to_all_its_commits(project, cli, decided):
    cli("keep")
    found = asked(cli, "cmd/root.go")
    assert [one["subject"] for one in found["commits"]] == ["Be silent", "Begin"]
    assert [bool(one["session"]) for one in found["commits"]] == [True, False]


def test_a_rebased_commit_still_leads_to_its_session(project, cli, decided):
    cli("keep")
    git(project, "checkout", "-q", "-b", "other", "HEAD~1")
    (project / "b.txt").write_text("b")
    git(project, "add", ".")
    git(project, "commit", "-qm", "Beside")
    git(project, "cherry-pick", decided)
    assert git(project, "rev-parse", "HEAD").strip() != decided
    found = asked(cli, "cmd/root.go:3")
    assert [one["session"]["session"] for one in found["commits"]] == [NAME]


def test_a_trailer_leads_to_the_session_too(project, cli, session):
    session(NAME, *SILENT)
    (project / "cmd").mkdir()
    (project / "cmd" / "root.go").write_text("return NewSilentError(err)\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", f"Be silent\n\nCalm-Session: {NAME}")
    cli("keep")
    found = asked(cli, "cmd/root.go:1")
    assert [one["session"]["moments"][0]["line"] for one in found["commits"]] == [5]


def test_a_session_that_changed_the_line_is_named_without_its_commit(project, cli, session):
    session(NAME, *SILENT)
    (project / "cmd").mkdir()
    (project / "cmd" / "root.go").write_text("x\nreturn NewSilentError(err)\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "By hand")
    cli("keep")
    found = asked(cli, "cmd/root.go:2")
    assert [one["session"] for one in found["commits"]] == [None]
    assert [one["session"] for one in found["other_sessions"]] == [NAME]
    assert asked(cli, "cmd/root.go:1")["other_sessions"] == []


def test_memories_anchored_at_the_file_are_named(project, cli, decided):
    cli("memory", "add", "--category", "fact", "--path", "cmd/**", "Wrap errors once.")
    cli("memory", "add", "--category", "fact", "Unrelated.")
    out = cli("why", "cmd/root.go:3").out
    assert "Wrap errors once." in out
    assert "Unrelated" not in out


def test_what_git_does_not_know_is_said(project, cli, tmp_path):
    assert "no line 9 in the last commit" in cli("why", "calmkb.toml:9").err
    assert "git knows no commit of gone.py" in cli("why", "gone.py").err
    outside = cli("why", str(tmp_path / "nowhere" / "x.py"))
    assert (outside.code, "is in no git repository" in outside.err) == (1, True)


def test_a_filter_of_the_repository_is_not_run(project, cli, decided, tmp_path):
    mark = tmp_path / "ran"
    (project / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for name in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.external"):
        git(project, "config", name, f"touch {mark}; cat")
    cli("keep")
    assert cli("why", "cmd/root.go:3").code == 0
    assert cli("why", "cmd/root.go").code == 0
    assert not mark.exists()


def test_where_sessions_are_kept_nobody_is_told_to_keep_them(project, cli, session):
    assert "No session is kept" in cli("why", "calmkb.toml").out
    session(NAME, *SILENT)
    cli("keep")
    assert "No kept session is known to have made it.\n" in cli("why", "calmkb.toml").out
