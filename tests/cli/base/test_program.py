"""The program as a whole: help, faults, init."""

import io
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest

from calmkb.cli.base.common import run
from calmkb.cli.root import COMMANDS, calmkb
from tests.conftest import git


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_the_table_has_help(name, cli):
    said = cli(name, "--help")
    assert (said.code, "Usage: calmkb " in said.out) == (0, True)


def test_a_mistyped_command_names_the_one_that_was_meant(cli):
    said = cli("reflct")
    assert (said.code, "No such command 'reflct'. Did you mean 'reflect'" in said.err) == (1, True)
    assert "Did you mean" not in cli("xyzzy").err
    assert "No such option" in cli("--limt").err


def test_help_loads_no_heavy_library():
    code = (
        "import sys; from calmkb.cli.base.common import run; from calmkb.cli.root import calmkb\n"
        "run(calmkb, ['--help'])\n"
        "heavy = {'sklearn', 'numpy', 'mkdocs', 'git', 'jinja2', 'yaml', 'frontmatter'}\n"
        "sys.exit(f'loaded {heavy & set(sys.modules)}' if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_of_ours_exits_3_with_a_log_that_names_no_home(home, capsys):
    @click.command()
    def broken() -> None:
        raise ZeroDivisionError(str(Path.home()))

    assert run(broken, []) == 3
    log = home / ".calm/error.log"
    assert f"Please report it with {log}" in capsys.readouterr().err
    assert "ZeroDivisionError" in log.read_text()
    assert str(home) not in log.read_text()


def test_an_interrupt_exits_130():
    @click.command()
    def waits() -> None:
        raise KeyboardInterrupt

    assert run(waits, []) == 130


def test_an_end_of_data_within_a_command_is_a_fault_of_ours_and_at_a_prompt_not(
    capsys, monkeypatch
):
    @click.command()
    def cut() -> None:
        raise EOFError("marshal data too short")

    @click.command()
    def asks() -> None:
        click.prompt("Your name")  # noqa: TID251

    assert run(cut, []) == 3
    assert "Interrupted" not in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(asks, []) == 130


def test_init_makes_a_repository_of_its_own_that_builds_and_checks(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = cli("init", "kb")
    assert said.code == 0, said.err
    assert git(tmp_path / "kb", "status", "--porcelain") == ""
    listed = set(git(tmp_path / "kb", "ls-files").split())
    assert listed == {
        ".gitignore", "calmkb.toml", "docs/about.md", "journal/README.md", "mkdocs.yml",
    }  # fmt: skip
    assert cli("--kb", "kb", "check").code == 0


def test_init_publishes_only_where_it_is_asked_to(repo, cli, monkeypatch):
    monkeypatch.chdir(repo)
    cli("init", ".")
    assert not (repo / ".github").exists()
    said = cli("init", "--checks", ".")
    assert "step `Install calmkb` of the workflows fails until" in said.out
    workflows = repo / ".github/workflows"
    assert [path.name for path in workflows.iterdir()] == ["journal.yml"]
    assert "pages" not in (workflows / "journal.yml").read_text()
    assert "made  .github/workflows/calmkb-site.yml" in cli("init", "--pages", ".").out


def test_init_never_writes_over_what_stands(repo, cli, monkeypatch):
    monkeypatch.chdir(repo)
    (repo / "mkdocs.yml").write_text("site_name: Mine\n")
    said = cli("init", ".")
    assert "kept  mkdocs.yml" in said.out
    assert "made  calmkb.toml" in said.out
    assert (repo / "mkdocs.yml").read_text() == "site_name: Mine\n"
    assert git(repo, "log", "--format=%s") == "first\n"
    again = cli("init", ".")
    assert "made  " not in again.out


def test_a_knowledge_base_in_a_folder_of_a_repository_commits_there(repo, cli, monkeypatch):
    monkeypatch.chdir(repo)
    assert cli("init", "--pages", "team/kb").code == 0
    monkeypatch.chdir(repo / "team/kb")
    assert cli("wrapup", "--summary", "Hello.").code == 0
    assert git(repo, "show", "--format=", "--name-only", "HEAD").startswith(
        "team/kb/journal/sessions/"
    )
    assert "working-directory" not in git(repo, "status", "--porcelain")
    workflow = (repo / ".github/workflows/calmkb-site.yml").read_text()
    assert 'calmkb --kb "./team/kb/" site build' in workflow
    assert "${{ steps.deployment.outputs.page_url }}" in workflow


def test_a_wrong_setting_is_told_with_its_place(project, cli):
    (project / "calmkb.toml").write_text("jurnal = 'x'\n")
    said = cli("session", "list")
    assert said.code == 1
    assert "calmkb.toml: jurnal is unknown; choose from: project, journal" in said.err


def test_output_into_a_closed_pipe_is_no_fault(project):
    command = ["sh", "-c", '"$0" -m calmkb --help | true', sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_the_root_command_is_named(cli):
    assert cli("--version").out.startswith("calmkb, version ")
    assert calmkb.name == "calmkb"


@pytest.mark.parametrize("link", [".github", "docs", "calmkb.toml"])
def test_init_writes_nothing_through_a_link_of_the_repository(project, cli, link):
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "calmkb.toml").unlink()
    (project / link).symlink_to(outside / "made" if link == "calmkb.toml" else outside)
    said = cli("init", "--checks", ".")
    assert (said.code, link in said.err) == (1, True), said
    assert list(outside.iterdir()) == []


REFUSED = [
    (OSError(28, "No space left on device", "/a/b"), "/a/b: no space left on device; make room"),
    (OSError(40, "Too many levels of symbolic links", "/a"), "it is a link that leads to itself"),
    (OSError(36, "File name too long", "aaaa"), "aaaa: file name too long"),
    (PermissionError(13, "Permission denied", "/a"), "/a: permission denied; give yourself access"),
    (RuntimeError("Symlink loop from '/a'"), "Symlink loop from '/a'"),
    (sqlite3.OperationalError("database or disk is full"), "database or disk is full"),
    (sqlite3.DatabaseError("file is not a database"), "file is not a database"),
    (UnicodeEncodeError("utf-8", "a\udcff", 1, 2, "surrogates not allowed"), "'a\\udcff' is not"),
    (UnicodeDecodeError("utf-8", b"a\xff", 1, 2, "invalid start byte"), "b'a\\xff' is not"),
]


@pytest.mark.parametrize(("error", "words"), REFUSED)
def test_what_the_surroundings_refuse_is_the_users_fault_in_words(error, words, home, capsys):
    @click.command()
    def refused() -> None:
        raise error

    assert run(refused, []) == 1
    assert words in capsys.readouterr().err
    assert not (home / ".calm/error.log").exists()


ODD = [
    ("calmkb memory list > /dev/full", "no space left on device"),
    ("calmkb stats >&-", "bad file descriptor"),
    ("calmkb --kb $(printf 'a%.0s' $(seq 5000)) check", "file name too long"),
    ("ln -s calmkb.toml calmkb.toml; calmkb stats", "calmkb.toml cannot be read"),
    ("ln -s /nowhere calmkb.toml; calmkb check", "calmkb.toml cannot be read"),
]


@pytest.mark.skipif(os.name == "nt", reason="the lines of a POSIX shell")
@pytest.mark.parametrize(("line", "words"), ODD)
def test_an_odd_output_or_name_is_a_sentence_and_no_bug(line, words, repo, home):
    calmkb = f'calmkb() {{ "{sys.executable}" -m calmkb "$@"; }}'
    done = subprocess.run(["sh", "-c", f"{calmkb}; {line}"], cwd=repo,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, "bug" in done.stderr) == (1, False), done.stderr
    assert words in done.stderr.lower()


@pytest.mark.parametrize("amount", ["nan", "inf", "-inf", "NaN", "1e999"])
@pytest.mark.parametrize(
    "command",
    ["run echo --max-cost", "import --budget", "hooks write claude --budget", "backtest --price"],
)
def test_what_is_no_amount_is_refused(command, amount, repo, cli, monkeypatch):
    monkeypatch.chdir(repo)
    said = cli(*command.split(), amount)
    assert (said.code, "is not" in said.err) == (1, True), said.err


def test_a_folder_of_path_that_may_not_be_entered_hides_no_program(tmp_path, monkeypatch):
    from calmkb.system.programs import find_program

    ((tmp_path / "loop").symlink_to("loop"))
    path = os.pathsep.join(
        [str(tmp_path / "loop"), str(tmp_path / ("a" * 300)), os.environ["PATH"]]
    )
    assert find_program("git", path)
