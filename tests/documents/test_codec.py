"""What is written can be read back, to the letter."""

import string
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.documents import parse, record_path, render
from calmkb.documents.codec import UnreadableError
from calmkb.errors import RecordError
from calmkb.model import (
    Entry,
    Evidence,
    Feedback,
    FinishedStep,
    Memory,
    ProjectAlias,
    Reflection,
    Rejection,
    Resumption,
    Section,
)

SPICE = st.sampled_from(
    ["---", "--- ", "<<<<<<< a\n=======\n>>>>>>> b\n",
     "## Summary", "\\## x", "##", "- ", "* a", "\r\n", "\t", "\n", "\n\n", "  ",
     "\\", "```", "\n```\n", "\n~~~~\n", "\n\\```\n", "🙂", "\x1b[0m", "\x85", "\u2028", "\ufeff",
     "\x7f", "{{ x }}", "<b>", "...", "#", ": ",
     "Evidence: 0123456789abcdef", "1. ", " (5f0c6a0e): \"x\"", "&a *a", "!!python/none", "> "]
)  # fmt: skip
CHARACTER = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.lists(SPICE | st.text(CHARACTER, max_size=12), min_size=1, max_size=14).map("".join)
SOUND = TEXT.filter(lambda text: bool(text.strip()))
ITEMS = st.lists(SOUND, max_size=5).map(tuple)
LINE = st.text(CHARACTER.filter(lambda c: c != "\n"), max_size=30)
NAME = st.sampled_from(["0123", "1.10", "no", "2026-01-01", "storefront", "null", "~", ""]) | LINE
IDS = st.uuids(version=4).map(str)
TIMES = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=st.just(UTC))
KEYS = st.sampled_from(["content", "handler", "x-note", "1.10", "no", "ä key"])
VALUES = st.recursive(
    TEXT | NAME,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=3),
    max_leaves=5,
)
EXTRA = st.dictionaries(KEYS, VALUES, max_size=3)
HEADING = st.text(string.ascii_letters, min_size=1, max_size=9).map(lambda word: f"X {word}")
SECTIONS = st.lists(st.builds(Section, HEADING, TEXT), max_size=2).map(tuple)
PATHS = st.lists(
    st.sampled_from(["src/a.py", "docs/ä b.md", "0123", "- x", "**/*.ts", ": {", "no"]), max_size=3
).map(tuple)
ENTRIES = st.builds(
    Entry, id=IDS, created_at=TIMES, summary=SOUND, project_name=NAME, working_directory=NAME,
    friction_points=ITEMS, next_steps=ITEMS, agent=NAME, session_id=NAME, repository=NAME,
    needs_continuation=st.booleans(), files=PATHS, extra=EXTRA, sections=SECTIONS,
)  # fmt: skip
EVIDENCE = st.builds(
    Evidence, quote=SOUND, source=IDS, project=NAME,
    date=st.dates(datetime(1970, 1, 1).date()).map(str),
)  # fmt: skip
REJECTIONS = st.builds(
    Rejection, text=SOUND, evidence=st.text("0123456789abcdef", min_size=16, max_size=16),
    reason=LINE.map(str.strip),
)  # fmt: skip


@st.composite
def memories(draw):
    evidence = tuple(draw(st.lists(EVIDENCE, max_size=3)))
    return draw(
        st.builds(
            Memory, id=IDS, created_at=TIMES, text=SOUND, scope=NAME, why=TEXT | st.just(""),
            category=st.sampled_from(["error", "fact"]), importance=st.floats(0, 1),
            confidence=st.sampled_from(["low", "high"]), origin=st.sampled_from(["person", "tool"]),
            approved_by=NAME, supersedes=NAME, tags=st.lists(NAME, max_size=3).map(tuple),
            paths=PATHS, merged=st.lists(IDS, max_size=2).map(tuple),
            evidence=st.just(evidence), sources=st.just(tuple(item.source for item in evidence)),
            extra=EXTRA, sections=SECTIONS,
        )
    )  # fmt: skip


REFLECTIONS = st.builds(
    Reflection, id=IDS, created_at=TIMES, entries=st.lists(IDS, max_size=3).map(tuple),
    memories=st.lists(IDS, max_size=3).map(tuple),
    merged=st.lists(IDS, max_size=2).map(tuple), memories_created=st.integers(0, 99),
    reviewed_by=NAME, accepted=ITEMS, rejected=st.lists(REJECTIONS, max_size=3).map(tuple),
    extra=EXTRA, sections=SECTIONS,
)  # fmt: skip


RESUMPTIONS = st.builds(
    Resumption, id=IDS, created_at=TIMES, entry=IDS, resumed_by=NAME, extra=EXTRA, sections=SECTIONS
)


