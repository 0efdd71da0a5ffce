"""Items of the list of improvements."""

from hypothesis import assume, given

from calmkb.export.safe_text import one_line
from calmkb.reflect.signals.improvements import IMPROVEMENTS, PENDING, entry, holds
from calmkb.reflect.signals.sections import add_entry
from tests.improvements.test_record import improvements


@given(improvements())
def test_a_list_holds_the_details_of_its_items(record):
    text = add_entry(IMPROVEMENTS, PENDING, entry(record, one_line))
    assume(one_line(record.details))
    assert holds(text, one_line(record.details))
