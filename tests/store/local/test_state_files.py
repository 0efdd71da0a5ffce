"""State files that were damaged, cut off, or written by another version."""

import json
import os
import sys

import pytest

from calmkb.model import Decision
from calmkb.store.local.choices import KeepingChoice, WritingChoice, keeping, save_keeping, writing
from calmkb.store.local.sessions import (
    EndedSession,
    WrittenDraft,
    ended_sessions,
    keep_written,
    note_ended,
    read_written,
)
from calmkb.store.local.state_files import record_of

SOUND = {"proposal_id": "p", "action": "accept", "importance": 1, "category": None}
WRITING = {"program": "p", "model": "", "budget": 1, "seconds": 2.5, "commits": False, "since": 0}


@pytest.mark.parametrize("change", [
    {"action": "explode"}, {"action": ["accept"]}, {"importance": "0.5"}, {"importance": True},
    {"text": None}, {"proposal_id": 7}, {"category": "gossip"},
])  # fmt: skip
def test_a_row_with_a_wrong_field_is_no_record(change):
    assert record_of(Decision, SOUND)
    assert record_of(Decision, SOUND | change) is None


def test_a_field_of_another_version_is_passed_over_and_a_missing_one_has_its_default():
    assert record_of(Decision, SOUND | {"act": 3}) == Decision(**SOUND)
    assert record_of(WritingChoice, {k: v for k, v in WRITING.items() if k != "since"}) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"on": true}',
                                  "[" * 100_000, '{"on": "yes", "limit": 5}',
                                  '{"on": 1, "limit": 5}'])  # fmt: skip
def test_a_choice_that_cannot_be_read_keeps_nothing_and_starts_no_program(tmp_path, text):
    assert keeping(tmp_path) == KeepingChoice()
    (tmp_path / "keeping.json").write_text(text)
    (tmp_path / "writing.json").write_text(text)
    assert not keeping(tmp_path).on
    assert writing(tmp_path) is None


@pytest.mark.skipif(sys.platform == "win32", reason="it has no named pipes in folders")
@pytest.mark.parametrize("made", [os.mkfifo, os.mkdir, lambda place: place.symlink_to(place)])
def test_what_is_no_file_in_place_of_a_choice_is_no_choice_and_waits_for_nobody(tmp_path, made):
    for name in ("keeping.json", "writing.json"):
        made(tmp_path / name)
    assert not keeping(tmp_path).on
    assert writing(tmp_path) is None


def test_what_is_saved_is_read_again(tmp_path):
    choice = KeepingChoice(on=True, limit=5, stamp="s", removed_at=1.5)
    save_keeping(tmp_path, choice)
    draft = WrittenDraft(3, learnings=("a", "b"))
    keep_written(tmp_path, "../id", draft)
    assert keeping(tmp_path) == choice
    assert read_written(tmp_path, "../id") == draft


def test_a_damaged_note_of_a_session_hides_no_other(tmp_path):
    transcript = tmp_path / "t.jsonl"
    transcript.touch()
    session = EndedSession("sound", str(tmp_path), str(transcript), 10.0)
    note_ended(tmp_path, session)
    (tmp_path / "ended" / "broken.json").write_text(json.dumps({"session_id": 3}))
    assert ended_sessions(tmp_path, 20.0) == [session]
