"""A knowledge base that was named and is not there: an error, never an empty journal."""

import shlex

import pytest

READING = [
    ("stats",),
    ("session", "list"),
    ("session", "list", "--json"),
    ("search", "npm"),
    ("memory", "list"),
    ("memory", "report", "--stale"),
    ("improvements", "list"),
    ("reflect",),
    ("export",),
    ("check",),
]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_mistyped_folder_is_an_error_with_the_fix(command, cli, tmp_path, monkeypatch):
    typo = tmp_path / "typo"
    wanted = f"there is no knowledge base at {typo}; run: calmkb init {shlex.quote(str(typo))}"
    said = cli("--kb", str(typo), *command)
    assert (said.code, said.out) == (1, "")
    assert wanted in " ".join(said.err.split())
    monkeypatch.setenv("CALMKB_KB", str(typo))
    said = cli(*command)
    assert (said.code, said.out) == (1, "")
    assert wanted in " ".join(said.err.split())
    assert not typo.exists()


def test_the_fix_that_is_named_works(cli, tmp_path):
    typo = str(tmp_path / "a typo")
    advice = cli("--kb", typo, "stats").err.rsplit("run: calmkb ", 1)[1]
    assert cli(*shlex.split(advice)).code == 0
    assert cli("--kb", typo, "stats").code == 0


def test_the_one_that_the_first_write_makes_may_be_named(cli, home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CALMKB_KB", str(home / ".calm/kb"))
    assert cli("session", "list").code == 0
    assert cli("wrapup", "--summary", "The first.").code == 0
