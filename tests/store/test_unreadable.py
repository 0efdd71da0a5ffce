"""What cannot be read is one named problem, and hides nothing beside it."""

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git

READING = (
    ["session", "list"], ["search", "pnpm"], ["reflect", "--json"], ["check"],
)  # fmt: skip
NO_LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")


@pytest.fixture
def journal(project, cli):  # noqa: F811
    """Return a journal's folder with two sessions, on two days, and a memory that is exported."""
    assert cli("wrapup", "--summary", "Used pnpm for the first time.").code == 0
    folder = project / "journal"
    (first,) = (folder / "sessions").rglob("*.md")
    old = folder / "sessions/2025/01/01"
    old.mkdir(parents=True)
    text = first.read_text().replace("first", "second")
    (old / first.name).write_text(text.replace("id: ", "id: 1", 1).replace("id: 1", "id: ", 1))
    return folder


def shown(cli, *args):  # noqa: F811
    said = cli(*args)
    assert said.code in (0, 1), said.err
    return said.out + said.err


@NO_LINKS
def test_a_link_to_itself_hides_no_record_of_its_folder(journal, cli, project):  # noqa: F811
    (first,) = (journal / "sessions/2026").rglob("*.md")
    (first.parent / "self").symlink_to("self")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "a pull request with a link")
    for args in READING:
        assert "self" in shown(cli, *args), args
    assert "Used pnpm for the first time" in shown(cli, "session", "list")
    assert "first" in shown(cli, "search", "pnpm")
    assert cli("check").code == 1


@NO_LINKS
def test_records_behind_a_linked_folder_are_named(journal, cli, tmp_path):  # noqa: F811
    (journal / "sessions/2026").rename(tmp_path / "elsewhere")
    (journal / "sessions/2026").symlink_to(tmp_path / "elsewhere")
    for args in READING:
        assert "sessions/2026" in shown(cli, *args), args


def test_a_name_that_is_not_utf8_is_one_problem(journal, cli):  # noqa: F811
    try:
        (journal / os.fsdecode(b"sessions/bad\xff.md")).write_text("note\n")
    except (OSError, UnicodeError):
        pytest.skip("this disk takes only names in UTF-8")
    for args in READING:
        said = shown(cli, *args)
        assert "not UTF-8" in said, args
    assert "Used pnpm for the first time" in shown(cli, "session", "list")


def drop_root() -> list[str]:
    """Return the words that take root's right to read everything away."""
    caps = "-dac_override,-dac_read_search"
    return ["setpriv", "--bounding-set", caps, "--inh-caps", caps] if os.geteuid() == 0 else []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are POSIX")
def test_a_folder_that_cannot_be_read_is_named(journal, project):  # noqa: F811
    locked = journal / "sessions/2025"
    locked.chmod(0)
    try:
        for args in READING:
            done = subprocess.run(
                [*drop_root(), sys.executable, "-m", "calmkb", *args],
                cwd=project, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert "sessions/2025" in done.stdout + done.stderr, (args, done)
            assert "cannot be read" in done.stdout + done.stderr, args
            assert args != ["check"] or done.returncode == 1
    finally:
        locked.chmod(0o755)


@pytest.fixture
def exported(project, cli):  # noqa: F811
    """Return the digest of one memory."""
    said = cli("memory", "add", "Use pnpm for every script.", "--category", "fact")
    assert (said.code, cli("export").code) == (0, 0), said.err
    assert "pnpm" in (project / "CLAUDE.md").read_text()
    git(project, "add", "-A")
    git(project, "commit", "-qm", "digest")
    return project / "CLAUDE.md"


def test_a_digest_does_not_shrink_because_a_record_cannot_be_read(exported, project, cli):  # noqa: F811
    (file,) = (project / "journal/memories").rglob("*.md")
    file.write_text("---\nid: [\n---\n")
    said = cli("export")
    assert (said.code, "cannot be read" in said.err) == (1, True)
    assert "pnpm" in exported.read_text()
    assert cli("export", "--force").code == 0
    assert "pnpm" not in exported.read_text()


def test_a_digest_does_not_shrink_in_a_sparse_checkout(exported, project, cli):  # noqa: F811
    (project / "x").mkdir()
    (project / "x/1").write_text("1\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    git(project, "sparse-checkout", "set", "--cone", "x")
    said = cli("export")
    assert (said.code, "not in the work tree" in said.err) == (1, True)
    assert "pnpm" in exported.read_text()


def test_a_memory_that_was_retired_leaves_the_digest(exported, project, cli):  # noqa: F811
    (file,) = (project / "journal/memories").rglob("*.md")
    identity = file.read_text().split("id: ")[1].split("\n")[0]
    assert cli("memory", "retire", identity, "--reason", "no").code == 0
    assert cli("export").code == 0
    assert not exported.exists() or "pnpm" not in exported.read_text()