STEPS = st.builds(
    FinishedStep, id=IDS, created_at=TIMES, entry=IDS, step=TEXT.filter(str.strip),
    finished_by=NAME, extra=EXTRA, sections=SECTIONS,
)  # fmt: skip


FEEDBACKS = st.builds(
    Feedback, id=IDS, created_at=TIMES, memory=IDS, verdict=st.sampled_from(["helpful", "harmful"]),
    note=TEXT | st.just(""), given_by=NAME, extra=EXTRA, sections=SECTIONS,
)  # fmt: skip


ALIASES = st.builds(
    ProjectAlias, id=IDS, created_at=TIMES, name=NAME.filter(str.strip), decided_by=NAME,
    aliases=st.lists(NAME.filter(str.strip), max_size=3).map(tuple), extra=EXTRA, sections=SECTIONS,
)  # fmt: skip


@given(ENTRIES | memories() | REFLECTIONS | RESUMPTIONS | STEPS | FEEDBACKS | ALIASES)
def test_every_record_comes_back_as_it_was(record):
    text = render(record)
    again = parse(text, record_path(record))
    assert again == record
    assert render(again) == text


def test_the_longest_entry_allowed_comes_back():
    items = tuple(f"{n} " + "## é\n- " * 1_420 for n in range(50))
    entry = Entry(
        id=str(UUID(int=1)), created_at=datetime(2026, 10, 19, tzinfo=UTC), summary="x" * 10_000,
        project_name="p", friction_points=items, next_steps=items,
    )  # fmt: skip
    assert parse(render(entry), record_path(entry)) == entry


def test_a_session_file_looks_as_people_expect():
    entry = Entry(
        id="5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11",
        created_at=datetime(2026, 10, 19, 14, 22, 33, tzinfo=UTC),
        summary="Moved the checkout tests to the new fixture; the suite is green again.",
        project_name="storefront",
        working_directory="~/code/storefront",
        friction_points=("`npm test` hung: the project uses pnpm.", "The database was down."),
        next_steps=("Delete the old fixture.",),
        agent="claude-code",
        needs_continuation=True,
    )
    assert record_path(entry) == (
        "sessions/2026/10/19/2026-10-19T142233Z-moved-the-checkout-tests-to-the-new-5f0c6a0e.md"
    )
    assert render(entry) == (
        "---\n"
        "calmkb: 1\n"
        "id: 5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11\n"
        "created_at: '2026-10-19T14:22:33+00:00'\n"
        "project_name: storefront\n"
        "working_directory: ~/code/storefront\n"
        "agent: claude-code\n"
        "needs_continuation: true\n"
        "---\n\n"
        "## Summary\n\nMoved the checkout tests to the new fixture; the suite is green again.\n\n"
        "## Friction points\n\n- `npm test` hung: the project uses pnpm.\n"
        "- The database was down.\n\n"
        "## Next steps\n\n- Delete the old fixture.\n"
    )


BY_HAND = "sessions/2026/10/20/2026-10-20T080000Z-by-hand.md"


def test_a_note_written_by_hand_reads_with_defaults():
    entry = parse(
        "Fixed the build.\n\n## Friction Points\n* one\n  more\n\n2. two\nand on\n", BY_HAND
    )
    assert isinstance(entry, Entry)
    assert entry.summary == "Fixed the build."
    assert entry.friction_points == ("one\nmore", "two\nand on")
    assert entry.created_at == datetime(2026, 10, 20, 8, tzinfo=UTC)
    assert entry.id == parse("Fixed it.", BY_HAND).id


def test_a_file_saved_by_a_windows_editor_reads_the_same():
    text = "---\nproject_name: shop\n---\n\n## Summary\n\nDone.\n\n## Next steps\n\n- a\n- b\n"
    assert parse("\ufeff" + text.replace("\n", "\r\n"), BY_HAND) == parse(text, BY_HAND)


