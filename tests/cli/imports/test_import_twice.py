"""A dry run of an import is kept for the import itself, and hides as much as a record."""

import json
import os
import sqlite3
import stat
from contextlib import closing

import pytest

from tests.cli.imports.test_import_scope import History

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

TOKEN = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"


@pytest.fixture
def history(home):
    return History(home)


@pytest.fixture
def kept(home):
    return home / ".calm/drafts.sqlite"


def unreadable(path):
    """Change a file's content and nothing that shows without reading it."""
    before = path.stat()
    with path.open("r+b") as stream:
        stream.write(b"x" * before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_what_a_dry_run_read_is_not_read_again(home, cli, history, tmp_path, kept, monkeypatch):
    monkeypatch.chdir(home)
    path = history.add("s-1", str(tmp_path), words=f"Deploy with {TOKEN} please")
    assert cli("import", "claude", "--dry-run").out.startswith("1 would be added")
    assert not (home / ".calm/kb").exists()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert TOKEN.encode() not in kept.read_bytes()
    unreadable(path)
    assert cli("import", "claude").out.startswith("1 added")
    listed = json.loads(cli("session", "list", "--json").out)["entries"]
    assert "Deploy with" in listed[0]["summary"]
    assert TOKEN not in listed[0]["summary"]


def test_a_changed_file_and_changed_rules_are_read_again(project, cli, history, monkeypatch):
    path = history.add("s-1", str(project), words="Move the tests")
    cli("import", "claude", "--dry-run")
    path.write_text(path.read_text().replace("Move the tests", "Fix the build now"))
    cli("import", "claude")
    assert "Fix the build" in cli("session", "list").out
    path = history.add("s-2", str(project), words="Ask bo@example.org for the key")
    cli("import", "claude", "--dry-run")
    unreadable(path)
    monkeypatch.setenv("LOGNAME", "bo")  # another name that the filter takes out
    assert "1 left out" in cli("import", "claude").out


def test_sessions_that_were_left_are_read_when_they_are_wanted(project, cli, history):
    history.add("s-1", str(project), entrypoint="sdk-cli")
    history.add("s-2", "/home/elsewhere/gone")
    assert cli("import", "claude", "--dry-run").out.startswith("0 would be added")
    assert cli("import", "claude", "--automated", "--all-projects").out.startswith("2 added")


def test_a_broken_or_locked_cache_costs_only_time(project, cli, history, kept):
    history.add("s-1", str(project))
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    kept.write_bytes(b"no database" * 400)
    assert cli("import", "claude", "--dry-run").out.startswith("1 would be added")
    with closing(sqlite3.connect(kept)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS x (y)")
    kept.unlink()
    kept.symlink_to(project / "calmkb.toml")
    assert cli("import", "claude").out.startswith("1 added")
    assert (project / "calmkb.toml").read_text() == ""
