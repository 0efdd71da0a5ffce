"""The line that stands for a record."""

from calmkb.site.text.sanitize import headline


def test_only_an_opening_mark_is_left_out_of_a_headline():
    assert headline("- `npm test -- --run` failed > twice") == "npm test -- --run failed > twice"
