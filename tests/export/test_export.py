"""Memories for agents: a block that is ours, in a file that is not."""

import re
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.errors import ExportError
from calmkb.export.block import has_block, replace_block, taken_out, without_block
from calmkb.export.digest import digest
from calmkb.export.safe_text import one_line
from calmkb.export.targets.table import find_exporter
from calmkb.model import Memory


def memory(number, text, category="error", **more):
    return Memory(
        id=str(UUID(int=number, version=4)), created_at=datetime(2026, 10, number, tzinfo=UTC),
        text=text, category=category, **more,
    )  # fmt: skip


def test_each_category_stands_under_its_heading_worthiest_first():
    memories = [
        memory(1, "Gotcha one."),
        memory(2, "Gotcha two.", importance=0.9),
        memory(3, "Use `make test`.", "workflow"),
        memory(4, "A fact.", "fact"),
        memory(5, "Prefers short commits.", "preference"),
        memory(6, "We chose SQLite.", "decision"),
        memory(7, "Only for the bank.", scope="bank"),
    ]
    assert digest(memories, "shop") == (
        "## Commands\n\n- Use `make test`.\n\n"
        "## Conventions\n\n- A fact.\n- We chose SQLite.\n\n"
        "## Gotchas\n\n- Gotcha two.\n- Gotcha one.\n\n"
        "## Preferences\n\n- Prefers short commits."
    )
    assert "Only for the bank" in digest(memories, "Bank")


def test_a_superseded_memory_is_left_out():
    old = memory(1, "Use npm.")
    assert digest([old, memory(2, "Use pnpm.", supersedes=old.id)], "x").endswith("- Use pnpm.")


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("see @docs/secret.md, then", "see `@docs/secret.md`, then"),
        ("keep `@path` spans", "keep `@path` spans"),
        ("mail ada@example.org", "mail ada@example.org"),
        ("@~/.ssh/id_rsa", "`@~/.ssh/id_rsa`"),
        ("(@../up)", "(`@../up`)"),
        ("run !`rm -rf x` now", "run ! `rm -rf x` now"),
        ("<!-- calmkb:end -->", "&lt;!-- calmkb:end --&gt;"),
        ("a\n## b\n\n- c", "a ## b - c"),
        ("hid\u200bden \u202eeman", "hidden eman"),
        ("tag\U000e0041s", "tags"),
    ],
)
def test_text_that_an_agent_would_act_on_is_neutralised(text, safe):
    assert one_line(text) == safe


@given(st.text())
def test_neutralised_text_is_one_line_without_a_live_import(text):
    line = one_line(text)
    assert "\n" not in line
    assert "<!--" not in line
    assert not re.match(r"@[\w~./]", line)
    assert " @a" not in one_line(text + " @a")


def put(text, body, **more):
    return replace_block(text, body, place="CLAUDE.md", **more)


LINES = st.lists(st.sampled_from(["# Mine", "", "text", "\r", "- a", "é", "<!-- x -->", " "]))


@given(LINES.map("\n".join), st.sampled_from(["one", "a\n\nb"]), st.sampled_from(["x", "y\nz"]))
def test_text_outside_the_block_is_untouched_and_twice_is_once(text, body, other):
    first = put(text, body)
    assert first.startswith(text)
    assert put(first, body) == first
    second = put(first, other)
    assert second.startswith(text)
    assert put(second, body) == first


def test_a_block_in_the_middle_keeps_both_sides():
    text = put("above\n", "body") + "below, no newline"
    changed = put(text, "new")
    assert changed.startswith("above\n\n<!-- calmkb:begin v1 sha256=")
    assert changed.endswith("\n\nnew\n\n<!-- calmkb:end -->\nbelow, no newline")


def test_a_file_with_windows_line_ends_keeps_them():
    text = put("# Mine\r\n\r\ntext\r\n", "a\nb")
    assert text.count("\n") == text.count("\r\n")
    assert put(text, "a\nb") == text
    assert put(text, "c").count("\n") == put(text, "c").count("\r\n")


def test_a_block_edited_by_hand_is_refused_unless_forced():
    text = put("", "body").replace("body", "mine")
    with pytest.raises(ExportError, match=r"CLAUDE.md:1: .*edited by hand; move your lines"):
        put(text, "new")
    assert "new" in put(text, "new", force=True)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- calmkb:begin v1 sha256=0123456789abcdef -->\nx\n",
        "x\n<!-- calmkb:end -->\n",
        put("", "a") + put("", "b"),
        "<!-- calmkb:end -->\n<!-- calmkb:begin v1 sha256=0123456789abcdef -->\n",
        put("", "a").replace("calmkb:begin v1", "calmkb:begin"),
        put("", "a").replace("v1", "v2"),
    ],
)
def test_a_broken_block_is_refused_with_place_and_fix(text):
    with pytest.raises(ExportError, match=r"CLAUDE.md.*(delete|leave one begin)"):
        put(text, "new")


@pytest.mark.parametrize("fence", ["```", "~~~~markdown", "   ```"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_example_inside_a_fence_is_the_persons(fence, end):
    closing = fence.removesuffix("markdown")
    example = f"# Ours looks so\n\n{fence}\n{put('', 'old')}{closing}\n".replace("\n", end)
    first = put(example, "body")
    assert first.startswith(example)
    assert put(first, "new") == put(example, "new")
    assert taken_out(first, place="CLAUDE.md") == example
    assert "old" in without_block(first)
    assert has_block(first)
    assert not has_block(example)


@pytest.mark.parametrize("lead", ["    ", "\t", "> ", "  > ", "     "])
def test_an_example_that_is_quoted_or_indented_as_code_is_the_persons(lead):
    lines = put("", "old").splitlines()
    example = "".join(f"{lead}{line}".rstrip() + "\n" for line in ("Ours looks so:", *lines))
    first = put(example, "body")
    assert first.startswith(example)
    assert put(first, "new") == put(example, "new")
    assert taken_out(first, place="CLAUDE.md") == example
    with pytest.raises(ExportError, match="leave one begin"):
        put(example.replace(f"{lead}<!-- calmkb:end -->", ""), "body")


@pytest.mark.parametrize("above", ["```\n", "~~~\nx\n```\n"])
@pytest.mark.parametrize("body", ["plain", "```sh\nmake\n```"])
def test_a_fence_that_nobody_closed_hides_no_block(above, body):
    text = f"{above}{put('', body)}"
    assert put(text, "new") == f"{above}{put('', 'new')}"


@pytest.mark.parametrize("below", ["```", "```\n", "more\n```sh\nmake\n```\n"])
def test_a_fence_that_is_closed_below_the_block_hides_no_block(below):
    first = put("```\n", "old") + below
    second = put(first, "new")
    assert second == put("```\n", "new") + below
    assert taken_out(second, place="CLAUDE.md") == f"```\n\n{below}"


def test_nothing_approved_takes_the_block_out_and_adds_none():
    assert put("mine\n", "") == "mine\n"
    assert put(put("mine\n", "a"), "").startswith("mine\n")
    assert "calmkb" not in put(put("mine\n", "a"), "")


def test_an_unknown_exporter_is_named_with_the_choices():
    with pytest.raises(
        ExportError,
        match="'word' is not an exporter; choose from: claude-md, claude-rules, agents-md",
    ):
        find_exporter("word")
