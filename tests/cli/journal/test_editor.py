"""A draft as a person edits it: Markdown in three sections, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.errors import CalmError
from calmkb.kb.journal.draft_text import draft_as_text, draft_from_text, without_comments
from calmkb.model import Draft

EMPTY = Draft(summary="", friction_points=(), next_steps=())
LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r#"), min_size=1).map(str.strip)
ITEM = LINE.filter(bool)


@given(ITEM, st.lists(ITEM), st.lists(ITEM))
def test_a_draft_that_is_not_edited_comes_back_as_it_was(summary, friction, steps):
    draft = Draft(summary=summary, friction_points=tuple(friction), next_steps=tuple(steps))
    assert draft_from_text(draft_as_text(draft), draft) == draft


@pytest.mark.parametrize(
    ("text", "summary", "friction", "steps"),
    [
        ("## Summary\n\nDid it.\n", "Did it.", (), ()),
        ("Did it.\n", "Did it.", (), ()),
        ("## summary\nDid it.\n## NEXT STEPS\n- ship\n", "Did it.", (), ("ship",)),
        ("Before.\n\n## Summary\n\nDid it.\n", "Did it.", (), ()),
        ("Before.\n\n## Summary\n\n## Friction points\n- slow\n", "Before.", ("slow",), ()),
        ("## Summary\nA\n\nB\n", "A\n\nB", (), ()),
        ("## Summary\nA\n## Friction points\n- one\n- two\n", "A", ("one", "two"), ()),
        ("## Summary\nA\n## Friction points\n* one\n1. two\n", "A", ("one", "two"), ()),
        ("## Summary\nA\n## Friction points\nno bullet\n", "A", ("no bullet",), ()),
        ("## Summary\nA\n## Friction points\n- one\n  more of it\n", "A", ("one\nmore of it",), ()),
        ("## Summary\nA\n## Friction points\n-\n- \n", "A", (), ()),
        ("## Summary\nA\n## Next Steps:\n- ship\n", "A", (), ("ship",)),
        ("**Summary**: A\n\n**Next Steps**:\n- ship\n", "A", (), ("ship",)),
        ("**summary:** A\n", "A", (), ()),
        ("## Summary\n```\n## Next steps\n- x\n```\n", "```\n## Next steps\n- x\n```", (), ()),
        ("## Summary\n```\nA\n## Next steps\n- ship\n", "```\nA", (), ("ship",)),
        ("## Summary\n#hashtag first\n", "#hashtag first", (), ()),
    ],
)
def test_the_sections_are_read_as_a_person_leaves_them(text, summary, friction, steps):
    found = draft_from_text(text, EMPTY)
    assert (found.summary, found.friction_points, found.next_steps) == (summary, friction, steps)


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("## Summary\nA\n## Open questions\nKeep it?\n", [("Open questions", "Keep it?")]),
        ("## Summary\nA\n## Summary\nB\n", [("Summary", "B")]),
        ("Before.\n\n## Summary\nA\n", [("Notes", "Before.")]),
        ("# Friday\n\n## Summary\nA\n", [("Notes", "# Friday")]),
        ("## Summary\nA\n## Decided: keep it\n", [("Decided: keep it", "")]),
        ("Before.\n\n## Summary\n\n## Odd\nx\n", [("Odd", "x")]),
    ],
)
def test_what_no_field_claims_is_kept_as_sections(text, sections):
    draft = draft_from_text(text, EMPTY)
    assert [(each.heading, each.text) for each in draft.sections] == sections
    assert draft_from_text(draft_as_text(draft), EMPTY) == draft


def test_comments_are_left_out_but_for_those_in_code():
    text = "# A hint\nDid it.\n#\n# Another\n```\n# code\n```"
    assert without_comments(text) == "Did it.\n```\n# code\n```"


@pytest.mark.parametrize("text", ["", "\n\n", "## Summary\n\n## Next steps\n- x\n"])
def test_an_empty_summary_stops_the_wrap_up(text):
    with pytest.raises(CalmError, match="the summary is empty, so nothing was written"):
        draft_from_text(text, EMPTY)
