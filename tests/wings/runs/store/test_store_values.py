"""What goes into the run journal is canonical: it comes back as it was said to be."""

import json

from hypothesis import given
from hypothesis import strategies as st

from calmkb.wings.runs.store.values import dumps, plain

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


@given(ANYTHING)
def test_whatever_json_an_agent_says_is_kept_as_what_is_read_again(value):
    kept = plain(value, "an entry")
    assert plain(kept, "an entry") == kept
    assert json.loads(dumps(kept).encode()) == kept
