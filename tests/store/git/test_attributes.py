"""Attributes on the journal, signed commits and odd clocks: commits are as git would make them."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from filelock import FileLock

from calmkb.errors import StoreError
from calmkb.store.commits.commit import Change, commit, recover
from calmkb.wings.sharing.git.sync import sync
from tests.conftest import git
from tests.store.commits.test_crashes import killed_before_check_out
from tests.store.git.test_kinds import clone, elsewhere, team
from tests.store.writing import opened, write

PATH = "journal/sessions/a.md"
LETTERS = "tr a-zA-Z n-za-mN-ZA-M"


def attributes(repo: Path, line: str) -> None:
    (repo / ".gitattributes").write_text(f"{line}\n")
    git(repo, "add", ".gitattributes")
    git(repo, "commit", "-qm", "attributes")


def own_filter(clean: str = LETTERS, smudge: str = LETTERS, required: str = "true") -> None:
    for key, value in (("clean", clean), ("smudge", smudge), ("required", required)):
        git(Path.cwd(), "config", "--global", f"filter.letters.{key}", value)


def stored(repo: Path, path: str = PATH) -> str:
    return git(repo, "cat-file", "blob", f"HEAD:{path}")


def test_a_filter_of_the_persons_settings_is_gone_through_as_git_would(repo):
    own_filter()
    attributes(repo, "journal/** filter=letters")
    assert write(repo, PATH, b"hello\n").warning == ""
    assert (stored(repo), git(repo, "status", "--porcelain")) == ("uryyb\n", "")
    assert (repo / PATH).read_bytes() == b"hello\n"
    assert write(repo, PATH, b"edited\n").warning == ""
    assert (stored(repo), git(repo, "status", "--porcelain")) == ("rqvgrq\n", "")
    write(repo, PATH, None)
    assert git(repo, "status", "--porcelain") == ""


def test_a_killed_writers_file_comes_back_through_the_filter(repo):
    own_filter()
    attributes(repo, "journal/** filter=letters")
    killed_before_check_out(repo)
    recover(opened(repo))
    assert (stored(repo, "journal/a.md"), git(repo, "status", "--porcelain")) == ("n\n", "")
    assert (repo / "journal/a.md").read_bytes() == b"a\n"


def test_an_edit_by_hand_is_seen_through_the_filter(repo):
    own_filter()
    attributes(repo, "journal/** filter=letters")
    write(repo, PATH, b"hello\n")
    (repo / PATH).write_bytes(b"mine\n")
    with pytest.raises(StoreError, match="has uncommitted changes"):
        write(repo, PATH, b"edited\n")
    assert (repo / PATH).read_bytes() == b"mine\n"


def test_a_required_filter_that_fails_refuses_the_write_with_the_reason(repo):
    own_filter(clean="false")
    attributes(repo, "journal/** filter=letters")
    with pytest.raises(StoreError, match=r"a.md did not get through the filter .*nothing was"):
        write(repo, PATH)
    assert git(repo, "status", "--porcelain") == ""
    assert not (repo / PATH).exists()


def test_a_filter_of_the_repositorys_own_settings_is_not_run_and_the_write_is_refused(
    repo, tmp_path
):
    git(repo, "config", "filter.letters.clean", f"touch {tmp_path}/ran; cat")
    attributes(repo, "journal/** filter=letters")
    with pytest.raises(StoreError, match=r"attribute filter=letters, .*git config --global"):
        write(repo, PATH)
    assert not (tmp_path / "ran").exists()


def test_a_filter_that_no_settings_name_changes_nothing(repo):
    attributes(repo, "journal/** filter=letters")
    write(repo, PATH, b"hello\n")
    assert (stored(repo), git(repo, "status", "--porcelain")) == ("hello\n", "")


@pytest.mark.parametrize("line", ["* text=auto", "* text eol=crlf", "*.md ident", "* crlf"])
def test_line_ends_and_idents_are_stored_as_git_stores_them(repo, line):
    attributes(repo, line)
    write(repo, PATH, b"$Id: x$\r\none\r\ntwo\n")
    assert git(repo, "status", "--porcelain") == ""
    assert write(repo, PATH, b"edited\r\n").warning == ""
    assert git(repo, "status", "--porcelain") == ""


def test_another_encoding_is_refused_by_name(repo):
    attributes(repo, "journal/** working-tree-encoding=UTF-16")
    with pytest.raises(StoreError, match=r"working-tree-encoding=UTF-16, and records are UTF-8"):
        write(repo, PATH)


@pytest.fixture
def key(home: Path) -> Path:
    """Return a real ssh key that git signs with and trusts, by the person's own settings."""
    path = home / "key"
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    try:
        subprocess.run(made, check=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("ssh-keygen is not on this machine")
    signers = home / "signers"
    signers.write_text(f"ada@example.org {path.with_suffix('.pub').read_text()}")
    for name, value in (("commit.gpgsign", "true"), ("gpg.format", "ssh"),
                        ("user.signingkey", str(path)),
                        ("gpg.ssh.allowedSignersFile", str(signers))):  # fmt: skip
        git(home, "config", "--global", name, value)
    return path


def test_commits_are_signed_where_git_signs_them(repo, key):
    first, second = write(repo, PATH), write(repo, "journal/sessions/b.md")
    for done in (first, second):
        git(repo, "verify-commit", done.id)
    assert git(repo, "log", "-1", "--format=%an|%ae|%s|%at") == (
        "Ada Reviewer|ada@example.org|wrapup(x): hello|1792419753\n"
    )
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "for-each-ref", "--format=%(refname)") == "refs/heads/main\n"
    git(repo, "fsck", "--strict", "--no-dangling")


