"""One agent's store that cannot be read, or one odd session, stops nothing else and is named."""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.jobs import failure_words
from calmkb.kb.hooks.events import handle
from calmkb.store.local.choices import KeepingChoice, save_keeping
from calmkb.wings.archive.verbs.background import begin_keeping
from tests.capture.support import user
from tests.conftest import git
from tests.warm import without_terminal
from tests.wings.archive.conftest import SILENT, Said
from tests.wings.archive.test_keep import NAME, kept, words

pytestmark = pytest.mark.usefixtures("forked_background")
CREATED = 1_764_000_000_000
ODD = ["", "a\0b", "../../x", "/etc/hostname", "..", "x" * 500, "a b", None, 5, b"\xff\xfe", 1.5]


@pytest.fixture
def opencode(home, project):
    """Return a function that adds sessions with these ids to OpenCode's database."""
    database = home / ".local/share/opencode/opencode.db"
    database.parent.mkdir(parents=True)

    def add(*ids, folder: Path = project, said: str = "Please fix the loader") -> Path:
        with contextlib.closing(sqlite3.connect(database)) as db:
            db.executescript(
                "CREATE TABLE IF NOT EXISTS session(id, directory, parent_id);"
                "CREATE TABLE IF NOT EXISTS message(id, session_id, data);"
                "CREATE TABLE IF NOT EXISTS part(id, message_id, session_id, data);"
            )
            for one in ids:
                message = json.dumps({"role": "user", "time": {"created": CREATED}})
                part = json.dumps({"type": "text", "text": said})
                db.execute("INSERT INTO session VALUES (?, ?, NULL)", (one, str(folder)))
                db.execute("INSERT INTO message VALUES (?, ?, ?)", (f"m{one}", one, message))
                db.execute(
                    "INSERT INTO part VALUES (?, ?, ?, ?)", (f"p{one}", f"m{one}", one, part)
                )
            db.commit()
        return database

    return add


def started(home: Path) -> Said:
    """Run `calmkb start` as a program does: a person would be asked."""
    done = without_terminal("start")
    return Said(done.returncode, done.stdout, done.stderr)


def names(home: Path) -> set[str]:
    return {path.stem for path in kept(home)}


def test_sessions_of_a_database_are_kept_beside_those_in_files(home, session, cli, opencode):
    session(NAME, *SILENT)
    database = opencode("ses_1", "ses_2")
    said = cli("keep")
    assert (said.code, said.err, names(home)) == (0, "", {NAME, "ses_1", "ses_2"})
    assert "3 transcripts of clients" in cli("keep", "--status").out
    assert "0 sessions kept, 0 grown" in cli("keep").out
    with contextlib.closing(sqlite3.connect(database)) as db:
        part = json.dumps({"type": "text", "text": "And the saver."})
        db.execute("INSERT INTO part VALUES ('z2', 'mses_2', 'ses_2', ?)", (part,))
        db.commit()
    assert "0 sessions kept, 1 grown, 1 new turn\n" in cli("keep").out
    assert words(kept(home)[2]) == ["Please fix the loader", "And the saver."]
    assert cli("search", "saver").out.count("And the saver.") == 1


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_row_with_an_odd_id_is_named_and_the_others_come_in(home, session, cli, opencode, odd):
    session(NAME, *SILENT)
    opencode("ses_1", odd)
    said = cli("keep")
    assert (said.code, names(home)) == (0, {NAME, "ses_1"})
    assert "which is none of OpenCode's; it was passed over" in said.err
    assert cli("keep", "--status").code == 0
    save_keeping(home / ".calm", KeepingChoice(on=False))  # or the import keeps them once more
    said = cli("import", "opencode")
    assert said.out.startswith("1 added, 0 known before, 1 left out")
    assert "which is none of OpenCode's; it was passed over" in said.err


def test_a_first_walk_names_rows_with_odd_ids_and_offers_the_others(home, session, opencode):
    session(NAME, *SILENT)
    opencode("ses_1", *ODD[:4])
    said = started(home)
    assert (said.code, "opencode  1 session" in said.out) == (0, True)
    assert said.err.count("which is none of OpenCode's; it was passed over") == 4


@pytest.mark.parametrize("broken", ["no database", "no tables", "folder", "link to nowhere"])
def test_a_client_whose_store_cannot_be_read_is_named_alone(home, session, cli, opencode, broken):
    session(NAME, *SILENT)
    database = opencode("ses_1")
    database.unlink()
    if broken == "no database":
        database.write_bytes(b"something else" * 100)
    elif broken == "no tables":
        sqlite3.connect(database).execute("CREATE TABLE other (id)").connection.close()
    elif broken == "folder":
        shutil.rmtree(database.parent)
        database.parent.symlink_to("opencode")  # a loop
    else:
        shutil.rmtree(database.parent)
        database.parent.symlink_to(home / "nowhere")
    for said in (cli("keep"), cli("keep", "--status"), started(home)):
        assert said.code == 0
        assert "Warning: opencode was passed over: " in said.err
        assert str(database.parent) in said.err
    assert names(home) == {NAME}
    assert cli("import", "opencode").code == 1


def test_a_store_that_may_not_be_read_is_named_alone(home, session, cli):
    session(NAME, *SILENT)
    closed = home / ".codex/sessions"
    closed.mkdir(parents=True)
    closed.chmod(0)
    if os.access(closed, os.R_OK):  # root reads everything but a link that leads to itself
        closed.rmdir()
        closed.symlink_to(closed)
    said = cli("keep")
    closed.is_symlink() or closed.chmod(0o700)
    assert f"codex was passed over: {closed} " in said.err
    assert names(home) == {NAME}


