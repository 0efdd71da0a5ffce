"""`calmkb search` and `calmkb show`: any turn of a kept session is found and can be read."""

import json
import re

import pytest

from calmkb.cli.journal.moments import text_of
from calmkb.model.sessions.archive import KeptTurn
from tests import warm
from tests.capture.support import agent, call, result, shell, text, user
from tests.wings.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"
OTHER = "5e1c0d00-0000-4000-8000-000000000002"


def addresses(said):
    return [
        f"{one['session'][:8]}:{moment['line']}"
        for one in json.loads(said.out)["sessions"]
        for moment in one["moments"]
    ]


def test_what_an_agent_found_out_is_found_with_the_words_around_it(session, cli):
    session(NAME, *SILENT)
    cli("keep")
    said = cli("search", "SilentError")
    assert (said.code, said.err) == (0, "")
    assert f"3f2a1b00:2  2026-03-01  shop  claude --resume {NAME}\n" in said.out
    assert "1 person: Why does the command print its usage" in said.out
    assert "2 agent: Because cobra prints it unless" in said.out
    assert said.out.endswith("Read on: calmkb show SESSION:LINE\n")


def test_no_turn_of_a_session_is_printed_twice_beside_others(session, cli):
    session(NAME, user("Fix the gizmo."), *shell(1, "gizmo a", "one"), *shell(2, "gizmo b", "two"))
    cli("keep")
    assert cli("search", "gizmo", "--in", "turns").out.count("1 person: Fix the gizmo.") == 1


def test_a_plan_is_printed_astext_of(session, cli):
    session(NAME, user("Plan it."), agent(call("p1", "ExitPlanMode", plan="# Plan\n\nGizmofy all")))
    cli("keep")
    assert "ExitPlanMode ▸: # Plan Gizmofy all" in cli("search", "gizmofy").out


def test_more_sessions_are_shown_if_asked_for(session, cli):
    for number in range(7):
        session(NAME.replace("3f2a1b0", f"3f2a1b{number}"), user(f"The gizmo number {number}."))
    cli("keep")
    assert len(json.loads(cli("search", "gizmo", "--json").out)["sessions"]) == 5
    assert len(json.loads(cli("search", "gizmo", "--limit", "7", "--json").out)["sessions"]) == 7


def test_a_session_that_fits_better_has_more_moments(session, cli):
    """25 in all for five sessions, and two at least of each."""
    words = [user("Before the gizmo."), agent(text("The gizmo and the widget."))]
    session(NAME, *words * 12)
    session(OTHER, *(user(f"A gizmo, number {number}.") for number in range(9)))
    cli("keep")
    found = json.loads(cli("search", "gizmo widget", "--json").out)["sessions"]
    moments = [len(one["moments"]) for one in found]
    assert moments[0] > moments[1] >= 2
    assert found[0]["session"] == NAME


def test_what_is_printed_takes_6000_characters_and_the_best_hits_of_them(session, cli):
    words = "The gizmo of the widget {} turns. " * 30
    for number in range(7):
        turns = [user(f"About {number}.")] + [
            agent(text(f"{words}{n}".replace("{}", f"{number}-{n}"))) for n in range(20)
        ]
        session(NAME.replace("3f2a1b0", f"3f2a1b{number}"), *turns)
        cli("wrapup", "--summary", f"A gizmo widget {number}: {'it turned again and again. ' * 9}")
    cli("keep")
    out = cli("search", "gizmo widget").out
    assert 5_000 < len(out) < 6_000
    assert out.count("claude --resume") == 5
    assert out.count(" agent: The gizmo") >= 5


def test_what_tools_answered_stands_below_what_people_and_agents_said(session, cli):
    session(NAME, user("Fix it."), *shell(1, "make gizmo", "no gizmo"), agent(text("Gizmo fixed.")))
    cli("keep")
    out = cli("search", "gizmo").out
    assert out.index("agent: Gizmo fixed.") < out.index("no gizmo")


