"""The line that stands for a record."""

from calmkb.site.text.sanitize import headline


def test_only_an_opening_mark_is_left_out_of_a_headline():
    assert headline("- `npm test -- --run` failed > twice") == "npm test -- --run failed > twice"


def test_a_full_stop_in_code_ends_no_sentence():
    said = "The path check for `.. ` in `copyMetadataDir()` let symlinks through. It was old."

    assert headline(said, 200) == "The path check for .. in copyMetadataDir() let symlinks through."
    assert headline("A tick ` that nobody closed. More.") == "A tick that nobody closed. More."


def test_a_span_that_ends_in_dots_is_not_the_end_of_a_sentence():
    said = "The path check for `..` in `copyMetadataDir()` let symlinks through, which is unsafe."

    assert headline(said, 200) == said.replace("`", "")
