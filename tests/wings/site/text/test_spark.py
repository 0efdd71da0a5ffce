"""A row of bars in a line of text."""

import markdown
from defusedxml import ElementTree

from calmkb.wings.site.text.sanitize import clean_html
from calmkb.wings.site.text.spark import spark

# As in mkdocs.yml.
EXTENSIONS = [
    *("admonition", "attr_list", "md_in_html", "tables", "toc"),
    *("pymdownx.highlight", "pymdownx.superfences"),
]


def test_nothing_is_drawn_of_nothing_or_of_two_steps() -> None:
    assert spark([]) == spark([0, 0, 0]) == spark([3, 1]) == ""


def test_a_bar_for_each_count_that_is_any() -> None:
    drawn = ElementTree.fromstring(spark([4, 0, 2]))
    assert drawn[0].get("d") == "M0 16V0H4V16ZM10 16V8H14V16Z"
    assert drawn.get("aria-hidden") == "true"


def test_it_stands_in_a_list_and_in_a_paragraph_as_it_is() -> None:
    drawn = spark([3, 0, 1])
    page = clean_html(markdown.markdown(f"- 4 {drawn} *it*\n\n{drawn} 4", extensions=EXTENSIONS))

    assert page.count(drawn.replace("/></svg>", "></path></svg>")) == 2
    assert "<em>it</em>" in page
