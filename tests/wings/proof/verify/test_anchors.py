"""What a memory speaks of is kept with its blob, and held against the code since."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.proof.anchors.anchor import Anchor, parse_anchor, state_since
from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import library
from tests.cli.conftest import cli, project
from tests.conftest import git

__all__ = ["cli", "project"]

CLIENT = "export function refund(cents: number) {\n  return api.post(cents)\n}\n"
MAKE = "lint:\n\truff check .\n\ntest: lint\n\tpytest\n"
TEXT = "Call `src/pay.ts:refund` with cents, and run `make lint` before a commit."
LANGUAGES = {
    "a.py": ("def refund(c):\n    return c\n", "def refund(c):\n    return -c\n"),
    "a.ts": ("function refund(c) { return c }", "function refund(c) { return -c }"),
    "a.js": ("const refund = (c) => c", "const refund = (c) => -c"),
    "a.go": ("package a\nfunc refund() int { return 1 }",
             "package a\nfunc refund() int { return 2 }"),
    "a.rs": ("fn refund() -> i32 { 1 }", "fn refund() -> i32 { 2 }"),
    "A.java": ("class A { int refund() { return 1; } }", "class A { int refund() { return 2; } }"),
    "a.sh": ("refund() {\n  echo 1\n}\n", "refund() {\n  echo 2\n}\n"),
}  # fmt: skip
RUNNERS = {
    "Makefile": ("make lint", MAKE, MAKE.replace("ruff check", "flake8")),
    "package.json": ("script lint", '{"scripts": {\n  "lint": "eslint",\n  "e2e": "x"\n}}',
                     '{"scripts": {\n  "lint": "biome",\n  "e2e": "x"\n}}'),
    "justfile": ("just lint", "lint:\n  ruff .\n", "lint:\n  flake8\n"),
    "mise.toml": ("mise lint", '[tasks.lint]\nrun = "a"\n', '[tasks.lint]\nrun = "b"\n'),
}  # fmt: skip

LEDGER = "`src/pay.ts` must round before it posts, or the ledger is a cent off."


@pytest.fixture
def shop(project: Path) -> Path:
    """The project with a function and a target, committed."""
    write(project, {"src/pay.ts": CLIENT, "Makefile": MAKE})
    return project


def write(folder: Path, files: dict[str, str], message: str = "Begin") -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
        git(folder, "add", path)
    git(folder, "commit", "-qm", message)


def approve(cli) -> str:
    assert cli("memory", "add", "--category", "fact", "--scope", "shop", TEXT).code == 0
    return str(json.loads(cli("memory", "list", "--json").out)["memories"][0]["id"])


def findings(cli, *options: str) -> list[tuple[str, str, int]]:
    rows = json.loads(cli("verify", "--json", *options).out)["findings"]
    return [(row["rule"], row["path"], row["line"]) for row in rows]


def test_an_approved_memory_keeps_the_blobs_of_what_it_speaks_of(shop, cli):
    approve(cli)
    (record,) = shop.glob("journal/memories/fact/*.md")
    blobs = {
        path: git(shop, "rev-parse", f"HEAD:{path}").strip() for path in ("src/pay.ts", "Makefile")
    }
    assert f"src/pay.ts:refund at {blobs['src/pay.ts']}" in record.read_text()
    assert f"make lint in Makefile at {blobs['Makefile']}" in record.read_text()
    said = cli("verify")
    assert (said.code, said.out) == (
        0,
        "0 problems: 0 references in 0 files, 2 anchors of 1 memory\n",
    )


def test_a_definition_that_changed_is_told_on_its_line_with_the_first_lines_of_the_difference(
    shop, cli
):
    name = approve(cli)[:8]
    write(
        shop, {"src/pay.ts": "// money\n" + CLIENT.replace("api.post(cents)", "queue.add(cents)")}
    )
    assert findings(cli) == [("changed-anchor", "src/pay.ts", 2)]
    said = cli("verify")
    assert said.code == 0, "a change of the code is a reason to look, not an error"
    assert "-  return api.post(cents)\n  +  return queue.add(cents)" in said.out
    assert f"calmkb memory edit {name}, or calmkb memory retire {name}" in said.out
    assert cli("memory", "edit", name, "--text", TEXT).code == 0
    assert findings(cli) == [], "a person said that it still holds"


def test_an_edit_beside_it_or_by_a_formatter_breaks_nothing(shop, cli):
    approve(cli)
    write(shop, {
        "src/pay.ts": "import api from 'api'\n" + CLIENT.replace("  return", "    return"),
        "Makefile": MAKE.replace("pytest", "pytest -n2"),
    })  # fmt: skip
    assert findings(cli) == []


def test_a_file_that_moved_is_followed_and_the_new_words_are_offered(shop, cli):
    approve(cli)
    git(shop, "mv", "src/pay.ts", "src/refunds.ts")
    git(shop, "commit", "-qm", "Name it")
    assert findings(cli) == [("moved-anchor", "src/refunds.ts", 1)]
    said = cli("verify").out
    assert "`src/pay.ts` is now `src/refunds.ts`" in said
    assert "--text 'Call `src/refunds.ts:refund` with cents" in said


def test_what_is_gone_is_an_error(shop, cli):
    approve(cli)
    write(
        shop,
        {"src/pay.ts": "export const nothing = 1\n", "Makefile": MAKE.replace("lint", "check")},
    )
    assert findings(cli) == [("gone-anchor", "src/pay.ts", 1), ("gone-anchor", "Makefile", 1)]
    assert cli("verify").code == 1


def test_a_branch_is_told_only_what_it_breaks_itself(shop, cli):
    approve(cli)
    write(shop, {"src/pay.ts": CLIENT.replace("api", "queue")}, "before the branch")
    assert findings(cli, "--since", "HEAD") == []
    write(shop, {"Makefile": MAKE.replace("ruff check", "flake8")}, "the branch")
    assert findings(cli, "--since", "HEAD~1") == [("changed-anchor", "Makefile", 1)]
    shown = cli("verify", "--since", "HEAD~1", "--format", "github").out
    assert shown.startswith("::notice file=Makefile,line=1")


@pytest.mark.parametrize("path", LANGUAGES)
def test_a_definition_is_judged_in_each_language(path):
    pytest.importorskip("tree_sitter", reason="the [code] extra is not installed")
    before, after = LANGUAGES[path]
    anchor = Anchor(f"{path}:refund", path, "0" * 40)
    assert state_since(anchor, before, before) == ("held", "")
    assert state_since(anchor, before, after)[0] == "changed"
    assert state_since(anchor, before, before.replace("refund", "other"))[0] == "gone"


@pytest.mark.parametrize("path", RUNNERS)
def test_a_target_is_judged_by_its_own_lines(path):
    value, before, after = RUNNERS[path]
    anchor = Anchor(value, path, "0" * 40)
    assert state_since(anchor, before, before) == ("held", "")
    assert state_since(anchor, before, after)[0] == "changed"
    assert state_since(anchor, before, before.replace("lint", "check"))[0] == "gone"


WORD = st.from_regex(r"[a-z][a-z0-9_.-]{0,12}", fullmatch=True)


@given(
    st.lists(WORD, min_size=1, max_size=3),
    WORD,
    st.text("0123456789abcdef", min_size=40, max_size=40),
)
def test_an_anchor_is_read_as_it_was_written(folders, symbol, blob):
    path = "/".join(folders)
    for anchor in (Anchor(path, path, blob), Anchor(f"{path}:{symbol}", path, blob),
                   Anchor(f"make {symbol}", f"{path}/Makefile", blob)):  # fmt: skip
        assert parse_anchor(anchor.line) == anchor


@given(st.text(max_size=80))
def test_a_line_that_is_no_anchor_is_none(text):
    found = parse_anchor(text)
    assert found is None or parse_anchor(found.line) == found


def test_moved_paths_are_written_as_they_are_now_and_nothing_else(shop, cli):
    (shop / "docs").mkdir()
    (shop / "src/pay.ts.bak").write_text(CLIENT)
    before = (
        "# Shop\r\nRead `src/pay.ts`, src/pay.ts.bak and [it](src/pay.ts).\r\nRun `make lint`.\r\n"
    )
    (shop / "CLAUDE.md").write_bytes(before.encode())
    (shop / "docs/AGENTS.md").write_text("See [the client](../src/pay.ts), and `pay.ts` again.\n")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "Tell agents")
    git(shop, "mv", "src/pay.ts", "src/refunds.ts")
    git(shop, "commit", "-qm", "Name it")
    said = cli("verify", "--fix")
    assert "Fixed CLAUDE.md:2: `src/pay.ts` is now `src/refunds.ts`" in said.out
    assert (shop / "CLAUDE.md").read_bytes().decode() == (
        "# Shop\r\nRead `src/refunds.ts`, src/pay.ts.bak and [it](src/refunds.ts).\r\n"
        "Run `make lint`.\r\n"
    )
    text = (shop / "docs/AGENTS.md").read_text()
    assert "[the client](../src/refunds.ts)" in text
    assert (said.code, "0 problems: " in said.out) == (0, True)
    assert "Fixed" not in cli("verify", "--fix").out
    assert cli("verify", "--fix", "--at", "HEAD").code == 1


def test_a_memory_shows_what_it_speaks_of_and_whether_that_holds(shop, cli):
    name = approve(cli)
    write(shop, {"src/pay.ts": CLIENT.replace("api", "queue")})
    said = cli("memory", "show", name).out
    assert "Mentions\n  - src/pay.ts:refund: changed\n  - make lint: held" in said
    rows = json.loads(cli("memory", "show", name, "--json").out)["speaks_of"]
    assert [row["state"] for row in rows] == ["changed", "held"]


def test_a_review_tells_what_a_proposal_speaks_of_before_it_is_approved(shop, cli, tmp_path):
    for day in ("Monday", "Tuesday"):
        friction = f"`make lint` rewrote the lock file again on {day}; `src/pay.ts:refund` broke."
        cli("wrapup", "--summary", f"Worked on {day}.", "--friction", friction)
    (one,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert one["speaks_of"] == ["make lint", "src/pay.ts:refund"]
    shown = " ".join(cli("reflect", "--dry-run").out.split())
    assert "mentions make lint, src/pay.ts:refund: you are told when one changes" in shown
    decided = tmp_path / "decided.json"
    decided.write_text(json.dumps({"proposals": [{"id": one["id"], "decision": "accept"}]}))
    assert cli("reflect", "--apply", str(decided)).code == 0
    (record,) = shop.glob("journal/memories/*/*.md")
    assert "src/pay.ts:refund at " in record.read_text()


def test_a_proposal_that_names_only_what_is_gone_is_held_back_and_shown_with_all(shop, cli):
    cli("wrapup", "--summary", "Worked.", "--learning", LEDGER)
    cli("wrapup", "--summary", "Went on.", "--learning", "`make lint` rewrites `src/pay.ts`.")
    assert len(json.loads(cli("reflect", "--json").out)["proposals"]) == 2
    write(shop, {"src/till.ts": "export const till = 1;\n"})
    git(shop, "rm", "-q", "src/pay.ts")
    git(shop, "commit", "-qam", "Rewrite the till")
    (left,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (left["text"], left["held"]) == ("`make lint` rewrites `src/pay.ts`.", None)
    assert "`src/pay.ts` is gone (" in left["outdated"]
    assert "1 held back: names what is gone" in cli("reflect", "--dry-run").out
    every = json.loads(cli("reflect", "--all", "--json").out)["proposals"]
    assert [one["held"] for one in every if one["text"] == LEDGER] == ["names what is gone"]


def test_a_proposal_says_where_what_it_names_has_moved(shop, cli):
    cli("wrapup", "--summary", "Worked.", "--learning", LEDGER)
    git(shop, "mv", "src/pay.ts", "src/refunds.ts")
    git(shop, "commit", "-qam", "Name it by what it does")
    (one,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert "`src/pay.ts` is now `src/refunds.ts`" in one["outdated"]
    assert "is now" in cli("reflect", "--dry-run").out


def test_a_memorys_page_names_what_changed(shop, cli, tmp_path):
    name = approve(cli)
    write(shop, {"src/pay.ts": CLIENT.replace("api", "queue")})
    around = Environment(home=tmp_path / "home", cwd=shop, user="ada", host="till")
    pages = stage(library(open_kb(around)))
    text = next(text for uri, text in pages.items() if name[:8] in uri)
    assert "<code>src/pay.ts:refund</code>" in text
    assert ">changed<" in text


def test_a_memory_for_all_projects_is_held_against_the_repository_it_was_approved_in(
    tmp_path, cli, home, monkeypatch
):
    for name, text in (("shop", CLIENT), ("bank", CLIENT.replace("api", "queue"))):
        folder = tmp_path / name
        folder.mkdir()
        git(folder, "init", "-q", "-b", "main")
        write(folder, {"src/pay.ts": text, "Makefile": f"{name}:\n\ttrue\n"})
    monkeypatch.chdir(tmp_path / "shop")
    assert (
        cli("memory", "add", "--category", "fact", "Run `make shop`; see `src/pay.ts`.").code == 0
    )
    write(tmp_path / "shop", {"Makefile": "till:\n\ttrue\n"})
    assert findings(cli) == [("gone-anchor", "Makefile", 1)]
    monkeypatch.chdir(tmp_path / "bank")
    assert findings(cli) == []
