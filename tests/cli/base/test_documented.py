"""What the project's own instruction files say is not presented for review again."""

import json
import os

import pytest

from tests.conftest import git

RULE = "Run mise run fmt and mise run lint before every commit"
OTHER = "The end-to-end job needs the database container; nothing said so."


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def lesson(project, cli):
    """Return the project after sessions that taught one rule and one other thing."""
    for friction in (RULE, OTHER):
        assert cli("wrapup", "--summary", "Worked.", "--friction", friction).code == 0
    return project


def held(cli):
    document = json.loads(cli("reflect", "--json").out)
    return [(one["text"], one["held"]) for one in document["held"]]


@pytest.mark.parametrize(
    "place",
    ["CLAUDE.md", "AGENTS.md", ".claude/rules/style.md", ".cursor/rules/own.mdc", ".cursorrules",
     ".github/copilot-instructions.md", "GEMINI.md", "README.md", "CONTRIBUTING.md"],
)  # fmt: skip
def test_what_a_file_of_the_project_says_is_held_back_with_its_line(lesson, cli, place):
    put(lesson / place, f"# Shop\n\n<!-- a\ncomment -->\n- Prices are cents.\n- {RULE}.\n")
    assert held(cli) == [(RULE, f"already in {place}: line 6")]
    shown = cli("reflect", "--dry-run").out
    assert f"1 held back: already in {place}: line 6. See them: calmkb reflect --all" in shown
    assert (RULE in shown, OTHER in shown) == (False, True)
    shown = cli("reflect", "--dry-run", "--all").out
    assert RULE in shown and f"! held back: already in {place}: line 6" in shown


def test_an_import_is_followed(lesson, cli):
    put(lesson / "CLAUDE.md", "See @docs/rules.md\n")
    put(lesson / "docs/rules.md", f"One\nparagraph. {RULE.replace('before', 'before' + chr(10))}.")
    assert held(cli) == [(RULE, "already in docs/rules.md: line 2")]


def test_our_own_digest_is_nobodys_hand(lesson, cli):
    put(lesson / "CLAUDE.md", f"Mine.\n<!-- calmkb:begin v1 -->\n- {RULE}\n<!-- calmkb:end -->\n")
    assert held(cli) == []


def test_a_proposal_that_contradicts_a_file_is_shown_with_its_words(project, cli):
    cli("wrapup", "--summary", "x", "--friction", "Use pnpm for every script, not npm.")
    put(project / "CLAUDE.md", "# Shop\n\nUse npm for every script, not pnpm.\n")
    (found,) = json.loads(cli("reflect", "--json").out)["proposals"]
    words = "CLAUDE.md: line 3: Use npm for every script, not pnpm."
    assert (found["contradicts"], found["held"]) == (words, None)
    assert f"! contradicts {words}" in cli("reflect", "--dry-run").out


def test_an_opposite_that_shares_little_is_not_called_a_contradiction(project, cli):
    lesson = "Ask the owner about removed `# noqa` comments before you run `make lint`."
    cli("wrapup", "--summary", "x", "--friction", lesson)
    put(project / "CLAUDE.md", "Run `make lint` before committing changes.")
    (found,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert (found["contradicts"], found["held"]) == (None, None)


def test_what_is_held_can_still_be_accepted_by_file(lesson, cli, tmp_path):
    put(lesson / "CLAUDE.md", RULE)
    document = json.loads(cli("reflect", "--json").out)
    document["held"][0]["decision"] = "accept"
    (tmp_path / "d.json").write_text(json.dumps({"proposals": document["held"]}))
    assert "Memories created: 1" in cli("reflect", "--apply", str(tmp_path / "d.json")).out


def test_nothing_is_read_behind_a_link_that_leads_out(lesson, cli, tmp_path):
    put(tmp_path / "outside" / "rules.md", RULE)
    (lesson / "CLAUDE.md").symlink_to(tmp_path / "outside" / "rules.md")
    (lesson / ".claude").symlink_to(tmp_path / "outside")
    put(lesson / "AGENTS.md", f"@{tmp_path}/outside/rules.md @../outside/rules.md")
    put(tmp_path / "CLAUDE.md", RULE)
    assert held(cli) == []


def test_hostile_files_hold_nothing_back_and_break_nothing(lesson, cli):
    put(lesson / "CLAUDE.md", RULE.encode() + b"\n" + b"x" * 300_000)
    put(lesson / "GEMINI.md", b"\xff\xfe\n\n- " + RULE.encode() + b"\xff\n@\x1b[31m.md")
    put(lesson / "README.md", "<!--" * 50_000)
    os.mkfifo(lesson / "CONTRIBUTING.md")
    (lesson / "AGENTS.md").symlink_to("AGENTS.md")
    assert held(cli) == [(RULE, "already in GEMINI.md: line 3")]


def test_control_characters_of_a_files_name_are_shown_and_not_sent(lesson, cli):
    put(lesson / "CLAUDE.md", "@docs/\x1b[31mred.md")
    put(lesson / "docs/\x1b[31mred.md", RULE)
    assert held(cli)
    for options in ([], ["--all"]):
        assert "\x1b[31m" not in cli("reflect", "--dry-run", *options).out


def test_a_pull_request_does_not_propose_it(lesson, cli, tmp_path):
    put(lesson / "CLAUDE.md", RULE)
    git(lesson, "init", "-q", "--bare", str(tmp_path / "there.git"))
    git(lesson, "remote", "add", "origin", str(tmp_path / "there.git"))
    git(lesson, "push", "-q", "-u", "origin", "HEAD")
    shown = cli("reflect", "--pr", "--dry-run").out
    assert (RULE in shown, "database container" in shown) == (False, True)


def test_advice_that_bypasses_a_check_names_the_line_that_asks_for_it(project, cli):
    point = "If the hook is in the way, `git commit --no-verify` gets the fixture in."
    cli("wrapup", "--summary", "x", "--friction", point)
    put(project / "CLAUDE.md", "# Shop\n\n- Every commit must pass the pre-commit hooks.\n")
    (made,) = json.loads(cli("reflect", "--json").out)["proposals"]
    where = "CLAUDE.md: line 3: - Every commit must pass the pre-commit hooks."
    assert made["contradicts"] == where
    assert f"contradicts {where}" in " ".join(cli("reflect", "--dry-run").out.split())


def test_advice_that_bypasses_a_check_names_the_memory_that_asks_for_it_and_replaces_nothing(
    project, cli
):
    assert cli("memory", "add", "Never commit without signing.", "--category", "workflow").code == 0
    point = "Where the agent has no key, `git commit --no-gpg-sign` works."
    cli("wrapup", "--summary", "x", "--friction", point)
    (made,) = json.loads(cli("reflect", "--json").out)["proposals"]
    assert made["contradicts"].endswith(": Never commit without signing.")
    assert made["contradicts"].startswith("the memory ")
    assert made["verdict"] == "new"
