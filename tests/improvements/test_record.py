"""The record of an improvement: written, read back, found."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.documents import parse, record_path, render
from calmkb.errors import RecordError
from calmkb.model import Improvement
from tests.documents.test_codec import (
    EVIDENCE,
    EXTRA,
    IDS,
    LINE,
    NAME,
    SECTIONS,
    SOUND,
    TEXT,
    TIMES,
)

WORDS = LINE.filter(lambda text: bool(text.strip()))
PATH = "improvements/2026-10-20T080000Z-by-hand.md"


@st.composite
def improvements(draw):
    evidence = tuple(draw(st.lists(EVIDENCE, max_size=2)))
    return draw(
        st.builds(
            Improvement, id=IDS, created_at=TIMES, title=WORDS, details=SOUND, category=NAME,
            impact=st.sampled_from(["low", "high"]), action=TEXT | st.just(""), reason=NAME,
            confidence=st.sampled_from(["low", "medium"]), project=NAME, approved_by=NAME,
            state=st.sampled_from(["pending", "applied", "deferred"]), evidence=st.just(evidence),
            sources=st.just(tuple(item.source for item in evidence)), extra=EXTRA,
            sections=SECTIONS,
        )
    )  # fmt: skip


@given(improvements())
def test_an_improvement_comes_back_as_it_was(record):
    text = render(record)
    again = parse(text, record_path(record))
    assert again == record
    assert render(again) == text


def test_a_file_looks_as_people_expect():
    record = Improvement(
        id="5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11",
        created_at=datetime(2026, 10, 19, 14, 22, 33, tzinfo=UTC),
        title="The test database is named nowhere",
        details="The end-to-end job needs the database container; nothing says so.",
        category="Configuration",
        impact="high",
        action="Say so beside the command.",
        confidence="high",
        reason="3 sessions",
        project="shop",
        approved_by="ada@example.org",
        sources=("SIG-20261019-0001",),
    )
    assert record_path(record) == (
        "improvements/2026-10-19T142233Z-the-test-database-is-named-nowhere-5f0c6a0e.md"
    )
    assert render(record) == (
        "---\n"
        "calmkb: 1\n"
        "id: 5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11\n"
        "created_at: '2026-10-19T14:22:33+00:00'\n"
        "state: pending\n"
        "title: The test database is named nowhere\n"
        "category: Configuration\n"
        "impact: high\n"
        "confidence: high\n"
        "reason: 3 sessions\n"
        "project: shop\n"
        "approved_by: ada@example.org\n"
        "sources:\n- SIG-20261019-0001\n"
        "---\n\n"
        "The end-to-end job needs the database container; nothing says so.\n\n"
        "## Suggested action\n\nSay so beside the command.\n"
    )


def test_a_note_written_by_hand_is_pending():
    record = parse("Nobody knows where the fixtures are.\n", PATH)
    assert (record.state, record.title) == ("pending", "Nobody knows where the fixtures are.")


@pytest.mark.parametrize(
    ("line", "told"),
    [("state: done", "choose from: pending, applied"), ("impact: vast", "choose from: low")],
)
def test_a_word_that_is_none_is_named_with_those_there_are(line, told):
    with pytest.raises(RecordError, match=told):
        parse(f"---\n{line}\n---\n\nx\n", PATH)
