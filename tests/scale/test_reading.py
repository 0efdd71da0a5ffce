"""What is not asked for is not read: no records of other kinds, and no journal a second time."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from calmkb.store.index.schema import index_path
from tests.scale.conftest import list_until_settled

SPOILT = "never to be read"


@pytest.mark.parametrize(
    "command",
    [
        ("export",),
        ("export", "--check"),
        ("memory", "list"),
        ("memory", "find", "pnpm"),
        ("memory", "add", "Prices are in cents.", "--category", "fact"),
        ("sync",),
    ],
    ids=" ".join,
)
def test_a_command_about_memories_reads_no_session(project, cli, command):
    cli("wrapup", "--summary", "Moved the tests.", "--friction", "The clock ran in local time.")
    cli("memory", "add", "Use pnpm for every script.", "--category", "workflow")
    cli("export")
    place = index_path(project / "journal")
    list_until_settled(place, lambda: cli("session", "list"))
    with contextlib.closing(sqlite3.connect(place)) as db, db:
        db.execute("UPDATE records SET record = ? WHERE kind = 'session'", (SPOILT,))
    said = cli(*command)
    assert said.code == (1 if command == ("sync",) else 0), said.err
    with contextlib.closing(sqlite3.connect(place)) as db:
        # Whoever reads such a row takes the index for damaged and builds it again.
        kept = db.execute("SELECT record FROM records WHERE kind = 'session'").fetchall()
    assert kept == [(SPOILT,)]


@pytest.mark.parametrize("journal", ["a", "b", "c", "d"])
def test_a_write_keeps_the_index(project, cli, journal):
    (project / "calmkb.toml").write_text(f'journal = "{journal}"\n')
    cli("wrapup", "--summary", "Moved the tests.")
    cli("session", "list")
    place = Path(index_path(project / journal))
    before = place.stat().st_ino
    cli("wrapup", "--summary", "Fixed the clock.")
    assert place.stat().st_ino == before
    assert "Fixed the clock." in cli("session", "list").out
