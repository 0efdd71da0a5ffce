"""`calmkb agents keep`: what a client deletes can still be read."""

import contextlib
import json
import sqlite3
import stat
import sys
import time
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.store.local.sessions import EndedSession, note_ended
from calmkb.wings.archive.kept.session_file import append, is_damaged, read_turns
from calmkb.wings.archive.verbs.background import KEPT, keep_ended
from calmkb.wings.archive.verbs.keep import keep
from tests.capture.support import agent, shell, text, user
from tests.children import run_python
from tests.conftest import git
from tests.wings.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"


def kept(home: Path) -> list[Path]:
    return sorted((home / ".calm" / "archive").glob("*/*.turns"))


def words(path: Path) -> list[str]:
    return [turn.text for turn in read_turns(path)]


def until_kept(home: Path) -> None:
    """Wait for the process in the background: it is nobody's child to wait for.

    Waiting for any child would take another one's end for its, or never end beside a server.
    """
    while not (home / ".calm" / KEPT).exists():
        time.sleep(0.01)


def test_a_session_is_kept_whole_and_outlives_the_clients_file(home, session, cli):
    source = session(NAME, *SILENT)
    said = cli("keep")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("1 session kept, 0 grown, 7 new turns\n")
    source.unlink()
    cli("keep")
    (path,) = kept(home)
    turns = read_turns(path)
    assert [turn.role for turn in turns] == [
        "person", "agent", "agent", "tool", "agent", "tool", "person",
    ]  # fmt: skip
    assert turns[4].change == "- return err\n+ return NewSilentError(err)"
    assert turns[4].files == ("cmd/root.go",)


def test_a_long_answer_of_a_tool_is_kept_to_its_middle(home, session, cli):
    lines = "\n".join(f"line {number} of the output" for number in range(1_500))
    objects = list(SILENT)
    objects[3] = objects[3] | {"message": json.loads(json.dumps(objects[3]["message"]))}
    objects[3]["message"]["content"][0]["content"] = lines
    session(NAME, *objects)
    cli("keep")
    assert "line 750 of" in words(kept(home)[0])[3]


