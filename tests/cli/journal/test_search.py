"""`calmkb search` and `calmkb show`: a line each, then the whole."""

import json
import re

import pytest

from calmkb.cli.base.text import _PLAIN, visible
from calmkb.kb.search.meaning import AT_ONCE
from calmkb.redact.invisible import show_invisible


def wrap(cli, summary, *more):
    return json.loads(cli("wrapup", "--summary", summary, "--json", *more).out)["id"]


def test_a_search_shows_a_line_each_with_what_it_costs(project, cli):
    identity = wrap(cli, "Moved the fixture.", "--friction", "The lock file was rewritten.")
    said = cli("search", "fixtures")
    line = said.out.split("\n")[0]
    assert line.startswith(f"{identity[:8]}  20")
    assert line.endswith(" tokens  Moved the fixture.")
    assert "session     shop  ~" in line
    assert "calmkb show ID" in said.out
    below = cli("search", "rewriting", "locks").out.split("\n")[1]
    assert below == "          The lock file was rewritten."


def test_a_search_as_json(project, cli):
    identity = wrap(cli, "Moved the fixture.")
    said = json.loads(cli("search", "fixture", "--json").out)
    (hit,) = said["hits"]
    assert (said["count"], hit["id"], hit["kind"]) == (1, identity, "session")
    assert set(hit) == {"id", "kind", "project", "headline", "snippet", "tokens", "score",
                        "created_at"}  # fmt: skip


@pytest.mark.parametrize(
    "typed", ["pnmp", "poisning", "silentErorr", "rewriten", "POISNING rewriten"]
)
def test_one_slip_in_each_word_is_forgiven_and_said(project, cli, typed):
    identity = wrap(cli, "Moved pnpm.", "--friction", "Poisoning: silentError, lock rewritten.")
    wrap(cli, "Another session about agents.")
    said = cli("search", typed)
    assert said.out.startswith(identity[:8]) and said.out.count("session ") == 1
    assert said.err.startswith(f"No record holds {typed}; shown: ")
    assert [hit["id"] for hit in json.loads(cli("search", typed, "--json").out)["hits"]] == [
        identity
    ]


@pytest.mark.parametrize("typed", ["gaget", "npx", "xyzzy", '"', "log*"])
def test_a_word_that_is_merely_like_another_finds_nothing(project, cli, typed):
    wrap(cli, "The agent said npm.")
    said = cli("search", typed)
    assert (said.code, said.out, said.err) == (0, "Nothing found.\n", "")


def test_nothing_found_is_said(project, cli):
    wrap(cli, "One.")
    said = cli("search", "xyzzy")
    assert (said.code, said.out) == (0, "Nothing found.\n")
    assert cli("search", "One", "--since", "2999-01-01").out == "Nothing found.\n"
    assert cli("search", "--since", "soon", "One").code == 1


def test_show_prints_records_in_full(project, cli):
    first, second = wrap(cli, "First.", "--next", "go on"), wrap(cli, "Second.")
    said = cli("show", second[:6], first)
    assert said.out.index("Second.") < said.out.index("First.")
    assert "Next Steps:\n- go on\n" in said.out
    rows = json.loads(cli("show", first, "--json").out)["records"]
    assert (rows[0]["summary"], rows[0]["next_steps"]) == ("First.", ["go on"])
    missing = cli("show", "ffff")
    assert (missing.code, "'ffff' not found" in missing.err) == (1, True)


def test_hidden_characters_are_seen_in_both(project, cli):
    identity = wrap(cli, "Hid\u202eden fixture.", "--friction", "zero\u200bwidth")
    assert "Hid\u2039U+202E\u203aden" in cli("search", "fixture").out
    assert "zero\u2039U+200B\u203awidth" in cli("show", identity).out


def test_unreadable_records_are_named_beside_what_is_found(project, cli):
    wrap(cli, "One fixture.")
    bad = project / "journal/sessions/bad.md"
    bad.write_text("---\nid: [\n---\n")
    said = cli("search", "fixture")
    assert "One fixture." in said.out
    assert "sessions/bad.md:3: front matter is not YAML" in said.err


def test_text_that_is_shown_without_the_filter_holds_nothing_hidden():
    plain = [chr(code) for code in range(0x3000) if _PLAIN.fullmatch(chr(code))]
    assert len(plain) > 700
    assert [c for c in plain if show_invisible(c) != c] == []
    assert visible("a\u00adb") == show_invisible("a\u00adb") != "a\u00adb"


def test_with_the_extra_the_best_are_ordered_by_meaning_too(project, cli):
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.search.search import search

    for words in ("The build hung.", "The build is slow.", "The build failed."):
        cli("wrapup", "--summary", words)
    kb = open_kb(process_environment())
    plain = [hit.headline for hit in search(kb, "build").hits]

    def means_the_last(texts):
        return [
            [1.0, 0.0] if text.strip() in ("build", plain[-1]) else [0.0, 1.0] for text in texts
        ]

    meant = [hit.headline for hit in search(kb, "build", embed=means_the_last).hits]
    assert meant[0] == plain[-1]
    assert sorted(meant) == sorted(plain)


def test_records_of_one_second_keep_their_order_when_the_index_is_built_again(project, cli):
    for number in range(8):
        cli("wrapup", "--summary", f"The build hung {number} times.")
    found = cli("search", "build", "--no-meaning").out
    (index,) = (project / ".git/calmkb").glob("index-*.sqlite")
    for name in sorted((project / "journal").rglob("*.md"), reverse=True):
        name.write_bytes(name.read_bytes())  # read again, each in a new row
        assert cli("search", "build", "--no-meaning").out == found
    index.unlink()
    assert cli("search", "build", "--no-meaning").out == found


def test_a_first_search_by_meaning_answers_by_words_and_says_how_to_go_on(project, cli):
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.search.search import search

    for number in range(AT_ONCE + 2):
        cli("wrapup", "--summary", f"The build hung {number} times.")
    kb = open_kb(process_environment())
    asked: list[str] = []

    def by_length(texts):
        asked.extend(texts)
        return [[1.0, -float(re.search(r"[0-9]+|$", text)[0] or 1)] for text in texts]

    words = [hit.headline for hit in search(kb, "build", limit=20).hits]
    first = search(kb, "build", limit=20, embed=by_length)
    assert [hit.headline for hit in first.hits][-2:] == words[-2:]
    assert [hit.headline for hit in first.hits] != words
    assert (first.vectors_missing, len(asked)) == (2, AT_ONCE + 1)  # and the query's own
    few = search(kb, "build", limit=10, embed=by_length)
    assert (few.vectors_missing, len(few.hits)) == (0, 10)
    assert search(kb, "build", limit=20, embed=by_length).vectors_missing == 0


def test_the_command_says_so_in_one_line(project, cli):
    from calmkb.wings.semantic import minilm

    if not minilm.available():
        pytest.skip("needs the extra [semantic]")
    for number in range(AT_ONCE + 2):
        cli("wrapup", "--summary", f"The build hung {number} times.")
    said = cli("search", "build", "--limit", "20")
    assert said.out.count("The build hung") == AT_ONCE + 2
    assert "The last 2 are ordered by words alone" in said.err
    assert "by words alone" not in cli("search", "build", "--limit", "20").err
