"""`calmkb session`: lists and single entries."""

import json
import re

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.wings.mcp.verbs import mark_reflected
from tests.conftest import git


def wrap(cli, summary, *more):
    return json.loads(cli("wrapup", "--summary", summary, "--json", *more).out)["id"]


def test_an_empty_journal_says_so(project, cli):
    assert cli("session", "list").out == "No journal entries found.\n"


def test_a_list_shows_one_line_each_and_marks_what_is_unreflected(project, cli):
    identity = wrap(cli, "First line.\nSecond line.")
    said = cli("session", "list")
    head, row = said.out.split("\n")[:2]
    assert head.split() == ["ID", "Created", "Project", "Summary"]
    assert row.startswith(f"* {identity[:8]}  20")
    assert row.endswith("shop     First line. Second line.")


def test_the_message_of_a_commit_steers_no_terminal_and_no_host(project, cli):
    wrap(cli, "a\x1b]0;owned\x07 [skip ci], closes #12")
    said = git(project, "log", "-1", "--format=%s")
    assert not set("\x1b\x07") & set(said)
    assert said.strip().endswith("(skip ci), closes, see #12")
    wrap(cli, "Fixes https://a.example/b/issues/3")
    assert (
        git(project, "log", "-1", "--format=%s")
        .strip()
        .endswith("Fixes, see https://a.example/b/issues/3")
    )


def test_words_of_a_commit_skip_no_checks(project, cli):
    wrap(cli, "Done [skip azurepipelines] [ci-skip] ***NO_CI***")
    said = git(project, "log", "-1", "--format=%s").strip()
    assert said.endswith("Done (skip azurepipelines) (ci-skip) (NO_CI)")
    identity = cli("memory", "add", "Never deploy on a Friday.").out.split()[2]
    cli("memory", "retire", identity, "--reason", "No.\n\n\nskip-checks: true\nRequest-Checks:true")
    assert "-checks:" not in git(project, "log", "-1", "--format=%B").casefold()


def test_filters_narrow_a_list(project, cli):
    wrap(cli, "One.", "--project", "bank")
    wrap(cli, "Two.", "--working-directory", "/srv/x/inn")
    listed = json.loads(cli("session", "list", "--project", "BANK", "--json").out)
    assert [row["summary"] for row in listed["entries"]] == ["One."]
    listed = json.loads(cli("session", "list", "--working-directory", "/srv/x/inn", "--json").out)
    assert [row["summary"] for row in listed["entries"]] == ["Two."]
    assert json.loads(cli("session", "list", "--limit", "1", "--json").out)["count"] == 1


def test_an_entry_is_shown_whole_by_a_beginning_of_its_id(project, cli):
    identity = wrap(cli, "One.", "--friction", "slow", "--next", "go on")
    said = cli("session", "show", identity[:6])
    for part in (identity, "Project:           shop", "Reflected:         not yet",
                 "Memories created:  0",
                 "Summary:\nOne.", "Friction Points:\n- slow", "Next Steps:\n- go on"):  # fmt: skip
        assert part in said.out


def test_twenty_are_listed_unless_another_number_is_asked_for(project, cli):
    kb = open_kb(process_environment())
    for number in range(21):
        wrap_up(*prepare(kb, WrapUp(summary=f"No. {number}.")))
    rows = cli("session", "list").out.splitlines()
    assert len([row for row in rows if "No. " in row]) == 20
    assert json.loads(cli("session", "list", "--limit", "21", "--json").out)["count"] == 21


def test_a_list_has_the_second_and_leaves_out_what_was_reflected_on(project, cli):
    identity, other = wrap(cli, "One."), wrap(cli, "Two.")
    mark_reflected(open_kb(process_environment()), [identity], memories_created=3)
    (row,) = [row for row in cli("session", "list").out.splitlines() if identity[:8] in row]
    assert re.fullmatch(rf"  {identity[:8]}  \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d  shop +One\.", row)
    listed = json.loads(cli("session", "list", "--unreflected", "--json").out)
    assert [row["id"] for row in listed["entries"]] == [other]
    shown = cli("session", "show", identity).out
    assert re.search(r"(?m)^ID: +" + identity + r"$", shown)
    for name in ("Created", "Reflected"):
        assert re.search(rf"(?m)^{name}: +\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d", shown), shown
    assert re.search(r"(?m)^Working directory: +\S*shop$", shown), shown
    assert re.search(r"(?m)^Memories created: +3\b", shown), shown