def test_the_first_commit_of_all_is_signed_too(tmp_path, key):
    git(tmp_path, "init", "-q", "new")
    git(tmp_path / "new", "verify-commit", write(tmp_path / "new", PATH).id)


def test_commits_that_a_sync_rebases_are_signed_again(tmp_path, key):
    team(tmp_path)
    here = clone(tmp_path)
    write(here, PATH)
    elsewhere(tmp_path)
    repository = opened(here)
    assert sync(repository, "journal", FileLock(here / ".git/test.lock")).pulled == 1
    git(here, "verify-commit", "HEAD")


def test_a_key_that_cannot_sign_refuses_the_write_and_says_what_to_do(repo, key):
    key.unlink()
    key.with_suffix(".pub").unlink()
    with pytest.raises(StoreError, match=r"cannot sign commits .*git config commit.gpgsign false"):
        write(repo, PATH)
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "for-each-ref", "--format=%(refname)") == "refs/heads/main\n"


def test_a_signing_program_of_the_repositorys_own_settings_is_not_run(repo, key, tmp_path):
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\ntouch "{tmp_path}/ran"\nexit 1\n')
    program.chmod(0o755)
    for name in ("gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"):
        git(repo, "config", name, str(program))
    done = write(repo, PATH)
    assert not (tmp_path / "ran").exists()
    git(repo, "config", "--unset", "gpg.ssh.program")
    git(repo, "verify-commit", done.id)


@pytest.mark.parametrize("year", [1905, 1969, 2040, 2100, 2500])
def test_a_clock_that_is_far_off_makes_commits_that_every_host_takes(repo, tmp_path, year):
    git(tmp_path, "init", "-q", "--bare", "team.git")
    git(tmp_path / "team.git", "config", "receive.fsckObjects", "true")
    at = datetime(year, 2, 3, 4, 5, 6, tzinfo=UTC)
    commit(opened(repo), Change({PATH: b"words\n"}, "wrapup(x): words", at))
    assert git(repo, "fsck", "--strict") == ""
    git(repo, "push", "-q", str(tmp_path / "team.git"), "main")
    assert git(repo, "log", "-1", "--format=%at").strip() == str(max(0, int(at.timestamp())))
