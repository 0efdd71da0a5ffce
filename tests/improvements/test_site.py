"""Improvements and numbers on the site."""

import re
from dataclasses import replace

from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import load_library
from tests.wings.site.sample import IMPROVEMENTS, LIBRARY


def test_improvements_stand_on_a_board_by_state():
    text = stage(LIBRARY)["improvements.md"]
    assert text.index("## Pending") < text.index("high impact") < text.index("## Applied")
    assert "## Deferred" not in text
    assert IMPROVEMENTS[0].action in text


def test_a_library_without_any_has_no_such_page():
    pages = stage(replace(LIBRARY, improvements=(), figures=None))
    assert {"improvements.md", "statistics.md"} & set(pages) == set()
    assert "statistics.md" not in pages["index.md"]


def test_the_numbers_of_a_knowledge_base_stand_on_a_page_of_their_own(project, cli):
    for _ in range(2):
        cli("wrapup", "--summary", "Worked.", "--friction", "The database was down.")
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    pages = stage(load_library(project))
    text = pages["statistics.md"]
    assert "2 in 1 project, 2 not reflected on" in text
    assert "2, 1.0 a session" in text
    assert "1 too early" in text
    assert re.search(r"about \d+ tokens<", text)
    assert "](statistics.md)" in pages["index.md"]
    rows = re.findall(r"^-   (.+?) <span", text, re.MULTILINE)
    assert [row for row in rows if not row.startswith("[")] == ["Improvements"]  # there are none
