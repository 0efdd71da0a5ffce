"""A cache file that is damaged or old is replaced, and one that is only busy is left alone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest

from calmkb.system.cache_file import open_cache

TABLES = """CREATE TABLE kept (text TEXT);
CREATE VIRTUAL TABLE words USING fts5(text, content = '', detail = none);"""


@contextmanager
def opened(path: Path, version: int = 1, tables: str = TABLES) -> Iterator[sqlite3.Connection]:
    wait = 20 if path.name == "many.sqlite" else 0.1
    with closing(open_cache(path, tables, version, wait=wait)) as db, db:
        yield db


def filled(path: Path) -> None:
    with opened(path) as db:
        db.execute("INSERT INTO kept VALUES ('a')")
        db.execute("INSERT INTO words VALUES ('a')")


def kept(path: Path) -> list[tuple[str]]:
    with opened(path) as db:
        return db.execute("SELECT text FROM kept").fetchall()


def test_what_was_kept_is_there_until_the_version_changes(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    filled(path)
    assert kept(path) == [("a",)]
    for version in (2, 1):
        with opened(path, version, "CREATE TABLE words (other TEXT)") as db:
            assert db.execute("SELECT count(*) FROM words").fetchone() == (0,)
            assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("words",)]


@pytest.mark.parametrize("place", [0, 16, 100, 4096, 8192])
def test_a_file_damaged_anywhere_near_its_tables_is_replaced(tmp_path: Path, place: int) -> None:
    path = tmp_path / "cache.sqlite"
    filled(path)
    data = bytearray(path.read_bytes())
    data[place : place + 80] = b"\xff" * 80
    path.write_bytes(data)
    with opened(path) as db:
        db.execute("INSERT INTO kept VALUES ('b')")
    assert kept(path)[-1] == ("b",)


def test_a_busy_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    filled(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            kept(path)
    assert kept(path) == [("a",)]


def test_a_link_is_not_followed_and_a_private_file_is_read_by_nobody_else(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="link"):
        kept(tmp_path / "link")
    open_cache(tmp_path / "mine", TABLES, 1, private=True).close()
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600


def test_processes_that_make_one_file_at_once_all_get_its_tables(tmp_path: Path) -> None:
    with get_context("spawn").Pool(4) as pool:
        pool.map(filled, [tmp_path / "many.sqlite"] * 8)
    assert kept(tmp_path / "many.sqlite") == [("a",)] * 8
