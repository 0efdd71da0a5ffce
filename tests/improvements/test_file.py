"""Items of the list: moved whole, and every other byte stays."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from calmkb.export.safe_text import one_line
from calmkb.model import IMPROVEMENT_STATES
from calmkb.reflect.signals.improvements import IMPROVEMENTS, SECTIONS, entry, holds, move_item
from calmkb.reflect.signals.sections import add_entry
from tests.improvements.test_record import improvements

STATES = st.sampled_from(IMPROVEMENT_STATES)
MINE = "Ours, with  blanks\t\n\n```\n## Applied\n### [x] no item\n<!-- not closed here\n```\n"


def listed(*records, newline="\n") -> str:
    text = IMPROVEMENTS
    for record in records:
        block = [*entry(record, one_line), *MINE.rstrip().split("\n")]
        text = add_entry(text, SECTIONS[record.state], block)
    return ("Before.\n\n" + text).replace("\n", newline)


def section_of(text: str, identity: str) -> str:
    before = text.partition(identity)[0].replace("\r", "").replace(MINE.rstrip(), "")
    return before.rpartition("\n## ")[2].partition("\n")[0]


@given(improvements())
def test_a_list_holds_the_details_of_its_items(record):
    text = add_entry(IMPROVEMENTS, SECTIONS[record.state], entry(record, one_line))
    assume(one_line(record.details))
    assert holds(text, one_line(record.details))
    assert move_item(text, record) == text


@given(improvements(), improvements(), STATES, st.sampled_from(["\n", "\r\n"]))
def test_one_item_moves_and_the_others_and_all_notes_stay(one, other, state, newline):
    other = replace(other, id="00000000-0000-4000-8000-000000000000")
    text = listed(one, other, newline=newline)
    after = move_item(text, replace(one, state=state))
    assert section_of(after, one.id) == SECTIONS[state]
    assert section_of(after, other.id) == SECTIONS[other.state]
    assert after.count(MINE.rstrip().replace("\n", newline)) == 2
    assert after.startswith("Before." + newline)
    assert sorted(line for line in after.split(newline) if line) == sorted(
        line for line in text.split(newline) if line
    )


@given(improvements(), STATES, STATES)
def test_an_item_moved_there_and_back_leaves_the_file_as_it_was(record, there, back):
    text = listed(record)
    moved = move_item(text, replace(record, state=there))
    assert move_item(move_item(moved, replace(record, state=back)), record) == text


@given(improvements())
def test_a_missing_section_is_made(record):
    item = f"### One\n<!-- calmkb:improvement {record.id} -->\n"
    moved = move_item(f"## Pending\n\n{item}", replace(record, state="applied"))
    assert moved == f"## Pending\n\n## Applied\n\n{item}"
