"""What stands between markers goes as a whole; a marker that is only talked about stays."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.redact import Redactor
from calmkb.redact.spans import UNCLOSED, drop_injected, hide_private, hide_spans

R = Redactor(home=Path("/home/ada"))
BLOCK = "<!-- calmkb:begin v1 sha256=0123456789abcdef made by `calmkb export` -->\n- a\n"
END = "<!-- calmkb:end -->"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <private>b</private> c", "a [private] c"),
        ("a <private>\nb\n</private>\nc", "a [private]\nc"),
        ("a <Private>b<PRIVATE>c</private>d</private> e", "a [private] e"),
        ('a < private why="x">b</ PRIVATE > c', "a [private] c"),
        ("a </private> b", "a </private> b"),
        ("<privateer> b", "<privateer> b"),
        ("`<private>b</private>` c", "`[private]` c"),
    ],
)
def test_a_private_span_goes_however_its_tags_are_written(text, kept):
    assert hide_private(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "<private>b",
        "<private> b\nc\n\nd",
        "Ok.\n  - <private> b",
        "Keep this to yourself. <private>\nb",
        "For me: <private> b",
        "a <private>b",
        "a <private>b<private>c</private> d",
        "a<private> b",
    ],
)
def test_a_tag_that_nobody_closed_hides_the_rest_and_says_so(text):
    kept = hide_private(text)
    assert kept.endswith(UNCLOSED)
    assert "b" not in kept.removesuffix(UNCLOSED)


@pytest.mark.parametrize(
    "text",
    [
        "The tag `<private>` hides a passage",
        "Write `<private>` before it and `</private>` after it",
        'They call it "<private>" in the manual',
        "A lone <private> in a sentence is text",
    ],
)
def test_a_tag_that_is_talked_about_loses_nothing(text):
    assert hide_private(text) == text


def test_a_span_after_a_tag_that_is_talked_about_goes_too():
    text = "a <private> tag\nthe <private>b</private> c"
    assert hide_private(text) == "a <private> tag\nthe [private] c"
    assert hide_private("`<private>` and <private>b</private> c") == "`<private>` and [private] c"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"a\n{BLOCK}{END}\nb", "a\n\nb"),
        (f"a\n   12→{BLOCK}{END}\nb", "a\n   12→\nb"),
        (f"> {BLOCK}{END}b", "> b"),
        ("a <calmkb-context>\nNo, use yarn\n</calmkb-context> b", "a  b"),
    ],
)
def test_text_that_calmkb_gave_an_agent_goes(text, kept):
    assert drop_injected(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "Text before <!-- calmkb:begin v1 --> and the rest",
        f"Text before <!-- calmkb:begin v1 --> and {END} the rest",
        f"{BLOCK}and no end",
        "The marker `<!-- calmkb:begin v1 -->` opens it\nand `<!-- calmkb:end -->` closes it",
        "<calmkb-context> and no end",
        "`<calmkb-context>` to `</calmkb-context>` is left out",
    ],
)
def test_a_marker_that_is_quoted_or_not_closed_loses_nothing(text):
    assert drop_injected(text) == text


def test_spans_in_json_lines_stay_inside_their_value():
    lines = [{"text": "a <private>\nb\n</private> c"}, {"text": "<private> d"}, {"text": "e"}]
    out = R.json_lines("\n".join(map(json.dumps, lines)).encode()).decode().split("\n")
    assert [json.loads(line)["text"] for line in out] == ["a [private] c", UNCLOSED, "e"]


def test_a_span_over_many_lines_of_a_plain_log_goes_as_a_whole():
    log = '{"a": "x"}\nuser: <private>\nthe client is Acme\n</private>\nuser: thanks\n{"a": "y"}'
    kept = '{"a": "x"}\nuser: [private]\nuser: thanks\n{"a": "y"}'
    assert R.json_lines(log.encode()).decode() == kept


def test_a_text_of_many_lines_is_no_json():
    assert R.text_or_json("ok <private>\nNo, use yarn\n</private> ok?") == "ok [private] ok?"
    assert R.text_or_json('{"a": "<private>\\nb</private>"}') == '{"a":"[private]"}'


def test_a_json_document_over_many_lines_stays_json():
    document = json.dumps({"turns": [{"said": "<private>\nb\n</private>", "n": 1}]}, indent=1)
    out = json.loads(R.json_lines(document.encode()))
    assert out == {"turns": [{"said": "[private]", "n": 1}]}


PIECES = st.sampled_from(["<private>", "</private>", "`", '"', " ", "\n", ".", "a", BLOCK, END])


@given(st.lists(PIECES, max_size=14).map("".join))
def test_no_word_inside_a_closed_span_survives(before):
    text = f"{before}\n<private>needle</private> after"
    assert "needle" not in hide_spans(text)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_hiding_twice_is_hiding_once(text):
    once = hide_private(text)
    assert hide_private(once) == once
