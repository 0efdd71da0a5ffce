"""What cannot be read is one named problem, and hides nothing beside it."""

import os
import re
import subprocess
import sys
import uuid

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
    (old / first.name).write_text(re.sub(r"(?m)^id: .*", f"id: {uuid.uuid4()}", text, count=1))
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


FOREIGN = {
    "note.md": "is not in a folder of records",
    "notes/x.md": "is not in a folder of records",
    "holograms/x.md": "is not in a folder of records",
    "sessions/UPPER.MD": "ends in .md",
    "sessions/2025/other.markdown": "ends in .md",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_markdown_that_is_no_record_is_named_once_by_whatever_reads(journal, cli, name):  # noqa: F811
    (journal / name).parent.mkdir(parents=True, exist_ok=True)
    (journal / name).write_text("A note.\n")
    for args in (*READING, ["stats"], ["memory", "list"], ["export"]):
        said = shown(cli, *args)
        assert said.count(FOREIGN[name]) == 1, args
        assert name in said
    (journal / name).write_text("The note, longer.\n")
    assert name in shown(cli, "session", "list")
    (journal / name).unlink()
    assert name not in shown(cli, "session", "list")


def test_pictures_and_a_readme_may_be_kept_in_the_journal(journal, cli):  # noqa: F811
    (journal / "README.md").write_text("What this folder is.\n")
    (journal / "sessions/2025/screen.png").write_bytes(b"\x89PNG")
    assert "0 problems" in shown(cli, "check")
    assert "Warning" not in shown(cli, "session", "list")


def test_a_record_that_was_deleted_by_hand_is_named_until_git_knows(journal, cli, project):  # noqa: F811
    git(project, "add", "-A")
    git(project, "commit", "-qm", "all")
    assert "in git but not" not in shown(cli, "session", "list")
    (first,) = (journal / "sessions/2026").rglob("*.md")
    first.unlink()
    for args in (*READING, ["stats"], ["memory", "list"], ["export"]):
        said = shown(cli, *args)
        assert said.count("is in git but not in the work tree") == 1, args
        assert first.name in said
    assert cli("check").code == 1
    git(project, "rm", "-q", "--cached", str(first))
    assert "in git but not" not in shown(cli, "session", "list")
    assert cli("check").code == 0


def test_a_record_of_calmkbs_own_that_was_deleted_by_hand_is_named(journal, cli, project):  # noqa: F811
    assert "in git but not" not in shown(cli, "session", "list")
    before = set(journal.rglob("*.md"))
    assert cli("wrapup", "--summary", "Soon gone.").code == 0
    (gone,) = set(journal.rglob("*.md")) - before
    gone.unlink()
    assert gone.name in shown(cli, "session", "list")


@pytest.mark.parametrize("kept", ["x", "journal/memories"])
def test_records_outside_a_sparse_checkout_are_named(exported, project, cli, kept):  # noqa: F811
    assert cli("wrapup", "--summary", "A session.").code == 0
    (project / "x").mkdir()
    (project / "x/1").write_text("1\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    git(project, "sparse-checkout", "set", "--cone", kept)
    for args in (*READING, ["stats"], ["memory", "list"]):
        assert "is in git but not in the work tree" in shown(cli, *args), args
    assert cli("check").code == 1
    git(project, "sparse-checkout", "disable")
    assert "is in git but not" not in shown(cli, "session", "list")


def test_two_versions_of_one_memory_are_not_given_a_new_id(exported, project, cli):  # noqa: F811
    (file,) = (project / "journal/memories").rglob("*.md")
    file.with_name(f"other-{file.name}").write_text(file.read_text().replace("pnpm", "npm"))
    said = shown(cli, "check")
    assert "another version of the memory" in said
    assert "new UUID" not in said