def test_an_unquoted_date_that_a_person_added_stays_unquoted():
    entry = parse("---\nreviewed: 2026-11-01\nversion: 1.10\n---\nDone.", BY_HAND)
    assert entry.extra == {"reviewed": "2026-11-01", "version": "1.10"}
    assert "reviewed: 2026-11-01\nversion: 1.10\n" in render(entry)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("---\nid: x\n", ":1: front matter has no closing"),
        ("---\na: 1\nb: [\n---\nDone.", ":4: front matter is not YAML"),
        ("---\na: &x 1\nb: *x\n---\nDone.", ":3: front matter uses a YAML alias"),
        ("---\na: 1\na: 2\n---\nDone.", ":3: front-matter key 'a' is given twice"),
        ("---\n- a\n---\nDone.", ": front matter must be"),
        ("---\nproject_name: [a]\n---\nDone.", ":2: project_name must be text"),
        ("---\nx: y\ncreated_at: soon\n---\nDone.", ":3: created_at is 'soon'; write a time"),
        ("---\nx: y\n---\n", ":4: Summary is empty"),
        ("---\na: " + "[" * 99 + "]" * 99 + "\n---\nDone.", "nested too deeply"),
        ("x" * 10_001, "Summary has 10,001 characters; at most 10,000"),
        ("x" * (9 * 1024 * 1024), "is larger than"),
        ("Bad \0 byte.", "holds a NUL"),
    ],
)
def test_an_unreadable_file_is_reported_with_place_and_fix(text, complaint):
    with pytest.raises(RecordError) as raised:
        parse(text, BY_HAND)
    assert str(raised.value).startswith(BY_HAND)
    assert complaint in str(raised.value)


def test_a_python_tag_is_read_as_the_text_it_holds():
    text = "---\nx: !!python/object/apply:os.system ['touch /tmp/x']\n---\nDone."
    assert parse(text, BY_HAND).extra == {"x": ["touch /tmp/x"]}


def test_keys_of_the_library_below_are_harmless():
    assert parse("---\ncontent: a\nhandler: b\n---\nDone.", BY_HAND).extra == {
        "content": "a",
        "handler": "b",
    }


def test_a_section_that_no_field_claims_is_kept():
    text = "## Summary\n\nDone.\n\n## Links\n\nhttps://example.org\n"
    entry = parse(text, BY_HAND)
    assert entry.sections == (Section("Links", "https://example.org"),)
    assert "## Links\n\nhttps://example.org\n" in render(entry)


@pytest.mark.parametrize("path", ["/etc/passwd", "~/x", "a/../../b", " ", "a\nb"])
def test_a_path_outside_the_repository_is_refused(path):
    with pytest.raises(RecordError, match="files"):
        Entry(
            id=str(UUID(int=1)), created_at=datetime(2026, 10, 19, tzinfo=UTC), summary="x",
            project_name="p", files=(path,),
        )  # fmt: skip


def test_learnings_of_any_number_and_length_are_read():
    """Imported notes have them; only a wrap-up is held to five short ones."""
    texts = ["A rule. " * 2_000, *(f"Rule {number}." for number in range(1_500))]
    record = Entry(
        id="5f0c6a0e-3f0e-4a6b-9a51-0f6f2b7f7c11",
        created_at=datetime(2026, 10, 19, tzinfo=UTC),
        summary="Notes.",
        learnings=tuple(text.strip() for text in texts),
    )
    assert parse(render(record), record_path(record)) == record


OTHER_ID = "0c9d51b2-7d0e-4a58-8f55-2a1f6f0b9e43"
CONFLICT = "<<<<<<< HEAD\nUse pnpm.\n=======\nUse yarn.\n>>>>>>> feature\n"
DIFF3 = CONFLICT.replace("=======", "||||||| 0123abc\nUse npm.\n=======")
PLACES = {
    "memory": "memories/fact/a.md",
    "session": "sessions/2026/11/20/a.md",
    "reflection": "reflections/2026/11/20/a.md",
}


@pytest.mark.parametrize("path", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("body", [CONFLICT, DIFF3, CONFLICT.replace("\n", "\r\n")])
@pytest.mark.parametrize("front", ["---\ncategory: fact\n---\n\n", "", "---\n"])
def test_a_record_with_an_unresolved_conflict_is_refused_at_its_line(front, body, path):
    with pytest.raises(UnreadableError, match="a merge conflict is not resolved") as refused:
        parse(front + body, path)
    assert refused.value.line == front.count("\n") + 1


def test_a_fence_that_nobody_closed_hides_no_conflict():
    with pytest.raises(UnreadableError, match=":3: a merge conflict is not resolved"):
        parse(f"Before.\n```\n{CONFLICT}", PLACES["memory"])


@pytest.mark.parametrize("text", [
    f"Git writes this:\n\n```\n{CONFLICT}```",
    f"Git writes this:\n\n~~~~ text\n{DIFF3}~~~~",
    "A heading\n=======\n\n>>>>>>> is a quote",
    "<<<<<<< HEAD is what git writes\n\n=======",
    CONFLICT,
])  # fmt: skip
def test_a_text_about_conflicts_is_none_and_comes_back_as_it_was(text):
    made = Memory(
        id=OTHER_ID, created_at=datetime(2026, 11, 20, tzinfo=UTC), text=text, category="fact"
    )
    assert parse(render(made), record_path(made)).text == text
