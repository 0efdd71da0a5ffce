"""Each file below `cases/CLIENT/` is a session as the client writes it; NAME.turns is how it reads.

To add one, put the file there, with invented words, and run this test: it prints how it reads now.
An empty NAME.turns says that the file holds no conversation. A .sql makes a database.
"""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.capture.formats.table import FORMATS, read_transcript
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.errors import TranscriptError

WRITTEN = datetime(2026, 11, 20, tzinfo=UTC).timestamp()
FOLDER = Path(__file__).parent / "cases"
FILES = sorted(path for path in FOLDER.glob("*/*") if path.suffix != ".turns")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_session_reads_as_its_case_says(path: Path, tmp_path: Path) -> None:
    given = database(path, tmp_path) if path.suffix == ".sql" else copied(path, tmp_path)
    expected = path.with_suffix(".turns")
    said = expected.read_text("utf-8") if expected.exists() else "(no .turns file yet)"
    assert as_text(given) == said, f"{path} reads otherwise than {expected.name} says"


@pytest.mark.parametrize("client", FORMATS)
def test_each_format_has_cases(client: str) -> None:
    assert [path for path in FILES if path.parent.name == client]


def copied(path: Path, folder: Path) -> Path:
    """Return a copy that was last written on a day that is always the same."""
    place = Path(shutil.copy(path, folder))
    os.utime(place, (WRITTEN, WRITTEN))
    return place


def database(path: Path, folder: Path) -> Path:
    """Return the session `ses_1` of a database that is made by the statements of a case."""
    place = folder / "opencode.db"
    with closing(sqlite3.connect(place)) as db:
        db.executescript(path.read_text("utf-8"))
    return place / "ses_1"


def as_text(path: Path) -> str:
    try:
        found = read_transcript(path)
    except TranscriptError:
        return ""
    return "\n".join([head(found), *map(line, found.turns)]) + "\n"


def head(found: Transcript) -> str:
    facts = [f"{found.agent} {found.session_id or '-'} in {found.working_directory or '-'}"]
    facts += [f"{found.ended_at:%Y-%m-%d}"] if found.ended_at else []
    facts += ["run by a program"] if found.automated else []
    facts += [f"unknown: {name} {count}" for name, count in found.unknown_kinds.items()]
    return ", ".join(facts)


def line(turn: Turn) -> str:
    state = ("failed" if turn.failed else "", "sub-agent" if turn.is_sidechain else "")
    who = " ".join(filter(None, (turn.role, turn.kind, turn.tool, *state)))
    files = f" ({', '.join(turn.files)})" if turn.files else ""
    return f"{who}: {turn.text}".replace("\n", "\\n") + files