@pytest.mark.skipif(os.name == "nt", reason="names there are text")
def test_a_name_on_disk_that_is_no_text_is_kept_like_any_other(home, session, cli):
    source = session(NAME, *SILENT)
    other = os.fsencode(source.parent) + b"/a\xff.jsonl"
    Path(os.fsdecode(other)).write_bytes(source.read_bytes())
    said = cli("keep")
    assert (said.code, len(kept(home))) == (0, 2)
    assert "0 sessions kept" in cli("keep").out
    assert cli("search", "SilentError").code == 0
    assert cli("import", "claude").code == 0


def test_a_session_that_could_not_be_read_is_tried_again(home, session, cli, opencode):
    database = opencode("ses_1")
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("ALTER TABLE part RENAME TO elsewhere")
        db.commit()
    for _ in range(2):
        assert "cannot be read as OpenCode's database" in cli("keep").err
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("ALTER TABLE elsewhere RENAME TO part")
        db.commit()
    assert cli("keep").err == ""
    assert names(home) == {"ses_1"}


@pytest.mark.parametrize("place", ["/" + "x" * 5_000, "/proc/1/root/x", "refused"])
def test_a_session_in_a_folder_that_cannot_be_looked_at_comes_in(
    home, session, cli, tmp_path, place
):
    session(NAME, *SILENT)
    imported = 2 if place == "refused" else 1  # a folder with a name can be given a project
    if place == "refused":
        repository = tmp_path / "refused"
        git(tmp_path, "init", "-q", str(repository))
        (repository / ".git/calmkb").symlink_to(home)
        place = str(repository)
    session("odd-4e4a", user("Where am I?"), folder=Path(place))
    said = cli("keep")
    assert (said.code, said.err, names(home)) == (0, "", {NAME, "odd-4e4a"})
    for known in (0, imported):
        said = cli("import", "claude", "--all-projects")
        counts = f"{imported - known} added, {known} known before, {2 - imported} left out"
        assert said.out.startswith(counts)
        assert ("odd-4e4a" in said.err) is (imported == 1)


def begun(event: str = "SessionStart") -> str:
    """Return the line that a person reads when a session begins."""
    environment = process_environment()
    payload = {"session_id": "s", "cwd": str(environment.cwd), "source": "startup"}
    return handle(environment, event, io.BytesIO(json.dumps(payload).encode())).message


def failed_in_background(home: Path) -> None:
    begin_keeping(process_environment())
    while "keeping sessions failed" not in failure_words(process_environment()):
        time.sleep(0.01)


def test_the_last_failure_in_the_background_is_told_until_it_works(home, session, cli, opencode):
    session(NAME, *SILENT)
    database = opencode("ses_1")
    good = database.read_bytes()
    database.write_bytes(b"something else" * 100)
    failed_in_background(home)
    told = "keeping sessions failed 20"
    assert (
        told in begun()
        and "opencode was passed over" in begun()
        and "(calmkb agents keep)" in begun()
    )
    assert "\n" not in begun()
    assert told in cli("keep", "--status").err
    said = cli("doctor")
    assert "keeping sessions: failed 20" in said.out and "with: calmkb agents keep" in said.out
    database.write_bytes(good)
    assert cli("keep").code == 0
    assert told not in begun()
    assert told not in cli("keep", "--status").err
    assert "keeping sessions: failed" not in cli("doctor").out


def test_a_process_that_cannot_start_is_told_of(home, session, cli, monkeypatch):
    session(NAME, *SILENT)
    cli("keep")
    monkeypatch.setattr("sys.executable", str(home / "gone"))
    (home / ".calm/ended").mkdir()
    os.utime(home / ".calm/ended", (2**32, 2**32))
    begun()
    assert "keeping sessions failed" in begun() and "could not be started" in begun()
    assert cli("keep", "--off").code == 0
    assert begun() == ""


def test_a_job_that_was_killed_is_told_of_and_one_that_runs_is_not(home, cli, project):
    work = (
        "import sys\nfrom calmkb.kb.base.environment import process_environment\n"
        "from calmkb.kb.base.jobs import watched\n"
        "with watched(process_environment(), 'keep') as watch:\n"
        "    watch.begins()\n    print('at work', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "at work\n"
        assert failure_words(process_environment()) == ""
        child.kill()
    assert "it was stopped before its end" in begun()
    assert cli("keep").code == 0
    assert failure_words(process_environment()) == ""


def test_what_a_failure_says_cannot_steer_the_terminal_and_keeps_no_secret(home, cli, project):
    from calmkb.kb.base.jobs import watched

    secret = "gh" + "p_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z0AbC"
    environment = replace(process_environment(), cwd=project)
    with pytest.raises(OSError), watched(environment, "keep"):
        raise OSError(f"bad \x1b[2J {secret}\nand more")
    for text in (begun(), cli("doctor").out, (home / ".calm/keep-failed.json").read_text()):
        assert secret not in text and "\x1b" not in text and "u001b" not in text
        assert "and more" in text


def test_a_file_without_a_conversation_is_no_failure_of_the_job(home, session, cli):
    (session(NAME, user("Go.")).parent / "empty.jsonl").write_text("")
    assert "is empty" in cli("keep").err
    assert begun() == ""
