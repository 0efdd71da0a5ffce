"""What was found by feeding hostile lists to the site, each with the smallest text that did it."""

from calmkb.wings.site.builder.rendering.markdown import Dialect, body
from calmkb.wings.site.text.sanitize import prose


def test_a_heading_cannot_take_the_place_of_the_themes_settings() -> None:
    html = body(Dialect(("toc",), {"toc": {"permalink": True}}, True), "x.md", "## __config")

    assert 'id="calm__config"' in html
    assert 'href="#calm__config"' in html


def test_a_tag_in_code_does_not_end_the_block_it_stands_in() -> None:
    quoted = prose("Ran `echo </div><div id=x>` and `<b>`.")
    text = f'<div class="calm-quotes" markdown>\n\n-   {quoted}\n\n</div>\n'
    html = body(Dialect(("md_in_html",), {}, True), "x.md", text)

    assert "<code>echo &lt;/div&gt;&lt;div id=x&gt;</code> and <code>&lt;b&gt;</code>" in html
    assert html.rstrip().endswith("</ul>\n</div>")
