"""What the theme puts around a page, front matter, the navigation: parts that every build uses."""

from typing import Any

import pytest

from calmkb.wings.site.builder.looks import navigation
from calmkb.wings.site.builder.rendering.staged_page import meta_of
from calmkb.wings.site.builder.rendering.theme import squeezed


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        ("<a>\n   <b>\n\n<p>x</p>\n  </b>", "<p>x</p>", "<a>\n<b>\n\n<p>x</p>\n  </b>"),
        ("<a>\n  <b>", "", "<a>\n  <b>"),
        ("<i>\n\n<i>X<i>\n\n<i>X", "X", "<i>\n\n<i>X<i>\n\n<i>X"),
        ("<a>\n \n<b>P\n\nQ</b>", "P\n\nQ", "<a>\n<b>P\n\nQ</b>"),
    ],
)
def test_only_blanks_between_the_themes_tags_are_removed(
    before: str, content: str, after: str
) -> None:
    assert squeezed(before, content) == after


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('---\ntitle: "A: b"\n---\n\n# A', {"title": "A: b"}),
        ("---\nhide:\n- toc\n---\n", {"hide": ["toc"]}),
        ("---\ntitle: x\n---\n---\nnot: this\n---\n", {"title": "x"}),
    ],
)
def test_front_matter_is_read_from_the_first_block(text: str, found: dict[str, Any]) -> None:
    assert meta_of(text) == found


@pytest.mark.parametrize(
    ("staged", "own", "found"),
    [
        ([], [], []),
        ([("Home", "index.md")], [], [{"Home": "index.md"}]),
        ([("Home", "index.md")], ["b.md", "a.md"], [{"Home": "index.md"}, "a.md", "b.md"]),
        ([("Home", "index.md")], ["index.md"], [{"Home": "index.md"}]),
        ([], ["deep/a.md", "b.md"], ["b.md"]),
    ],
)
def test_the_users_top_pages_follow_the_staged_ones(
    staged: list[tuple[str, str]], own: list[str], found: list[Any]
) -> None:
    assert navigation(staged, own) == found