def test_sessions_come_before_records(session, cli):
    cli("wrapup", "--summary", "Wrapped errors in SilentError.")
    session(NAME, *SILENT)
    cli("keep")
    out = cli("search", "SilentError").out
    assert out.index("3f2a1b00:2") < out.index("Wrapped errors")
    assert "3f2a1b00" not in cli("search", "SilentError", "--in", "records").out
    assert "Wrapped errors" not in cli("search", "SilentError", "--in", "turns").out


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("silent error cobra", 2),  # parts of a name
        ('"return NewSilentError"', 5),
        ("cmd/root.go updated", 6),
        ("grep", 3),
        ("Thanks", 7),
        ("unless wrap", 2),
    ],
)
def test_every_kind_of_turn_is_found(session, cli, query, line):
    session(NAME, *SILENT)
    cli("keep")
    said = cli("search", query, "--in", "turns", "--json")
    assert f"3f2a1b00:{line}" in addresses(said)


def test_every_planted_phrase_is_found(session, cli):
    planted = {f"zq{n}plant{n * 7919 % 10007} marker": n for n in range(60)}
    objects = []
    for phrase, number in planted.items():
        long = "\n".join(f"ordinary output {n} of the build" for n in range(300))
        kinds = [
            user(f"Please look at this: {phrase}."),
            agent(text(f"I saw {phrase} there.")),
            agent(call(f"c{number}", "Bash", command=f"echo '{phrase}'")),
            result(f"c{number}", f"{long}\n{phrase}\n{long}"),
            agent(call(f"c{number}", "Write", file_path="a.txt", content=f"x\n{phrase}\n")),
        ]
        objects.append(kinds[number % 5])
    session(NAME, *objects)
    cli("keep")
    for number, phrase in enumerate(planted, 1):
        said = cli("search", f'"{phrase}"', "--in", "turns", "--json")
        assert addresses(said)[0] == f"3f2a1b00:{number}", phrase


def test_text_without_spaces_between_words_is_found(session, cli):
    session(NAME, user("このテストはデータベースのコンテナを待つ"), agent(text("了解しました。")))
    cli("keep")
    said = cli("search", "データベース", "--in", "turns", "--json")
    assert addresses(said) == ["3f2a1b00:1"]


def test_filters_narrow_and_need_no_words(session, cli):
    session(NAME, *SILENT, *shell(9, "go test ./...", "panic: nil map", failed=True))
    cli("keep")

    def lines(*more):
        return {int(one.partition(":")[2]) for one in addresses(cli("search", *more, "--json"))}

    assert lines("--error") == {9}
    assert lines("--tool", "edit") == {5, 6}
    assert lines("--file", "cmd/root.go") >= {5}
    assert lines("SilentError", "--who", "agent") <= {2, 3, 5}
    assert lines("SilentError", "--who", "person") == set()
    assert lines("usage", "--who", "person") == {1}
    assert lines("usage", "--since", "2999-01-01") == set()
    assert cli("search").code == 1
    assert cli("search", "x", "--error", "--kind", "memory").code == 1


