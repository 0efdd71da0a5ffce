"""What was made of records before: the same with it, without it, and with it damaged."""

import contextlib
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from calmkb.model import Entry, FinishedStep
from calmkb.reflect.statements.next_steps import next_steps
from calmkb.store.caches.derived import KEPT_DAYS, DerivedCache

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
ENTRIES = [
    Entry(
        id=f"{n:08x}-0000-4000-8000-000000000000",
        created_at=NOW - timedelta(hours=20 - n),
        summary=f"Deleted the old fixture number {n - 1} for good." if n % 3 else "Worked.",
        project_name=("shop", "till")[n % 2],
        next_steps=(f"Delete the old fixture number {n}.",),
    )
    for n in range(12)
]
MARK = FinishedStep(
    id="ffffffff-0000-4000-8000-000000000000",
    created_at=NOW,
    entry=ENTRIES[3].id,
    step=ENTRIES[3].next_steps[0],
    finished_by="ada",
)


@pytest.fixture
def place(tmp_path):
    return tmp_path / "derived.sqlite"


def found(place, entries=ENTRIES):
    with DerivedCache(place, NOW) as kept:
        return next_steps(entries, [MARK], kept=kept)


def rows(place):
    with sqlite3.connect(place) as db:
        made = db.execute("SELECT key, value FROM derived").fetchall()
    db.close()
    return dict(made)


def change(place, statement):
    db = sqlite3.connect(place)
    with db:
        db.execute(statement)
    db.close()


def test_steps_are_the_same_with_what_was_kept_and_without(place):
    plain = next_steps(ENTRIES, [MARK])
    assert any(step.done_at for step in plain)
    assert found(None) == found(place) == found(place) == plain
    assert len(rows(place)) == 2  # a project each


def test_a_session_more_is_seen_and_the_other_project_is_not_read_again(place):
    found(place, ENTRIES[:-1])
    before = rows(place)
    assert found(place) == next_steps(ENTRIES, [MARK])
    assert len(rows(place).keys() - before.keys()) == 1


def test_an_entry_that_a_person_edited_is_read_again(place):
    found(place)
    edited = [*ENTRIES[:-1], Entry(**{**_fields(ENTRIES[-1]), "next_steps": ("Call Ada.",)})]
    assert found(place, edited) == next_steps(edited, [MARK])


def _fields(entry):
    return {name: getattr(entry, name) for name in entry.__dataclass_fields__}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE derived SET value = '[]'",
        "UPDATE derived SET value = replace(value, 'Delete', 'Keep')",
        "UPDATE derived SET checksum = checksum + 1",
        "DELETE FROM derived",
        "DROP TABLE derived",
        "ALTER TABLE derived RENAME COLUMN value TO words",
    ],
)
def test_a_row_that_was_changed_is_not_trusted(place, statement):
    plain = found(place)
    change(place, statement)
    assert found(place) == plain


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 400])
def test_a_broken_file_is_made_again(place, data):
    place.write_bytes(data)
    plain = next_steps(ENTRIES, [MARK])
    assert found(place) == plain
    assert found(place) == plain
    assert len(rows(place)) == 2


def test_a_file_that_is_found_damaged_on_the_way_is_made_again(place):
    with DerivedCache(place, NOW) as kept:
        for number in range(400):
            kept[f"key {number}"] = "x" * 200
    data = place.read_bytes()
    place.write_bytes(data[:4_096] + b"\xff" * (len(data) - 4_096))
    for _ in range(2):  # the first look finds it out and removes the file
        with DerivedCache(place, NOW) as kept, contextlib.suppress(KeyError):
            kept["key 7"]
    with DerivedCache(place, NOW) as kept:
        kept["key 7"] = 1
    assert rows(place) == {"key 7": "1"}


def test_where_nothing_can_be_kept_the_steps_are_there_all_the_same(place):
    place.mkdir()
    assert found(place) == next_steps(ENTRIES, [MARK])


def test_a_row_is_forgotten_after_a_month(place):
    for days in (0, KEPT_DAYS, KEPT_DAYS + 1):
        with DerivedCache(place, NOW + timedelta(days=days)) as kept:
            kept[f"made {days}"] = 1
    assert rows(place).keys() == {f"made {KEPT_DAYS}", f"made {KEPT_DAYS + 1}"}
