"""What a person sees at a terminal: pages, whole words, a day in words, hints that work."""

import os
import re
import shlex
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.cli.base.days import day_named
from calmkb.cli.base.layout import wrapped
from calmkb.cli.base.text import from_home
from tests import warm
from tests.conftest import git

LONG = ("The end-to-end tests of the payment service need the database container and the queue, "
        "and they fail with a time-out when only one of them is there.")  # fmt: skip
SIZE = ("LINES", "COLUMNS")
"""What a runner of tests may say of its own terminal."""


@pytest.fixture
def screen():
    """Return a function that runs `calmkb ARGS` at a terminal and returns what it shows."""

    def show(*args, rows=100, columns=70, **env):
        given = {name: value for name, value in os.environ.items() if name not in SIZE}
        env = {**given, "TERM": "xterm", **env}
        child = warm.at_terminal(*args, folder=Path.cwd(), env=env, dimensions=(rows, columns))
        shown = child.read()
        child.close()
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).replace("\r\n", "\n")

    return show


def many(cli, count=40):
    for number in range(count):
        cli("memory", "add", f"Rule {number} holds for part {number}.", "--category", "fact",
            "--force")  # fmt: skip


def test_what_is_longer_than_the_screen_is_paged(project, cli, screen, tmp_path):
    many(cli, 12)
    asked = tmp_path / "paged"
    pager = f"tee {shlex.quote(str(asked))}"
    assert screen("memory", "list", rows=10, PAGER=pager).count("Rule ") == 12
    assert asked.read_text().count("Rule ") == 12
    asked.unlink()
    assert screen("memory", "list", rows=30, PAGER=pager).count("Rule ") == 12
    assert not asked.exists()


def test_a_pipe_is_never_paged_nor_cut(project, cli):
    cli("memory", "add", LONG, "--category", "fact")
    assert LONG in cli("memory", "list").out


def test_no_word_is_broken_at_the_edge_of_the_screen(project, cli, screen):
    said = cli("wrapup", "--summary", LONG, "--friction", LONG, "--json")
    identity = re.search(r'"id": "([0-9a-f]{8})', said.out)[1]
    memory = cli("memory", "add", LONG, "--category", "fact").out.split()[-1]
    for args in (("session", "show"), ("show", identity), ("memory", "show", memory)):
        shown = screen(*args)
        assert max(map(len, shown.split("\n"))) <= 70
        assert " ".join(shown.split()).count("queue, and they fail with a time-out") >= 1


def test_a_hit_and_a_next_step_are_within_the_screen_and_cut_no_word(project, cli, screen):
    cli("wrapup", "--summary", LONG, "--next", LONG, "--project", "the-payment-service")
    for args in (("search", "payment", "queue"), ("next",)):
        lines = screen(*args, columns=80).rstrip().split("\n")
        assert max(map(len, lines)) <= 80, args
        assert "end-to-end tests of the payment service" in " ".join(" ".join(lines).split())


def test_a_list_is_cut_to_the_screen_and_says_what_is_in_its_columns(project, cli, screen):
    cli("memory", "add", LONG, "--category", "fact")
    head, row = screen("memory", "list").strip().split("\n")
    assert head.split() == ["ID", "Created", "Category", "Confidence", "Memory"]
    assert (len(row) <= 70, row.endswith("…")) == (True, True)


def test_a_memory_that_another_one_replaced_says_so(project, cli):
    old = cli("memory", "add", "Use npm.", "--category", "fact").out.split()[-1]
    new = cli("memory", "add", "Use pnpm.", "--category", "fact", "--supersedes", old)
    lines = cli("memory", "list").out.split("\n")
    (place,) = [n for n, line in enumerate(lines) if line.startswith(old[:8])]
    assert lines[place + 1].strip() == f"replaced by {new.out.split()[-1][:8]}"


