import re
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import FORMATS, read_transcript
from calmkb.errors import TranscriptError
from calmkb.model import Entry
from tests.capture.support import DATA, user, write

BYTES = st.lists(
    st.one_of(
        st.binary(max_size=60),
        st.sampled_from(
            [
                b'{"type":"user","message":{"role":"user","content":"hello"}}',
                b'{"type":["user"],"message":{"role":7,"content":[{"type":"text","text":null}]}}',
                b'{"type":"user","message":{"content":[{"type":"tool_result","content":[7]}]}}',
                b'{"type":"assistant","message":{"id":3,"content":[{"type":"tool_use","input":4}]}}',
                b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":[],"name":{}}]}}',
                b'{"type":"user","timestamp":"9999-12-31T23:59:59-23:00","message":{"content":"x"}}',
                b'{"type":"queue-operation","operation":[],"content":{}}',
                b'{"type":"user","message":{"role":"user","content":"\\ud800 \\u0000 broken"}}',
                b'{"role":"user","content":"no\\u2028\\u0007 use `x` instead of y","cwd":"a\\nb"}',
                b"[" * 100_000,
            ]
        ),
    ),
    max_size=12,
)


@given(lines=BYTES)
def test_reading_and_drafting_raise_nothing_but_transcript_errors(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "session.jsonl"
    path.write_bytes(b"\n".join(lines))
    with suppress(TranscriptError):
        made = draft(read_transcript(path))
        # A draft can always be kept: it is within what a record allows.
        Entry(
            id=str(uuid.UUID(int=0)),
            created_at=made.ended_at or datetime(2026, 10, 5, tzinfo=UTC),
            project_name="shop",
            summary=made.summary,
            friction_points=made.friction_points,
            next_steps=made.next_steps,
            working_directory=made.working_directory,
            session_id=made.session_id,
        )


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\n\n// a comment\n", "is empty"),
        (b"\x7fELF\x00\x01\x02", "no readable JSON object"),
        (b"hello\n", "no readable JSON object"),
        (b'{"a": 1}\n', "no known format"),
        (b'{"type":"file-history-snapshot","messageId":"m"}\n', "no conversation"),
    ],
)
def test_a_file_without_a_conversation_is_named_with_its_fault(
    tmp_path: Path, content: bytes, what: str
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    with pytest.raises(TranscriptError, match=f"{re.escape(str(path))}.*{what}.*; "):
        read_transcript(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="does not exist"):
        read_transcript(tmp_path / "gone.jsonl")
    with pytest.raises(TranscriptError, match="is a folder"):
        read_transcript(tmp_path)
    with pytest.raises(TranscriptError, match="cannot be read"):
        read_transcript(tmp_path / "a\0b")


def test_two_objects_on_one_line_and_no_final_newline_are_both_read(tmp_path: Path) -> None:
    path = write(tmp_path, user("one"))
    path.write_bytes(path.read_bytes().strip() + b" " + path.read_bytes().strip())
    assert [turn.text for turn in read_transcript(path).turns] == ["one", "one"]


def test_a_sound_object_before_a_broken_end_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, user("one"), user("two"))
    path.write_bytes(path.read_bytes().rstrip() + b'{"type":"us')
    transcript = read_transcript(path)
    assert [turn.text for turn in transcript.turns] == ["one", "two"]
    assert transcript.broken_lines == (2,)


def test_every_sample_session_is_read_and_drafted() -> None:
    paths = sorted(DATA.glob("*.jsonl"))
    assert len(paths) >= 8
    for path in paths:
        assert draft(read_transcript(path)).summary


def test_the_table_is_keyed_by_the_formats_own_names() -> None:
    assert all(key == known.name for key, known in FORMATS.items())
