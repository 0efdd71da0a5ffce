"""Record text becomes Markdown that shows all of it and can do nothing."""

import html
import re
import sys
import unicodedata

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.text.sanitize import clean_html, headline, label, line, prose

HOSTILE = "<>&{}[]()`*_#=-!|~^$:\\/\"'\n\t .,1x@+%"


def rendered(text: str) -> str:
    extensions = ["attr_list", "md_in_html", "tables", "toc", "pymdownx.superfences"]
    return markdown.markdown(prose(text), extensions=extensions)


def shown(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def test_paragraphs_lists_code_and_links_survive() -> None:
    page = rendered(
        "First `npm test` and **bold**.\n\n- one\n  - two\n\n1. a\n2. b\n\n"
        "```python\nx = {1: 2}\n```\n\nSee https://example.org/a_b?c=1&d=2."
    )

    assert "<code>npm test</code> and <strong>bold</strong>" in page
    assert re.search(r"<li>one\s*<ul>\s*<li>two", page)
    assert "<ol>" in page
    assert "x = {1: 2}" in html.unescape(page)
    assert 'href="https://example.org/a_b?c=1&amp;d=2"' in page


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("See [mod.rs](/home/ada/shop/src/mod.rs:45) first.", "See mod.rs first."),
        ("[`cart.go`](src/cart.go#L3) and [x](../a%20b.md)", "cart.go and x"),
        ("![the cart](cart.png)", "the cart"),
        ("[a](javascript:b.c) [see] (this)", "[a](javascript:b.c) [see] (this)"),
        ("m[i](j.x) is a call, [0](1) too", "m[i](j.x) is a call, [0](1) too"),
    ],
)
def test_a_link_into_a_folder_that_no_reader_has_is_its_words(text: str, seen: str) -> None:
    page = rendered(text)
    assert "<a" not in page
    assert shown(page) == seen


@pytest.mark.parametrize(
    "text",
    [
        "# Heading",
        "Heading\n=======",
        "Heading\n-------",
        "- # Heading in a list",
        "> ## Heading in a quote",
        "#\tHeading",
    ],
)
def test_no_text_makes_a_heading(text: str) -> None:
    assert not re.search(r"<h\d", rendered(text))
    assert "eading" in rendered(text)


@pytest.mark.parametrize(
    "text",
    [
        "{{ config }}",
        "{% include 'x' %}",
        "`{{ config }}`",
        "```\n{{ config }}\n{% raw %}\n```",
        "| {{ a }} |\n|---|",
    ],
)
def test_no_text_reaches_a_template_language(text: str) -> None:
    assert not re.search(r"\{[{%#]", prose(text))
    assert "config" in prose(text) or "include" in prose(text) or "a" in prose(text)


@pytest.mark.parametrize(
    "text",
    [
        '--8<-- "secret.txt"',
        '```\n--8<-- "secret.txt"\n```',
        "- --8<--\n  secret.txt",
        ";--8<-- 'secret.txt'",
    ],
)
def test_no_text_includes_a_file(text: str) -> None:
    assert "8<-" not in prose(text)


@pytest.mark.parametrize(
    "text",
    ["words {: onclick=alert(1) }", "words\n{: #id .class }", "# x { #mine }", "`x`{: style=a }"],
)
def test_no_text_sets_attributes(text: str) -> None:
    assert not re.search(r"<\w+ ", rendered(text))
    assert "{" in shown(rendered(text))


def test_no_text_defines_a_reference_or_a_footnote() -> None:
    page = rendered("[ok][x] and [^1]\n\n[x]: https://evil.example/\n[^1]: note")

    assert "[ok][x] and [^1]" in shown(page)
    assert "[x]: https://evil.example/" in shown(page).replace("\n", " ")


def test_images_become_links_and_scripts_become_words() -> None:
    page = rendered(
        "![pixel](https://evil.example/p.png) <script>alert(1)</script> [a](javascript:b)"
    )

    assert "<img" not in page
    assert "<script" not in page
    assert "javascript:b" in shown(page)
    assert 'href="javascript' not in page


def test_a_list_that_begins_elsewhere_keeps_its_number() -> None:
    assert "1986. A good year" in shown(rendered("1986. A good year"))
    assert "7. Seventh" in shown(rendered("7. Seventh"))


