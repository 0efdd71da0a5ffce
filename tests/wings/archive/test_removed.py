"""What a person removes stays removed, and what they switch off ends, whatever was begun before."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.store.local.choices import keeping
from calmkb.store.local.sessions import EndedSession, note_ended
from calmkb.wings.archive.verbs.background import begin_keeping, keep_ended
from calmkb.wings.semantic import minilm
from tests.capture.support import agent, text, user
from tests.people import AS_A_PERSON
from tests.warm import python_in
from tests.wings.archive.conftest import SILENT
from tests.wings.archive.test_keep import NAME, kept, until_kept

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no named pipes to wait on")
OTHER = "5e1c0d00-0000-4000-8000-000000000002"
CANARY = "Kanarienvogel"


@pytest.fixture
def late(tmp_path, monkeypatch):
    """Have processes in the background wait at their start; return what lets one run to its end."""
    gate, ended, program = (tmp_path / name for name in ("gate", "ended", "late-python"))
    os.mkfifo(gate)
    os.mkfifo(ended)
    program.write_text(
        f'#!/bin/sh\nread -r _ < "{gate}"\n"{python_in(tmp_path)}" "$@"\necho "$?" > "{ended}"\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))

    def release() -> str:
        gate.write_text("go\n")
        return ended.read_text().strip()

    return release


def archive(home: Path) -> set[str]:
    return {path.name for path in (home / ".calm/archive").iterdir()} - {".lock", ".vectors"}


def test_a_keeper_that_was_still_starting_brings_nothing_back(home, session, cli, late):
    session(NAME, *SILENT)
    assert begin_keeping(process_environment())
    cli("keep")
    assert "Removed 1 session" in cli("keep", "--remove", "--yes").out
    assert late() == "0"
    assert archive(home) == set()


def test_a_keeper_that_was_still_starting_ends_where_it_is_switched_off_and_on(
    home, session, cli, late
):
    session(NAME, *SILENT)
    assert begin_keeping(process_environment())
    cli("keep", "--off")
    cli("keep", "--on")
    assert late() == "0"
    assert kept(home) == []


def test_a_keeper_that_began_after_the_removal_keeps(home, session, cli, late):
    session(NAME, *SILENT)
    cli("keep", "--remove", "--yes")
    assert begin_keeping(process_environment())
    assert late() == "0"
    assert [path.stem for path in kept(home)] == [NAME]


def test_more_sessions_than_a_command_line_takes_are_kept_from_the_first_on(home, session, late):
    transcript = session(NAME, *SILENT)
    assert begin_keeping(process_environment(), [transcript] * 40_000)
    assert late() == "0"
    assert [path.stem for path in kept(home)] == [NAME]


COMMAND_LINE = """
from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
raise SystemExit(run(calmkb))
"""


@pytest.mark.parametrize("switch", [("--remove", "--yes"), ("--off",)])
def test_a_keeper_at_work_ends_before_it_writes_more(home, session, cli, tmp_path, switch):
    first = session(NAME, *SILENT)
    pipe = tmp_path / f"{OTHER}.jsonl"
    lines = session(OTHER, *SILENT).read_bytes()
    os.mkfifo(pipe)
    os.utime(pipe, (1, 1))
    keeper = subprocess.Popen(  # the program itself refuses a pipe, which holds it here
        [sys.executable, "-c", COMMAND_LINE, "keep", str(first), str(pipe)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with pipe.open("wb") as file:  # from here on the first is kept, and it reads the second
        file.write(lines)
    before = keeping(home / ".calm").stamp
    person = subprocess.Popen([sys.executable, "-c", AS_A_PERSON, "keep", *switch])
    while keeping(home / ".calm").stamp == before:
        time.sleep(0.01)
    threading.Thread(target=pipe.write_bytes, args=(lines,), daemon=True).start()
    assert "switched off, or what was kept was removed" in keeper.communicate(timeout=60)[0]
    assert person.wait(60) == 0
    assert [path.stem for path in kept(home)] == ([] if "--remove" in switch else [NAME])


@pytest.mark.skipif(not minilm.available(), reason="the extra is not installed")
def test_no_vectors_of_what_was_removed_come_back(home, session, cli):
    session(NAME, user("Which colour shall the button have?"), agent(text("Blue.")))
    cli("keep", "--vectors")
    begun = keeping(home / ".calm").stamp
    cli("keep", "--remove", "--yes")
    command = [sys.executable, "-m", "calmkb", "keep", "--vectors", f"--begun={begun}"]
    subprocess.run(command, check=True, timeout=60)
    assert archive(home) == set()


def test_the_start_of_a_session_keeps_nothing_that_was_removed(home, session, cli, late):
    sources = [session(NAME, *SILENT), session("7a000000-old", user("Long ago."))]
    environment = process_environment()
    note_ended(environment.state, EndedSession(NAME, "/shop", str(sources[0]), time.time()))
    cli("keep")
    cli("keep", "--remove", "--yes")
    assert not keep_ended(environment)
    later = session(OTHER, *SILENT)
    for name in (OTHER, "again"):  # the second time all that is new is looked for
        note_ended(environment.state, EndedSession(name, "/shop", str(later), time.time()))
        assert keep_ended(environment)
        late()
        assert [path.stem for path in kept(home)] == [OTHER]
    cli("keep")  # a person asks for all
    assert len(kept(home)) == 3


def test_no_word_of_what_was_removed_is_left_in_the_state_folder(home, session, cli, project):
    session(NAME, user(f"Where is the {CANARY}?"), agent(text(f"The {CANARY} is in the cage.")))
    state = home / ".calm"
    cli("keep", "--vectors")
    assert cli("init", str(project)).code == 0
    assert cli("wrapup", "--summary", "Looked for it.", "--session-id", NAME).code == 0
    assert cli("site", "build").code == 0
    cli("search", CANARY)
    cli("session", "resume", NAME[:8])
    places = (state, project / ".git")
    assert holding(places)
    cli("keep", "--remove", "--yes")
    assert holding(places) == []
    assert cli("site", "build").code == 0
    assert holding((state, project)) == []


def holding(folders: tuple[Path, ...]) -> list[Path]:
    found = []
    for path in (one for folder in folders for one in folder.rglob("*")):
        with contextlib.suppress(OSError):
            if CANARY.lower()[:12].encode() in path.read_bytes().lower():
                found.append(path)
    return found


def test_sessions_that_an_import_has_kept_are_removed_for_good(home, session, cli):
    session(NAME, *SILENT)
    cli("import", "claude")
    until_kept(home)
    cli("keep", "--remove", "--yes")
    assert not keep_ended(process_environment())
    assert kept(home) == []