def test_the_newest_session_is_shown_without_an_id(project, cli):
    assert "there is no session yet" in cli("session", "show").err
    cli("wrapup", "--summary", "The first one.")
    (first,) = (project / "journal/sessions").rglob("*.md")
    first.write_text(re.sub(r"(created_at: .?)\d{4}", r"\g<1>2020", first.read_text()))
    cli("wrapup", "--summary", "The second one.")
    assert "The second one." in cli("session", "show").out


@given(st.dates(min_value=date(1900, 1, 1)), st.integers(0, 9999))
def test_a_day_is_named_as_people_say_it(today, days):
    assert day_named(today.isoformat(), date(2000, 1, 1)) == today
    assert day_named(" Yesterday ", today) == today - timedelta(days=1)
    assert day_named("today", today) == today
    assert day_named(f"{days}d", today) == today - timedelta(days=days)


@pytest.mark.parametrize("words", ["", "tomorrow", "7x", "2026-13-01", "-3d", "99999d"])
def test_what_is_no_day_is_refused(words):
    with pytest.raises(ValueError):
        day_named(words, date(2026, 1, 31))


def test_since_takes_a_day_in_words(project, cli):
    cli("wrapup", "--summary", "Billing was moved.")
    for words in ("yesterday", "7d", "2w", "today"):
        assert "Billing" in cli("search", "billing", "--since", words).out
    said = cli("search", "billing", "--since", "soon")
    assert (said.code, "use 2026-01-31, today, yesterday, 7d or 2w" in said.err) == (1, True)


def test_an_editor_that_is_closed_without_saving_is_no_error(project, cli, screen):
    identity = cli("memory", "add", "Use pnpm.", "--category", "fact").out.split()[-1]
    before = git(project, "rev-parse", "HEAD")
    said = screen("memory", "edit", identity, EDITOR="true")
    assert said.strip() == "The editor was closed without saving, so nothing was written."
    assert git(project, "rev-parse", "HEAD") == before


def test_the_editor_says_how_to_cancel_and_its_lines_do_not_stay(project, cli, screen, tmp_path):
    identity = cli("memory", "add", "Use pnpm.", "--category", "fact").out.split()[-1]
    seen, editor = tmp_path / "seen", tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncat "$1" > "{seen}"\nsed -i "s/pnpm/bun/" "$1"\n')
    editor.chmod(0o755)
    assert "Use bun." in screen("memory", "edit", identity, EDITOR=shlex.quote(str(editor)))
    assert "to cancel, close the editor without saving" in seen.read_text()
    assert "# " not in cli("memory", "show", identity).out


def test_a_line_on_how_to_cancel_stays_out_where_the_other_one_was_deleted(
    project, cli, screen, tmp_path
):
    identity = cli("memory", "add", "Use pnpm.", "--category", "fact").out.split()[-1]
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i -e 1d -e "s/pnpm/bun/" "$1"\n')
    editor.chmod(0o755)
    assert (
        screen("memory", "edit", identity, EDITOR=shlex.quote(str(editor)))
        .strip()
        .endswith(": Use bun.")
    )


def test_a_wrap_up_without_a_session_says_in_its_draft_why_it_is_empty(
    project, cli, screen, tmp_path
):
    seen, editor = tmp_path / "seen", tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncat "$1" > "{seen}"\n')
    editor.chmod(0o755)
    said = screen("wrapup", EDITOR=shlex.quote(str(editor)))
    assert said.strip() == "The editor was closed without saving, so nothing was written."
    assert re.search(r"^# no .*(transcript|session)", seen.read_text(), re.MULTILINE)
    assert "To cancel" in seen.read_text()


def test_an_agent_that_is_not_named_is_asked_for_with_those_there_are(project, cli):
    said = cli("run")
    assert (said.code, "choose from: " in said.err, "echo" in said.err) == (1, True, True)
    assert "what the agent is to do" in cli("run", "echo").err


