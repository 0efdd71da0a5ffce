"""What is kept of statements changes no proposal: with it, without it, or with it damaged."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from calmkb.documents import record_path, render
from calmkb.kb.base.knowledge_base import Environment, open_kb
from calmkb.kb.reflect.reflection import pending
from calmkb.kb.search import term_counts as counting
from calmkb.model import Entry, Reflection
from calmkb.reflect.proposals.groups import group
from calmkb.reflect.proposals.statements import Statement
from calmkb.reflect.similarity import clusters
from calmkb.store.caches.arrays import read_arrays, write_arrays

START = datetime(2026, 10, 1, 9, tzinfo=UTC)
THINGS = "the lock file,the end-to-end job,the login form,the cache,the schema,the nightly run"
TROUBLES = "hung,was rewritten,failed twice,took ten minutes,printed nothing,needed a variable"
TEXTS = [
    f"{thing.capitalize()} {trouble} {how}."
    for thing in THINGS.split(",")
    for trouble in TROUBLES.split(",")
    for how in ("under load", "again", "after the upgrade", "in `build_42.py`")
]


@pytest.fixture
def kb(repo, home):
    (repo / "calmkb.toml").write_text("")
    environment = Environment(home=home, cwd=repo)
    add(repo, TEXTS)
    old = Reflection(id=number(9_000), created_at=START + timedelta(days=1), entries=tuple(
        number(n) for n in range(len(TEXTS) - 3)))  # fmt: skip
    put(repo, old)
    return open_kb(environment, option=str(repo))


def number(n):
    return str(UUID(int=n + 1, version=4))


def put(repo, record):
    place = repo / "journal" / record_path(record)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(render(record).encode())


def add(repo, texts, first=0):
    for n, text in enumerate(texts, first):
        put(repo, Entry(
            id=number(n), created_at=START + timedelta(minutes=n), summary="Work.",
            project_name="shop", friction_points=(text,),
        ))  # fmt: skip


def kept(repo) -> Path:
    return next((repo / ".git" / "calmkb").glob("statements-*.counts"))


def test_what_was_kept_gives_the_same_proposals_as_counting_anew(kb, repo):
    first = pending(kb)
    assert first.proposals.open
    assert kept(repo).stat().st_size > 1_000
    assert pending(kb) == first
    kept(repo).unlink()
    assert pending(kb) == first


def test_new_statements_are_counted_beside_the_kept_ones(kb, repo):
    pending(kb)
    add(repo, ["The lock file was rewritten by the new runner.", TEXTS[0]], first=500)
    beside = pending(kb)
    kept(repo).unlink()
    assert pending(kb) == beside
    assert number(500) in {e.source for p in beside.proposals.open for e in p.evidence}


@pytest.mark.parametrize("damage", ["cut", "flipped", "foreign", "empty", "older"])
def test_a_damaged_or_foreign_file_is_made_anew(kb, repo, damage, monkeypatch):
    first = pending(kb)
    place = kept(repo)
    good = place.read_bytes()
    if damage == "older":
        monkeypatch.setattr(counting, "SETTINGS", "another cut")
    else:
        place.write_bytes({
            "cut": good[:-200],
            "flipped": good[:-5_000] + bytes([good[-5_000] ^ 1]) + good[-4_999:],
            "foreign": b"SQLite format 3\0" + good,
            "empty": b"",
        }[damage])  # fmt: skip
    assert pending(kb) == first
    assert (place.read_bytes() == good) == (damage != "older")


def test_statements_that_are_gone_are_forgotten_when_the_file_is_written_anew(kb, repo):
    pending(kb)
    place = kept(repo)
    counting._counted(place, [f"Other text number {n} of a new journal." for n in range(150)])
    names = read_arrays(place, counting.SETTINGS)["names"]
    assert len(names) == 150


def test_nothing_is_kept_where_the_folder_cannot_be_written(kb, tmp_path):
    texts = [f"A text, number {n}." for n in range(150)]
    counts = counting._counted(tmp_path / "missing" / "x.counts", texts)
    assert counts.table.shape[0] == 150


def test_arrays_come_back_as_they_were_kept(tmp_path):
    import numpy as np

    arrays = {"terms": np.array([3, 2**63], dtype="<u8"), "numbers": np.array([], dtype="<u2")}
    write_arrays(tmp_path / "a", "one", arrays)
    found = read_arrays(tmp_path / "a", "one")
    assert {name: part.tolist() for name, part in found.items()} == {
        "terms": [3, 2**63],
        "numbers": [],
    }
    assert read_arrays(tmp_path / "a", "two") is None
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_groups_around_fresh_statements_are_those_of_all(monkeypatch):
    def said(n, fresh):
        return Statement(TEXTS[n], number(n), "2026-10-01", "shop", True, fresh, "agent")

    statements = [said(n, n >= len(TEXTS) - 4) for n in range(len(TEXTS))]
    whole = group(statements, 0.3)
    monkeypatch.setattr(clusters, "LARGEST", 30)
    seen = []
    assert group(statements, 0.3, watch=lambda done, total: seen.append((done, total))) == whole
    assert seen[-1] == (4, 4)
