"""A line of progress is for terminals, and for what takes its time."""

import sys
from dataclasses import replace

import pexpect
import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.checks.check import check
from calmkb.kb.checks.statistics import statistics
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.reflect.reflection import pending

SLOW = """
from calmkb.cli.base.progress import ProgressLine
line = ProgressLine(patience={patience})
for done in range(5):
    line("Comparing statements", done + 1, 9)
line("Comparing statements", 9, 9)
line.close()
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("patience", "shown"), [(0, True), (1_000, False)])
def test_a_terminal_sees_a_line_only_where_patience_ends(patience, shown):
    child = pexpect.spawn(sys.executable, ["-c", SLOW.format(patience=patience)], encoding="utf-8")
    child.expect(pexpect.EOF)
    assert ("Comparing statements" in child.before) is shown
    # What was shown is gone before anything else is printed.
    assert child.before.rpartition("\x1b[K")[2].strip() == "done"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_step_that_cannot_count_is_named_while_it_lasts():
    code = (
        "import sys; from calmkb.cli.base.progress import ProgressLine; line = ProgressLine(0.01)\n"
        "line('Finding themes', 0, 0); sys.stdin.readline(); line.close()"
    )
    child = pexpect.spawn(sys.executable, ["-c", code], encoding="utf-8", timeout=60)
    child.expect("Finding themes")
    child.sendline("")
    child.expect(pexpect.EOF)


ASKING = """
import threading
import click
from calmkb.cli.base.progress import progress_line, question

@click.command()
@click.pass_context
def main(context):
    line = progress_line(context)
    line("Reading records", 0, 0)
    with question():
        for timer in threading.enumerate():
            if isinstance(timer, threading.Timer):
                timer.join()  # what would draw has drawn by now
        line("Reading records", 1, 9)
        click.echo("asked")

main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_no_step_is_drawn_over_a_question():
    child = pexpect.spawn(sys.executable, ["-c", ASKING], encoding="utf-8", timeout=60)
    child.expect(pexpect.EOF)
    assert "asked" in child.before and "Reading" not in child.before


def test_each_step_that_begins_is_said_to_have_ended(project):
    told: dict[str, tuple[int, int]] = {}
    report = lambda step, *counts: told.update({step: counts})  # noqa: E731
    environment = replace(process_environment(), report=report)
    for act in (read_contents, check, statistics, pending):
        act(open_kb(environment))
    assert told
    assert [step for step, (done, total) in told.items() if not done >= total > 0] == []


def test_nothing_is_shown_where_there_is_no_terminal(project, cli):
    cli("wrapup", "--summary", "Moved the tests.", "--friction", "The clock ran in local time.")
    for command in (("check",), ("stats",), ("reflect", "--dry-run"), ("export",)):
        assert cli(*command).err == ""


def test_what_can_take_long_reports_its_steps(project, cli):
    for number in range(3):
        cli("wrapup", "--summary", f"Moved {number}.", "--friction", f"Clock {number} was slow.")
    told: list[tuple[str, int, int]] = []
    environment = process_environment()
    for act in (read_contents, check, statistics, pending):
        for kept in (project / ".git" / "calmkb").glob("index-*"):
            kept.unlink()
        act(open_kb(replace(environment, report=lambda *said: told.append(said))))
    assert {step for step, _, _ in told} >= {
        "Reading records", "Looking through records", "Finding themes", "Comparing statements",
    }  # fmt: skip
    assert ("Looking through records", 3, 3) in told
    assert ("Reading records", 3, 3) in told
