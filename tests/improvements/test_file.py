"""Items of a file: what is written is read as the same, and every other byte stays."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from calmkb.export.safe_text import one_line
from calmkb.model import IMPROVEMENT_STATES
from calmkb.reflect.improvements_edit import put_item
from calmkb.reflect.improvements_file import read_board, said
from calmkb.reflect.improvements_merge import PARTS, settle
from calmkb.reflect.learnings_improvements import (
    IMPROVEMENTS,
    SECTIONS,
    Words,
    entry,
    words_of,
)
from calmkb.reflect.learnings_sections import add_entry
from tests.improvements.test_record import improvements

STATES = st.sampled_from(IMPROVEMENT_STATES)
MINE = "Ours, with  blanks\t\n\n```\n## Applied\n### [x] no item\n<!-- not closed here\n```\n"
VALUE = st.sampled_from(["one", "two", "three", ""])
WORDS = st.builds(Words, STATES, *[VALUE] * 6)


def as_words(record):
    return words_of(record, one_line)


@given(improvements())
def test_an_item_says_what_its_record_does_and_is_known_by_its_comment(record):
    text = add_entry(IMPROVEMENTS, SECTIONS[record.state], entry(record, one_line))
    (item,) = read_board(text, "file").items
    assert (item.identity, item.mark) == (record.id, as_words(record).mark)
    assert said(item, record, one_line) == as_words(record)
    assert put_item(text, item, record.id, as_words(record)) == text


@given(improvements(), improvements(), STATES, st.sampled_from(["\n", "\r\n"]))
def test_one_item_changes_and_the_others_and_all_notes_stay(one, other, state, newline):
    other = replace(other, id="00000000-0000-4000-8000-000000000000")
    text = IMPROVEMENTS
    for record in (one, other):
        block = [*entry(record, one_line), *MINE.split("\n")]
        text = add_entry(text, SECTIONS[record.state], block)
    text = ("Before.\n\n" + text).replace("\n", newline)
    item = read_board(text, "file").find(one.id)
    made = replace(one, state=state, impact="medium")
    after = put_item(text, item, one.id, as_words(made))
    board = read_board(after, "file")
    assert said(board.find(one.id), made, one_line) == as_words(made)
    assert said(board.find(other.id), other, one_line) == as_words(other)
    assert after.count(MINE.rstrip().replace("\n", newline)) == 2
    assert after.startswith("Before." + newline)
    assert sorted(set(after.split(newline)) - {""}) == sorted(
        (set(text.split(newline)) | set(entry(made, one_line)))
        - {""}
        - gone(one, made, text, other)
    )


def gone(one, made, text, other) -> set[str]:
    """Return the lines that the new words took the place of."""
    kept = {*entry(made, one_line), *entry(other, one_line)}
    return {line for line in entry(one, one_line) if line not in kept}


@given(WORDS, WORDS, WORDS | st.none())
def test_a_merge_keeps_every_word_that_a_side_alone_or_both_wrote(record, file, base):
    done = settle(record, file, base)
    lost = dict(done.otherwise)
    for name in PARTS:
        ours, theirs = getattr(record, name), getattr(file, name)
        old = getattr(base, name) if base else None
        chosen = getattr(done.words, name)
        assert chosen in (ours, theirs)
        if name == "state":
            continue
        for said_now in (ours, theirs):
            assert said_now in (chosen, old, "", *lost.values())


@given(WORDS, WORDS)
def test_what_one_side_alone_changed_stands(one, other):
    assert settle(one, other, one).words == other
    assert settle(one, other, other).words == one
    assert settle(one, one, None) == settle(one, one, other)