def test_an_unknown_id_is_not_found(project, cli):
    wrap(cli, "One.")
    said = cli("session", "show", "ffffffff-0000")
    assert (said.code, "not found" in said.err) == (1, True)


def test_hidden_characters_are_seen(project, cli):
    identity = wrap(cli, "Hid\u202eden.", "--friction", "zero\u200bwidth")
    assert "Hid\u2039U+202E\u203aden." in cli("session", "list").out
    assert "zero\u2039U+200B\u203awidth" in cli("session", "show", identity).out


def test_an_unreadable_file_is_named_and_the_rest_is_listed(project, cli):
    wrap(cli, "One.")
    bad = project / "journal/sessions/2026/bad.md"
    bad.parent.mkdir(parents=True, exist_ok=True)
    bad.write_text("---\nid: [\n---\n")
    said = cli("session", "list")
    assert "One." in said.out
    assert "sessions/2026/bad.md:3: front matter is not YAML" in said.err
    checked = cli("check")
    assert (checked.code, "sessions/2026/bad.md:3:" in checked.out) == (1, True)


def test_a_raw_log_is_shown_on_demand(project, cli, tmp_path):
    (tmp_path / "l.jsonl").write_text('{"role":"user","content":"hello"}\n')
    identity = wrap(cli, "One.", "--log", str(tmp_path / "l.jsonl"))
    assert "hello" not in cli("session", "show", identity).out
    assert "hello" in cli("session", "show", identity, "--log").out


def test_a_long_log_is_shown_in_short_and_whole_on_demand(project, cli, tmp_path):
    turn = {"type": "user", "message": {"role": "user", "content": "count the apples"}}
    noise = {"type": "attachment", "attachment": {"text": "noise " * 10_000}}
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps(turn) + "\n" + json.dumps(noise) + "\n")
    identity = wrap(cli, "One.", "--log", str(path))
    assert cli("session", "show", identity, "--log").out.endswith(
        "Log:\n1 person: count the apples\n"
    )
    assert "noise noise" in cli("session", "show", identity, "--full").out


def test_a_session_is_renamed_in_lists_and_search(project, cli):
    cli("wrapup", "--summary", "Moved the fixture.")
    identity = newest(cli)["id"]
    said = cli("session", "rename", identity[:8], " The  cart ")
    assert (said.code, said.out) == (0, f"{identity[:8]} is called: The cart\n")
    assert "The cart" in cli("session", "list").out
    row = newest(cli)
    assert (row["title"], row["summary"]) == ("The cart", "Moved the fixture.")
    assert identity[:8] in cli("search", "cart").out
    assert git(project, "log", "-1", "--format=%s").strip() == "rename(session): The cart"

    cli("session", "rename", identity[:8], "")
    assert newest(cli)["title"] == ""


def test_a_name_outlives_a_better_wrap_up_of_the_session(project, cli):
    cli("wrapup", "--summary", "Began.", "--session-id", "s1")
    cli("session", "rename", newest(cli)["id"], "The cart")
    first = newest(cli)["id"]
    cli("wrapup", "--summary", "Moved the fixture.", "--session-id", "s1")
    assert newest(cli)["title"] == "The cart"
    cli("session", "rename", first, "The basket")  # the id of words that were replaced
    assert newest(cli)["title"] == "The basket"


def test_no_secret_and_no_second_line_is_in_a_name(project, cli):
    cli("wrapup", "--summary", "Moved the fixture.")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    cli("session", "rename", newest(cli)["id"], f"cart\nCalm-Entry: x {secret}")
    assert "ghp_" not in newest(cli)["title"]
    assert "\nCalm-Entry: x" not in git(project, "log", "-1", "--format=%B")


def test_a_session_that_is_not_there_cannot_be_renamed(project, cli):
    said = cli("session", "rename", "ffff", "The cart")
    assert (said.code, "not found" in said.err) == (1, True)


def newest(cli):
    return json.loads(cli("session", "list", "--limit", "1", "--json").out)["entries"][0]