def test_another_project_is_left_out_unless_it_is_asked_for(session, cli, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    session(NAME, *SILENT)
    session(OTHER, user("A SilentError elsewhere, please."), folder=elsewhere)
    cli("keep")
    own = cli("search", "SilentError").out
    assert "3f2a1b00" in own
    assert "5e1c0d00" not in own
    assert "5e1c0d00:1" in cli("search", "SilentError", "--all-projects").out
    assert "5e1c0d00:1" in cli("search", "SilentError", "--project", "elsewhere").out


def test_a_search_that_finds_nothing_says_what_it_did_not_search(session, cli, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    session("one", user("The wombat query."), folder=elsewhere)
    assert cli("search", "wombat").out == (
        "Nothing found.\nNot searched: 1 session not kept: calmkb agents keep\n"
    )
    assert cli("keep").code == 0
    assert cli("search", "wombat").out == (
        "Nothing found.\nNot searched: 1 session of other repositories: --all-projects\n"
    )
    assert "wombat" in cli("search", "wombat", "--all-projects").out
    assert cli("search", "kangaroo", "--all-projects").out == "Nothing found.\n"
    assert cli("search", "wombat", "--in", "records").out == (
        "Nothing found. Kept sessions were not searched: --in all\n"
    )


def test_words_in_quotes_must_stand_together(session, cli):
    session(NAME, user("The lock was held by a file."), agent(text("Remove the lock file then.")))
    cli("keep")
    assert addresses(cli("search", '"lock file"', "--in", "turns", "--json")) == ["3f2a1b00:2"]
    assert addresses(cli("search", '"file lock"', "--in", "turns", "--json")) == []
    assert addresses(cli("search", "file lock", "--in", "turns", "--json")) != []


def test_words_after_an_escaped_end_of_line_are_found(session, cli):
    session(NAME, user("Plan it."), agent(call("p1", "ExitPlanMode", plan="# Plan\nGizmofy all\n")))
    cli("keep")
    assert addresses(cli("search", "gizmofy", "--in", "turns", "--json")) == ["3f2a1b00:2"]


def test_what_a_resumed_session_repeats_is_shown_once(session, cli):
    said = [user("Why did the gizmo come loose again?"), agent(text("The gizmo lacks a washer."))]
    session(NAME, *said)
    session(OTHER, *said, user("Then add a washer to the gizmo."))
    cli("keep")
    found = addresses(cli("search", "gizmo", "--in", "turns", "--json"))
    assert len(found) == len({one.partition(":")[2] for one in found})


def test_a_file_is_found_by_its_folders_and_not_by_half_a_name(session, cli):
    session(NAME, *SILENT)
    cli("keep")
    assert addresses(cli("search", "--file", "root.go", "--json"))
    assert addresses(cli("search", "--file", "oot.go", "--json")) == []


def test_a_project_is_found_by_the_name_that_its_settings_give_it(session, cli, project):
    session(NAME, *SILENT)
    cli("keep")
    (project / "calmkb.toml").write_text('project = "storefront"\n')
    assert "3f2a1b00:2" in cli("search", "SilentError", "--project", "storefront").out
    assert "3f2a1b00:2" in cli("search", "SilentError").out
    assert "3f2a1b00" not in cli("search", "SilentError", "--project", "other").out


def test_a_grown_session_is_found_by_what_is_new(session, cli):
    session(NAME, user("Go."), agent(text("First half."), message_id="m1"))
    cli("keep")
    session(NAME, agent(text("The gizmo was loose."), message_id="m1"), user("Weld it."))
    cli("keep")
    ((moment,),) = [
        one["moments"] for one in json.loads(cli("search", "gizmo", "--json").out)["sessions"]
    ]
    assert moment["line"] == 2
    assert [turn["text"] for turn in moment["turns"]] == [
        "Go.", "First half.\n\nThe gizmo was loose.", "Weld it.",
    ]  # fmt: skip


def test_a_thread_reads_well_around_a_line(session, cli):
    session(NAME, *SILENT)
    cli("keep")
    out = cli("show", "3f2a1b00:5", "--around", "1").out
    assert "     4 Bash ◂: cmd/root.go:12: return NewSilentError(err)" in out
    assert "    - return err\n    + return NewSilentError(err)\n" in out
    assert "3 of 7 turns; all: calmkb show " + NAME in out
    assert f"Go on with it in the client: claude --resume {NAME}" in out
    assert "Thanks" not in out


def test_long_answers_of_tools_are_folded_unless_asked_for(session, cli):
    session(NAME, user("Go."), *shell(1, "make", "\n".join(f"row {n}" for n in range(50))))
    cli("keep")
    folded = cli("show", NAME).out
    assert "row 2\n" in folded
    assert "row 30" not in folded
    assert "47 more lines" in folded
    assert "row 49" in cli("show", NAME, "--tools").out


def test_an_unknown_session_is_named_with_what_to_do(session, cli):
    session(NAME, *SILENT)
    session(NAME.replace("3f2a1b00", "3f2a1b01"), *SILENT)
    cli("keep")
    missing = cli("show", "ffff:3")
    assert (missing.code, "no kept session begins with 'ffff'" in missing.err) == (1, True)
    twice = cli("show", "3f2a1b0:3")
    assert (twice.code, "is not unique" in twice.err) == (1, True)


def test_control_characters_of_a_session_are_shown_and_not_obeyed(session, cli):
    session(NAME, user("Hid\u202eden gizmo"), agent(text("zero\u200bwidth")))
    cli("keep")
    assert "Hid\u2039U+202E\u203aden" in cli("search", "gizmo").out
    assert "zero\u2039U+200B\u203awidth" in cli("show", NAME).out


def test_where_nothing_is_kept_nothing_is_made(home, project, cli):
    assert cli("search", "anything", "--in", "turns").out == "Nothing found.\n"
    assert not (home / ".calm" / "archive").exists()


def test_arguments_that_are_nested_without_end_are_shown_as_they_are():
    deep = '{"plan": ' + "[" * 100_000
    turn = KeptTurn(line=1, role="agent", kind="call", text=deep)
    assert text_of(turn) == deep


def test_a_kept_session_is_exported_whole_as_markdown(session, cli):
    answer = "\n".join(f"row {n}" for n in range(50)) + "\n```\nin a fence"
    session(NAME, *SILENT, *shell(9, "cat notes.md", answer, failed=True))
    cli("keep")
    said = cli("show", NAME, "--markdown")
    assert said.code == 0
    lines = said.out.split("\n")
    assert lines[0] == f"# Session {NAME}"
    assert lines[2] == "claude-code, shop, 2026-03-01 10:00"
    asked = said.out.index("## Person\n\nWhy does the command print its usage")
    assert asked < said.out.index("## Agent\n\nBecause cobra prints it")
    edit = "cmd/root.go\n- return err\n+ return NewSilentError(err)"
    assert f"Edit:\n\n```\n{edit}\n```\n" in said.out
    assert "Bash failed:\n\n````\nExit code 1\nrow 0\n" in said.out
    assert "row 49\n```\nin a fence\n````\n" in said.out


def test_a_record_is_exported_as_its_file(cli, project):
    cli("wrapup", "--summary", "Moved the fixture.")
    out = cli("show", "--markdown").out
    assert out.startswith("---\ncalmkb: 1\nid: ")
    assert "## Summary\n\nMoved the fixture." in out


def test_a_person_sees_two_lines_a_hit_and_what_people_said_first(session, project):
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")
    asked = call("m", "mcp__tracker__create_a_long_name", text="Please file the gizmo again " * 9)
    session(NAME, *shell(1, "cat log", "gizmo " + "wide output " * 200),
            user("The gizmo broke."), agent(asked))  # fmt: skip
    warm.without_terminal("keep", cwd=project)
    child = warm.at_terminal("search", "gizmo", "--in", "turns", folder=project,
                             dimensions=(50, 80))  # fmt: skip
    child.expect(pexpect.EOF)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", child.before).rstrip().splitlines()
    assert len(lines) <= 12
    assert all(len(line) <= 80 for line in lines)
    hits = [line for line in lines if "gizmo" in line]
    assert "person: The gizmo broke." in hits[0]


def test_a_file_below_the_home_is_named_from_there(session, cli, home):
    file = home / "code" / "a.py"
    session(NAME, agent(call("t", "Edit", file_path=str(file), old_string="a", new_string="gizmo")))
    cli("keep")
    out = cli("search", "gizmo", "--in", "turns").out
    assert str(home) not in out
