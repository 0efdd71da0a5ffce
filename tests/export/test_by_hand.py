"""What people wrote by hand is not said again, and a hostile repository learns nothing by it."""

import os

import pytest

from calmkb.config import Config
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.instructions.files import imports_in, instruction_files
from calmkb.kb.instructions.handwritten import handwritten_matches
from calmkb.kb.search.methods import method_of
from tests.export.support import rule

PNPM = "Use pnpm for every script; npm rewrites the lock file."


@pytest.fixture
def shop(tmp_path):
    """Return a project's folder, below a folder of the person's, beside a home."""
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    return folder


def met(shop, *memories, reader="claude-md"):
    home = shop.parent.parent / "home"
    kb = KnowledgeBase(shop, Config(), Environment(home=home, cwd=shop))
    files = instruction_files(EXPORTERS[reader].reader, shop, home)
    found = handwritten_matches([one.text for one in memories], files, lambda: method_of(kb))
    return [(one.place, one.words, one.opposite) for one in found if one]


def read(shop, reader="claude-md"):
    home = shop.parent.parent / "home"
    return [one.place for one in instruction_files(EXPORTERS[reader].reader, shop, home)]


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    "place",
    ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "../CLAUDE.md", ".claude/rules/own.md",
     "../../home/.claude/CLAUDE.md"],
)  # fmt: skip
def test_a_memory_that_a_person_wrote_is_met_where_claude_code_reads(shop, place):
    put(shop / place, f"# Rules\n\n- {PNPM}\n")
    ((found, words, opposite),) = met(shop, rule(1, PNPM), rule(2, "Prices are in cents."))
    assert (found.endswith(place.rpartition("/")[2]), words, opposite) == (True, "", False)


@pytest.mark.parametrize(
    ("reader", "place"),
    [("agents-md", "AGENTS.md"), ("gemini", "GEMINI.md"), ("cursor", ".cursorrules"),
     ("copilot", ".github/copilot-instructions.md"), ("cursor", ".cursor/rules/own.mdc")],
)  # fmt: skip
def test_other_readers_have_files_of_their_own(shop, reader, place):
    put(shop / place, PNPM)
    assert met(shop, rule(1, PNPM), reader=reader) == [(place, "", False)]
    assert met(shop, rule(1, PNPM), reader="claude-md") == []


def test_imports_are_followed_over_four_hops_and_no_further(shop):
    put(shop / "CLAUDE.md", "See @docs/1.md.")
    for number in range(1, 7):
        put(shop / f"docs/{number}.md", f"Number {number}: @{number + 1}.md @../CLAUDE.md @./1.md")
    assert read(shop) == ["CLAUDE.md", "docs/1.md", "docs/2.md", "docs/3.md", "docs/4.md"]


def test_an_opposite_is_told_with_a_few_words_and_no_secret(shop):
    token = "ghp_" + "a1B2" * 9
    put(
        shop / "CLAUDE.md",
        f"Use npm for every script, not pnpm; the key is {token}. {'So be it ' * 30}",
    )
    ((place, words, opposite),) = met(shop, rule(1, "Use pnpm for every script, not npm."))
    assert (place, opposite) == ("CLAUDE.md", True)
    assert words.startswith("Use npm for every script")
    assert (token in words, len(words) <= 121) == (False, True)


def test_words_from_outside_the_project_are_not_quoted(shop):
    put(shop.parent / "CLAUDE.md", "Use npm for every script, not pnpm.")
    ((_, words, opposite),) = met(shop, rule(1, "Use pnpm for every script, not npm."))
    assert (words, opposite) == ("", True)


def test_nothing_out_of_bounds_is_read(shop):
    outside = shop.parent.parent / "outside.md"
    put(outside, PNPM)
    put(shop.parent.parent / "home" / "notes.md", PNPM)
    put(shop.parent.parent / "home" / ".claude" / "own.md", PNPM)
    put(shop / ".env", PNPM)
    put(shop / "data.json", PNPM)
    put(shop / "big.md", "x" * 300_000)
    os.mkfifo(shop / "pipe.md")
    (shop / "folder.md").mkdir()
    (shop / "link.md").symlink_to(outside)
    (shop / "loop.md").symlink_to("loop.md")
    names = (
        "@/etc/passwd @../../outside.md @../../../../../../etc/hosts @~/notes.md @~/.claude/own.md "
        f"@.env @data.json @big.md @pipe.md @folder.md @link.md @loop.md @{outside} @a\0b.md "
        f"@{'x' * 5000} @CLAUDE.md @./ @. @~/ @/dev/zero @/proc/self/environ"
    )
    put(shop / "CLAUDE.md", names)
    assert read(shop) == ["CLAUDE.md", "~/.claude/own.md"]


@pytest.mark.parametrize("place", ["CLAUDE.md", ".claude"])
def test_a_memory_file_that_is_a_link_to_elsewhere_is_not_read(shop, place):
    elsewhere = shop.parent.parent / "elsewhere"
    put(elsewhere / "CLAUDE.md", PNPM)
    (shop / place).symlink_to(elsewhere / "CLAUDE.md" if place == "CLAUDE.md" else elsewhere)
    assert read(shop) == []


def test_what_stands_in_our_own_block_is_not_a_persons(shop):
    put(shop / "CLAUDE.md", f"Mine.\n<!-- calmkb:begin v1 -->\n- {PNPM}\n<!-- calmkb:end -->\n")
    assert met(shop, rule(1, PNPM)) == []


def test_code_and_comments_import_nothing():
    text = "`@a.md` <!-- @b.md --> x@c.md\n```\n@d.md\n```\n@e.md, (@f.md) <!-- @g.md"
    assert imports_in(text) == ["e.md", "f.md", "g.md"]


@pytest.mark.parametrize("piece", ["<!--", "@a ", "`", "```", "@a@", "<<<<<<< x\n", "- - "])
def test_a_hostile_file_is_read_to_its_end(shop, piece):
    put(shop / "CLAUDE.md", "Mine. " + piece * (200_000 // len(piece)))
    assert read(shop) == ["CLAUDE.md"]
    assert met(shop, rule(1, PNPM)) == []
