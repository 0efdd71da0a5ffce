"""A line in a person's file: in its section, and every other byte as it was."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.reflect.signals.improvements import IMPROVEMENTS
from calmkb.reflect.signals.sections import AGENT_HEADINGS, TEMPLATE, add_entry, add_item

BLOCK = (
    "<!-- calmkb:begin v1 sha256=0123456789abcdef made -->\n\n"
    "## Gotchas\n\n- ours\n\n<!-- calmkb:end -->"
)
LINES = st.sampled_from(
    [
        "## Commands", "## commands ##", "# Title", "### Below", "## Gotchas", "- an item",
        "  more of it", "words", "", " ", "```", "~~~sh", "# in code?", "<!--", "-->",
        "<!-- one -->",
        "Commands", "---", "===", "\ufeff## Commands", *BLOCK.split("\n"), "1. one",
        "\tcode", "\x0c",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_all_but_the_added_lines_is_untouched_to_the_byte(lines, newline, ended):
    text = newline.join(lines) + (newline if ended else "")
    after = add_item(text, "Commands", "use `make`")
    at = after.index("- use `make`")
    added = len(after) - len(text)
    fits = [n for n in range(len(text) + 1) if text[:n] + after[n : n + added] + text[n:] == after]
    pieces = [after[n : n + added] for n in fits if n <= at < n + added]
    ours = {"", "- use `make`", "## Commands"}
    assert any({line.strip("\r") for line in piece.split("\n")} <= ours for piece in pieces)
    assert after.endswith("\n") == text.endswith("\n") or not text


@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_a_line_that_stands_is_never_written_twice(lines, newline):
    once = add_item(newline.join(lines), "Commands", "use `make`")
    assert add_item(once, "Commands", "use `make`") == once


@given(st.lists(LINES, max_size=14))
def test_nothing_is_written_into_a_managed_block(lines):
    text = "\n".join([*lines, "", BLOCK, ""])
    after = add_item(text, "Gotchas", "mind the gap")
    marks = [line for line in after.split("\n") if "calmkb:" in line or line == "- mind the gap"]
    at = marks.index("- mind the gap")
    inside = [mark for mark in marks[:at] if "begin" in mark]
    assert not inside or any("calmkb:end" in mark for mark in marks[marks.index(inside[-1]) : at])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "## Gotchas\n<!--\n<!-- calmkb:end -->",
            "## Gotchas\n\n- new\n\n<!--\n<!-- calmkb:end -->",
        ),
        ("## Gotchas\n\n- a\n\n## Other\n", "## Gotchas\n\n- a\n- new\n\n## Other\n"),
        ("## Gotchas\n\n- a", "## Gotchas\n\n- a\n- new"),
        ("## Gotchas\r\n\r\n- a", "## Gotchas\r\n\r\n- a\r\n- new"),
        ("## Gotchas\n## B\n", "## Gotchas\n\n- new\n\n## B\n"),
        ("## Gotchas\n\nWords.\n", "## Gotchas\n\nWords.\n\n- new\n"),
        ("## Gotchas\n- a\n### Deep\n- b\n", "## Gotchas\n- a\n- new\n\n### Deep\n- b\n"),
        ("Gotchas\n---\n\n- a\n\nNext\n---\n", "Gotchas\n---\n\n- a\n- new\n\nNext\n---\n"),
        ("```\n## Gotchas\n```\n", "```\n## Gotchas\n```\n\n## Gotchas\n\n- new\n"),
        ("<!--\n## Gotchas\n-->\n", "<!--\n## Gotchas\n-->\n\n## Gotchas\n\n- new\n"),
        (f"{BLOCK}\n", f"{BLOCK}\n\n## Gotchas\n\n- new\n"),
        (f"## Gotchas\n\n- a\n\n{BLOCK}\n", f"## Gotchas\n\n- a\n- new\n\n{BLOCK}\n"),
        ("## Gotchas\n\n```\n# code\n```\n", "## Gotchas\n\n```\n# code\n```\n\n- new\n"),
        (
            "## Gotchas\n\n<pre>\n## Shown as it is\n</pre>\n\n## B\n",
            "## Gotchas\n\n<pre>\n## Shown as it is\n</pre>\n\n- new\n\n## B\n",
        ),
        (
            "1. Run:\n   ```\n   ## Gotchas\n   ```\n",
            "1. Run:\n   ```\n   ## Gotchas\n   ```\n\n## Gotchas\n\n- new\n",
        ),
        ("", "## Gotchas\n\n- new\n"),
        ("# Mine\n\n```\nnever closed\n", "# Mine\n\n## Gotchas\n\n- new\n\n```\nnever closed\n"),
    ],
)  # fmt: skip
def test_a_line_comes_to_the_end_of_its_own_section(before, after):
    assert add_item(before, "Gotchas", "new") == after


def test_the_template_has_the_four_headings_and_takes_lines():
    text = TEMPLATE
    for name in AGENT_HEADINGS:
        text = add_item(text, name, f"about {name}")
    assert re.findall(r"(?m)^## .*\n\n- about .*$", text) == [
        f"## {name}\n\n- about {name}" for name in AGENT_HEADINGS
    ]


def test_an_improvement_comes_last_under_pending():
    one = add_entry(IMPROVEMENTS, "Pending", ["### [2026-01-01] One", "", "- **Impact**: Low"])
    two = add_entry(one, "Pending", ["### [2026-01-02] Two", "", "- **Impact**: Low"])
    assert re.findall(r"(?m)^##+ .*$", two) == [
        "## Pending", "### [2026-01-01] One", "### [2026-01-02] Two", "## Applied", "## Deferred",
    ]  # fmt: skip
    assert "Low\n\n### [2026-01-02] Two\n\n- **Impact**: Low\n\n## Applied" in two