def test_the_doctor_ends_with_a_verdict(project, cli):
    last = cli("doctor").out.rstrip().split("\n")[-1]
    assert re.fullmatch(r"No problems found\.|(\d+ failed)?(, )?(\d+ warnings?)?\.", last)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("HOME/kb", "~/kb"), ("in HOME/kb: 3", "in ~/kb: 3"), ("HOME", "~"), ("HOMEr/kb", "HOMEr/kb"),
     ("'HOME/my kb'", "'HOME/my kb'"), ("/x/HOME/kb", "/x/HOME/kb")],
)  # fmt: skip
def test_a_place_below_the_home_is_written_as_a_shell_reads_it(home, text, shown):
    assert from_home(text.replace("HOME", str(home))) == shown.replace("HOME", str(home))


def test_what_an_export_writes_over_with_force_is_kept_beside_it(project, cli):
    mine = project / "CLAUDE.md"
    cli("memory", "add", "Use pnpm.", "--category", "fact")
    mine.write_text("Mine.\n")
    cli("export")
    changed = mine.read_text().replace("pnpm", "bun")
    mine.write_text(changed)
    said = cli("export")
    assert (said.code, "calmkb export --force" in said.err) == (1, True)
    assert mine.read_text() == changed
    assert cli("export", "--force").code == 0
    assert (project / "CLAUDE.md.bak").read_text() == changed


def test_the_undo_of_a_retired_memory_works_as_printed(project, cli):
    identity = cli("memory", "add", "Use pnpm.", "--category", "fact").out.split()[-1]
    said = cli("memory", "retire", identity)
    command = re.search(r"undo it with: (git .*)$", said.out, re.MULTILINE)[1]
    assert cli("memory", "list").out == "No memories found.\n"
    git(project, *shlex.split(command)[1:])
    assert "Use pnpm." in cli("memory", "list").out


def test_an_error_and_a_warning_are_wrapped_between_words_with_a_short_home(project, home, screen):
    place = home / "notes of the team" / "sessions of the last week and the week before it"
    said = screen("wrapup", "--from-transcript", str(place / "gone.jsonl"), columns=80)
    lines = said.strip().split("\n")
    assert max(map(len, lines)) <= 80
    assert " ".join(" ".join(lines).split()).startswith("Error: ")
    assert "~/notes of the team" in " ".join(said.split())
    assert str(home) not in said


COMMANDS = re.compile(r"(?<=[:;] )calmkb [^;,.\n]+|`calmkb [^`]+`")


@pytest.mark.parametrize("columns", [60, 80])
def test_a_command_to_copy_is_never_printed_over_two_lines(project, cli, screen, columns):
    cli("memory", "add", LONG, "--category", "fact")
    named = []
    for args in (
        ("doctor",), ("agents",), ("memory", "edit", "77aa"), ("agents", "enforce"),
        ("project", "merge", "one", "other"), ("session", "show"),
    ):  # fmt: skip
        said = cli(*args)
        found = COMMANDS.findall(from_home(said.out + said.err))
        named += found
        lines = from_home(screen(*args, columns=columns)).split("\n")
        assert [one for one in found if not any(one in line for line in lines)] == [], args
    assert len(named) >= 7


def test_a_command_that_is_wider_than_the_terminal_has_a_line_of_its_own(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    command = "calmkb memory edit 77aa0123 --text 'Use pnpm for every script of the project'"
    lines = wrapped(f"it is gone since 2bd1, so say what is: {command}, or retire it", "  ")
    assert lines == ["  it is gone since 2bd1, so say what is:", f"  {command},", "  or retire it"]


def test_a_word_that_is_wider_than_the_terminal_is_broken_where_no_command_is(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, wrapped("\u6f22 " + "x" * 200, ""))) == 60


@pytest.mark.parametrize("command", ["doctor", "stats"])
def test_a_report_goes_on_below_its_text_and_cuts_no_word(command, project, screen):
    narrow, wide = screen(command, columns=100), screen(command, columns=120)
    assert narrow.split() == wide.split()
    assert max(map(len, narrow.split("\n"))) <= 100