def test_nobody_else_can_read_what_is_kept(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    places = [home / ".calm" / "archive", *(home / ".calm" / "archive").rglob("*")]
    assert len(places) > 3
    for place in places:
        assert stat.S_IMODE(place.stat().st_mode) & 0o077 == 0, place


def test_a_grown_session_costs_its_new_lines(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    before = kept(home)[0].read_bytes()
    session(NAME, user("One more thing: rename it."), agent(text("Renamed.")))
    assert "0 sessions kept, 1 grown, 2 new turns" in cli("keep").out
    after = kept(home)[0].read_bytes()
    assert after.startswith(before)
    assert words(kept(home)[0])[-2:] == ["One more thing: rename it.", "Renamed."]
    assert "0 sessions kept, 0 grown, 0 new turns" in cli("keep").out


def test_what_an_agent_went_on_to_say_replaces_its_beginning(home, session, cli):
    session(NAME, user("Go."), agent(text("First half."), message_id="m1"))
    cli("keep")
    session(NAME, agent(text("Second half."), message_id="m1"))
    cli("keep")
    assert words(kept(home)[0]) == ["Go.", "First half.\n\nSecond half."]


SECRET = "gh" + "p_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z0AbC"
PASSWORD = "q7Zr" + "Tk2Lw9Xv4Bn8Mc"


def test_no_secret_is_in_the_archive_or_the_index(home, session, cli):
    session(
        NAME,
        user(f"Deploy with {SECRET} please."),
        agent(text(f"DB_PASSWORD={PASSWORD} is set.")),
        agent(text(f"Connecting with {PASSWORD} now.")),
    )
    cli("keep")
    assert "[redacted:" in " ".join(words(kept(home)[0]))
    for path in (home / ".calm" / "archive").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes()
            assert PASSWORD.lower().encode() not in path.read_bytes().lower()
    assert all(PASSWORD not in text for text in words(kept(home)[0]))
    assert cli("search", PASSWORD, "--in", "turns", "--all-projects").out == "Nothing found.\n"


def test_a_secret_that_only_a_later_line_gives_away_goes_from_what_was_kept(home, session, cli):
    session(NAME, user("Go."), agent(text(f"I connect with {PASSWORD} now.")))
    cli("keep")
    assert PASSWORD in words(kept(home)[0])[1]
    session(NAME, agent(text(f"DB_PASSWORD={PASSWORD}")), user(f"It is {PASSWORD}."))
    cli("keep")
    assert all(PASSWORD not in text for text in words(kept(home)[0]))


def test_a_secret_of_an_earlier_line_is_known_in_a_later_one(home, session, cli):
    session(NAME, user("Go."), agent(text(f"DB_PASSWORD={PASSWORD}")))
    session(NAME, *[user(f"Step {number}.") for number in range(12)])
    cli("keep")
    session(NAME, user(f"Use {PASSWORD} there."))
    cli("keep")
    assert all(PASSWORD not in text for text in words(kept(home)[0]))


def test_it_can_be_switched_off_and_removed(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    assert cli("keep", "--off").out.startswith("off: 1 session kept")
    refused = cli("keep")
    assert (refused.code, "calmkb agents keep --on" in refused.err) == (1, True)
    assert "Removed 1 session" in cli("keep", "--remove", "--yes").out
    assert kept(home) == []
    assert [path.name for path in (home / ".calm" / "archive").iterdir()] == [".lock"]
    assert cli("keep", "--on").out.startswith("on: 0 sessions kept")


def test_nothing_of_it_is_in_git(home, session, cli, project):
    session(NAME, *SILENT)
    cli("keep")
    assert git(project, "status", "--short") == ""
    assert git(project, "log", "--format=%s") == "first\n"


def test_the_oldest_that_are_worth_least_make_room_and_stay_away(home, session, cli):
    noise = "".join(f"{hash((NAME, n)):x} " for n in range(20_000))
    for number in range(8):
        session(f"3f2a1b0{number}-0000-4000-8000-000000000001", user(f"Do {number}. {noise}"))
    automated = session("auto", user(f"Scheduled. {noise}"))
    automated.write_text(automated.read_text().replace('"cli"', '"sdk-cli"'))
    cli("keep", "--limit", "1MB")
    said = cli("keep")
    assert "dropped to stay within the limit" in said.out
    assert "auto.turns" not in [path.name for path in kept(home)]
    assert 0 < sum(path.stat().st_size for path in kept(home)) <= 1024**2
    names = [path.name for path in kept(home)]
    assert "0 sessions kept, 0 grown" in cli("keep").out
    assert [path.name for path in kept(home)] == names


def test_words_of_sessions_that_are_gone_do_not_stay_in_the_index(home, session, cli):
    for number in range(5):
        session(f"3f2a1b0{number}-0000-4000-8000-000000000001", user(f"The gizmo {number}."))
    cli("keep")
    for path in [*kept(home)[:4], *home.glob(".claude/projects/*/*.jsonl")]:
        path.unlink()
    cli("keep")
    assert len(json.loads(cli("search", "gizmo", "--json").out)["sessions"]) == 1
    index = home / ".calm" / "archive" / "turns.sqlite"
    with contextlib.closing(sqlite3.connect(index)) as db:
        rows = db.execute("SELECT count(*) FROM texts WHERE texts MATCH 'gizmo'").fetchone()
    assert rows == (1,)


def test_a_torn_end_is_cut_and_the_lines_come_again(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    (path,) = kept(home)
    whole = words(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert is_damaged(path)
    session(NAME, user("And one more."))
    cli("keep")
    assert not is_damaged(path)
    assert words(path) == [*whole, "And one more."]


def test_a_damaged_frame_costs_only_itself(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    session(NAME, user("And one more."))
    cli("keep")
    (path,) = kept(home)
    data = bytearray(path.read_bytes())
    place = data.index(b"\n", data.index(b'{"codec"')) + 5
    data[place] ^= 0xFF
    path.write_bytes(data)
    assert words(path) == ["And one more."]
    said = cli("keep", "--status")
    assert f"{path} is damaged" in said.err and "run: calmkb agents keep" in said.err
    session(NAME, user("The last."))
    cli("keep")
    assert words(path)[0].startswith("Why does the command")
    assert words(path)[-2:] == ["And one more.", "The last."]
    assert "damaged" in cli("keep", "--status").err
    path.unlink()
    cli("keep")
    assert cli("keep", "--status").err == ""


def test_a_lost_file_is_kept_again_while_the_client_has_the_session(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    kept(home)[0].unlink()
    assert "1 session kept" in cli("keep").out
    assert len(words(kept(home)[0])) == 7


@pytest.mark.parametrize("broken", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 5_000])
def test_a_broken_index_is_made_again(home, session, cli, broken):
    session(NAME, *SILENT)
    cli("keep")
    (home / ".calm" / "archive" / "turns.sqlite").write_bytes(broken)
    said = cli("search", "SilentError", "--in", "turns")
    assert NAME[:8] in said.out


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
def test_a_full_disk_keeps_what_was_kept(home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    (path,) = kept(home)
    before = path.read_bytes()
    code = """
import resource, signal, sys
from pathlib import Path
from calmkb.errors import StoreError
from calmkb.model.sessions.archive import KeptTurn
from calmkb.wings.archive.kept.session_file import append, read_session
path = Path(sys.argv[1])
session = read_session(path)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 40, resource.RLIM_INFINITY))
try:
    append(path, session, [KeptTurn(line=99, text="x" * 9999)])
except StoreError as error:
    print(error)
"""
    assert "cannot write" in run_python(code, str(path), seconds=60)
    assert path.read_bytes() == before


def test_what_is_appended_is_read_back(tmp_path, home, session, cli):
    session(NAME, *SILENT)
    cli("keep")
    (path,) = kept(home)
    turns = read_turns(path)
    from calmkb.wings.archive.kept.session_file import read_session

    other = tmp_path / "other.turns"
    append(other, read_session(path), turns)
    assert read_turns(other) == turns


def test_the_start_of_a_session_keeps_what_has_ended_and_only_once(home, session, cli):
    other = "5e1c0d00-0000-4000-8000-000000000002"
    session(other, user("Not reported to have ended."))
    source = session(NAME, *SILENT)
    environment = process_environment()
    assert not keep_ended(environment)
    note_ended(environment.state, EndedSession(NAME, "/shop", str(source), time.time()))
    assert keep_ended(environment)
    until_kept(home)
    assert [path.stem for path in kept(home)] == [NAME]
    assert not keep_ended(environment)
    cli("keep", "--off")
    (environment.state / "archive" / ".kept").unlink()
    assert not keep_ended(environment)


def test_an_import_keeps_the_sessions_themselves(home, session, cli, tmp_path):
    session(NAME, *SILENT)
    assert "Keeping the sessions themselves" in cli("import", "claude").out
    until_kept(home)
    assert [path.stem for path in kept(home)] == [NAME]
    assert "Keeping" not in cli("import", "claude", "--dry-run").out


def test_sessions_of_an_excluded_project_or_folder_are_not_kept(home, session, cli, project):
    elsewhere = home / "letters"
    elsewhere.mkdir()
    session(NAME, *SILENT)
    session(NAME[:-1] + "2", *SILENT, folder=elsewhere / "deep")
    said = cli("keep", "--exclude", "~/letters", "--exclude", project.name.upper())
    assert f"not kept: {elsewhere}" in said.out
    assert cli("keep").out.startswith("0 sessions kept")
    assert kept(home) == []

    cli("keep", "--include", project.name.upper())
    assert cli("keep").out.startswith("1 session kept")
    assert [path.stem for path in kept(home)] == [NAME]
    assert cli("keep").out.startswith("0 sessions kept")


def test_what_is_not_excluded_cannot_be_included(home, session, cli):
    refused = cli("keep", "--include", "letters")
    assert refused.code == 1
    assert "'letters' is not excluded" in refused.err


def test_a_folder_that_cannot_be_looked_at_is_not_excluded(home, session, cli, project):
    session(NAME, *SILENT, folder=Path("/proc/1/root/x\0"))
    cli("keep", "--exclude", "~/letters")
    assert cli("keep").out.startswith("1 session kept")


def test_a_folder_whose_name_only_begins_alike_is_kept(home, session, cli, project):
    session(NAME, *SILENT, folder=home / "letters-shop")
    cli("keep", "--exclude", "~/letters")
    assert cli("keep").out.startswith("1 session kept")


EARLIER = "w5Yx" + "Jn8Qd3Hs6Rt1Vb"


def long_session() -> list[dict[str, Any]]:
    """Return twenty steps; the last tells a secret of the first, which tells one of the last."""
    steps = [[user(f"Step {n}."), *shell(n, f"make {n}", f"line of {n}\n" * 700)]
             for n in range(20)]  # fmt: skip
    first = agent(text(f"I use {PASSWORD} now; DB_PASSWORD={EARLIER}"))
    last = agent(text(f"DB_PASSWORD={PASSWORD}"), text(f"Then I took {EARLIER} again."))
    halves = [agent(text(half), message_id="m1") for half in ("First half.", "Second half.")]
    return [first, *chain(*steps[:9]), *halves, *chain(*steps[9:]), last]


@pytest.mark.parametrize("room", [1, 5_000, 60_000])
def test_a_file_that_is_larger_than_the_room_is_kept_as_any_other(home, session, cli, room):
    session(NAME, *long_session())
    done = keep(process_environment(), room=room)
    assert (done.new, done.grown) == (1, 0)
    in_parts = words(kept(home)[0])
    cli("keep", "--remove", "--yes")
    cli("keep", "--on")
    cli("keep")
    assert in_parts == words(kept(home)[0])
    assert "First half.\n\nSecond half." in in_parts
    assert not any(PASSWORD in text or EARLIER in text for text in in_parts)


def test_what_was_kept_of_a_large_file_is_not_kept_again(home, session):
    objects = long_session()
    session(NAME, *objects[:30])
    keep(process_environment(), room=5_000)
    before = kept(home)[0].read_bytes()
    session(NAME, *objects[30:60])
    done = keep(process_environment(), room=5_000)
    assert (done.new, done.grown, done.turns) == (0, 1, 30)
    assert kept(home)[0].read_bytes().startswith(before)
    session(NAME, *objects[60:])
    keep(process_environment(), room=5_000)
    assert not any(PASSWORD in text or EARLIER in text for text in words(kept(home)[0]))