def test_a_diagram_language_is_not_handed_to_scripts() -> None:
    assert "mermaid" not in prose("```mermaid\ngraph TD\n```")


@settings(max_examples=150)
@given(st.text(alphabet=HOSTILE, max_size=80))
def test_any_text_is_inert_before_it_is_sanitized(text: str) -> None:
    page = rendered(text)

    assert not re.search(r"<(script|img|iframe|style|h\d|svg|input)\b", page)
    assert not re.search(r"<[a-z]+[^>]*\s(on\w+|style|id)=", page)
    assert not re.search(r"\{[{%#]", prose(text))


@settings(max_examples=150)
@given(st.text(alphabet="ab<>&{}[]()`*_#=-!|~^$:\\/\"' ", max_size=40))
def test_one_line_shows_exactly_the_text(text: str) -> None:
    page = markdown.markdown("# " + line(text) + " end", extensions=["attr_list"])

    assert shown(page).split() == [*text.split(), "end"]


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_a_label_needs_no_escaping_by_whoever_prints_it(text: str) -> None:
    assert not re.search(r"[<>\"'{}\n]", label(text))


def test_every_format_and_control_character_is_made_visible() -> None:
    shaping = set(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    kinds = {"Cf", "Cc", "Zl", "Zp"}
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if (
            unicodedata.category(character) in kinds
            and code not in shaping
            and character not in "\t\n\r"
        ):
            assert show_invisible(f"a{character}b") == f"a\u2039U+{code:04X}\u203ab"


def test_joiners_that_spell_a_word_or_an_emoji_stay() -> None:
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    technologist = "\U0001f469\u200d\U0001f4bb"

    assert show_invisible(persian) == persian
    assert show_invisible(technologist) == technologist
    assert show_invisible("\u2764\ufe0f") == "\u2764\ufe0f"
    assert "U+200D" in show_invisible("pay\u200dpal")


def test_a_headline_is_the_first_sentence_without_marks() -> None:
    assert headline("- Fixed `a_b` in **two** places. And more.") == "Fixed a_b in two places."
    assert headline("## Title\n\ntext") == "Title"
    assert headline("word " * 60, 40).endswith("word…")
    assert len(headline("x" * 500, 40)) <= 41


def test_sanitizing_keeps_our_own_elements() -> None:
    ours = (
        '<h2 id="why">Why<a class="headerlink" href="#why" title="Permanent link">¶</a></h2>'
        '<ul class="calm-cards"><li><span class="calm-badge">x</span></li></ul>'
        '<meter min="0" max="3" value="2" title="2 sessions"></meter>'
        '<pre><code class="language-python"><span class="k">if</span></code></pre>'
        '<details class="note"><summary>x</summary></details><a href="../x/">in</a>'
    )

    assert clean_html(ours) == ours


@pytest.mark.parametrize(
    "raw",
    [
        "<script>alert(1)</script>",
        '<p onclick="x()">a</p>',
        '<iframe src="https://evil.example"></iframe>',
        '<p style="position:fixed">a</p>',
        '<a href="javascript:alert(1)">a</a>',
        '<img src="https://evil.example/p.png">',
        '<img src="//evil.example/p.png">',
        '<img src="/\\evil.example/p.png">',
        '<svg><animate onbegin="x()"/></svg>',
        '<input type="image" src="https://evil.example/p.png">',
        '<form action="https://evil.example"><button>go</button></form>',
        '<div class="mermaid" data-md-component="x">graph</div>',
        '<math><mtext><style><img src onerror="x()"></style></mtext></math>',
    ],
)
def test_sanitizing_drops_what_could_act(raw: str) -> None:
    cleaned = clean_html(raw)

    assert not re.search(
        r"script|evil|onclick|onerror|onbegin|style|form|animate|mermaid|data-", cleaned
    )


def test_links_that_leave_the_site_say_so() -> None:
    assert 'rel="noopener nofollow"' in clean_html(
        '<a title="a>b" href="https://example.org/">x</a>'
    )
    assert 'rel="noopener nofollow"' in clean_html('<a href="//example.org/">x</a>')
    assert "rel" not in clean_html('<a href="../other/">x</a>')
