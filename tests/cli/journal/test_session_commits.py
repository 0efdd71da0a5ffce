"""Commits of the code name their session, and sessions name their commits."""

import json
from pathlib import Path

import pytest

from tests.capture.support import agent, shell, text, user, write
from tests.conftest import git


def committed(folder: Path, subject: str) -> str:
    """Commit a change to a file of that name; return git's own line on it."""
    (folder / f"{subject.split()[0]}.txt").write_text(subject)
    git(folder, "add", ".")
    return git(folder, "commit", "-m", subject)


def wrapped(cli, folder: Path, session: str, *outputs: str) -> str:
    """Wrap up a session whose shell showed these outputs of `git commit`; return the entry's id."""
    runs = [line for n, out in enumerate(outputs) for line in shell(n, "git commit -m x", out)]
    path = write(
        folder,
        user("Round the totals up", sessionId=session),
        *runs,
        agent(text("I rounded them all up, and every receipt agrees.")),
        name=f"{session}.jsonl",
    )
    said = cli("wrapup", "--from-transcript", str(path), "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["id"]


def found(cli, commit: str) -> str:
    said = cli("session", "of", commit, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["id"]


def test_a_session_shows_its_commits_and_a_commit_finds_its_session(project, cli, tmp_path):
    identity = wrapped(cli, tmp_path, "s1", committed(project, "Round up"))
    made = git(project, "rev-parse", "HEAD~1").strip()
    assert f"Commits:\n- {made[:7]} Round up" in cli("session", "show", identity).out
    assert found(cli, "HEAD~1") == found(cli, made) == found(cli, made[:8]) == identity


def test_the_entrys_own_commit_names_the_sessions_commits(project, cli, tmp_path):
    wrapped(cli, tmp_path, "s1", committed(project, "One"), committed(project, "Two"))
    ids = git(project, "log", "-1", "--format=%(trailers:key=Session-Commit,valueonly)").split()
    assert ids == [git(project, "rev-parse", "--short", f"HEAD~{n}").strip() for n in (2, 1)]


def test_two_sessions_in_one_folder_have_each_their_own(project, cli, tmp_path):
    first, second = committed(project, "One of a"), committed(project, "Two of b")
    a, b = wrapped(cli, tmp_path, "a", first), wrapped(cli, tmp_path, "b", second)
    subjects = git(project, "log", "--format=%H %s").split("\n")
    ids = {line[41:]: line[:40] for line in subjects}
    assert (found(cli, ids["One of a"]), found(cli, ids["Two of b"])) == (a, b)


def test_a_rebased_commit_still_finds_its_session(project, cli, tmp_path):
    git(project, "checkout", "-qb", "topic")
    identity = wrapped(cli, tmp_path, "s1", committed(project, "Round up"))
    git(project, "checkout", "-q", "main")
    committed(project, "Meanwhile")
    git(project, "checkout", "-q", "topic")
    before = git(project, "log", "-1", "--format=%H", "--grep=Round up")
    git(project, "rebase", "-q", "main")
    after = git(project, "log", "-1", "--format=%H", "--grep=^Round up").strip()
    assert after != before.strip()
    assert found(cli, after) == identity


def test_a_worktree_finds_the_session_too(project, cli, tmp_path, monkeypatch):
    identity = wrapped(cli, tmp_path, "s1", committed(project, "Round up"))
    git(project, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    monkeypatch.chdir(tmp_path / "side")
    assert found(cli, "HEAD~1") == identity


def test_a_knowledge_base_beside_the_code_finds_it(home, cli, tmp_path, monkeypatch):
    code = tmp_path / "code"
    git(tmp_path, "init", "-q", "-b", "main", str(code))
    monkeypatch.chdir(code)
    output = committed(code, "Round up")
    identity = wrapped(cli, tmp_path, "s1", output, committed(code, "Later"))
    assert found(cli, "HEAD~1") == identity
    assert "Round up" in cli("session", "show", identity).out


def test_a_journal_on_its_own_branch_finds_it(home, cli, tmp_path, monkeypatch):
    code = tmp_path / "code"
    git(tmp_path, "init", "-q", "-b", "main", str(code))
    committed(code, "First")
    monkeypatch.chdir(code)
    assert cli("init", "--place", "branch", "--yes").code == 0
    identity = wrapped(cli, tmp_path, "s1", committed(code, "Round up"))
    assert found(cli, "HEAD") == identity


def test_a_trailer_that_the_commit_carries_finds_its_session(project, cli, tmp_path):
    identity = wrapped(cli, tmp_path, "s1")
    committed(project, "Quietly\n\nCalm-Session: s1")
    assert found(cli, "HEAD") == identity


@pytest.mark.parametrize("name", ["HEAD~1", "ffffffffff", "--output=x", "no such"])
def test_a_commit_of_no_session_is_told(project, cli, name):
    cli("wrapup", "--summary", "Made no commit.")
    said = cli("show", "--", name)
    assert said.code == 1
    assert f"record {name!r} not found" in said.err


def test_a_repository_elsewhere_shows_ids_alone(project, cli, tmp_path):
    identity = wrapped(cli, tmp_path, "s1", "[main 0123abc] Gone\n")
    assert "Commits:\n- 0123abc\n" in cli("session", "show", identity).out


def test_a_secret_in_a_commits_subject_is_taken_out(project, cli, tmp_path):
    secret = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
    identity = wrapped(cli, tmp_path, "s1", f"[main 0123abc] Use {secret} for the till\n")
    shown = cli("session", "show", identity).out
    assert "Use" in shown
    assert secret[:20] not in shown
