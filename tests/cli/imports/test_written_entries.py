"""`import --with PROGRAM`: entries in a program's words, held against their sessions."""

import json
import shlex
import sys

import pytest

from tests.wings.start.histories import histories

pytestmark = pytest.mark.usefixtures("keeps_no_sessions")

REPLY = """
import json, os, pathlib, sys
asked = sys.stdin.read()
assert os.environ["CALMKB_CHILD"] == "1" and os.listdir(".") == []
(pathlib.Path(__file__).parent / "asked.txt").write_text(asked)
lines = [json.loads(line) for line in asked.split("Session:\\n")[1].splitlines() if line]
number = lambda word: next(int(line.split()[0]) for line in lines if word in line)
first = lines[0].split(": ", 1)[1]
rows = {"summary": [{"text": "Asked to do this: " + first, "lines": [number(first)]}],
        "friction_points": [], "next_steps": [],
        "learnings": [{"text": "Run `mise trust` in a fresh checkout.", "lines": [1]}]}
"""
GOOD = REPLY + 'print(json.dumps({"result": json.dumps(rows), "total_cost_usd": 0.25}))'


@pytest.fixture
def program(tmp_path):
    """Return a function that makes a program, and gives the command that runs it."""

    def make(body):
        path = tmp_path / "program/writer.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(body)
        return shlex.join([sys.executable, str(path)])

    return make


@pytest.fixture
def history(home, project):
    return list(histories(home, [str(project)], 3))


def entries(cli):
    listed = json.loads(cli("session", "list", "--json", "--limit", "9").out)["entries"]
    return [json.loads(cli("session", "show", one["id"], "--json").out) for one in listed]


def test_an_entry_is_in_the_programs_words_without_what_the_session_does_not_show(
    cli, history, program, tmp_path
):
    said = cli("import", "claude", "--with", program(GOOD))
    assert said.code == 0, said.err
    assert "3 written by" in said.out
    assert "$0.75" in said.out
    assert "left of today's $1.00" in said.err
    for entry in entries(cli):
        assert entry["summary"].startswith("Asked to do this: ")
        assert entry["learnings"] == []  # the session says nothing of mise
    asked = (tmp_path / "program/asked.txt").read_text()
    assert str(tmp_path) not in asked


def test_once_the_days_budget_is_spent_the_rest_is_drafted(cli, history, program):
    said = cli("import", "claude", "--with", program(GOOD), "--budget", "0.3")
    assert said.out.startswith("3 added")
    assert "2 drafted without it: today's budget of $0.30 is spent" in said.err
    later = cli("import", "claude", "--with", program(GOOD), "--budget", "9")
    assert later.out.startswith("2 added, 1 known before")
    assert len(entries(cli)) == 3


@pytest.mark.parametrize(
    "body",
    ["import sys; sys.exit('no credit left')", "print('I cannot do that')", "print('{' * 100_000)",
     "import time; print('{\"summary\": [{\"text\": \"It rained.\", \"lines\": [1]}]}')", ""],
    ids=["fails", "refuses", "garbage", "invents", "silent"],
)  # fmt: skip
def test_a_program_that_gives_nothing_sound_leaves_the_draft(cli, history, program, body):
    said = cli("import", "claude", "--with", program(body))
    assert said.code == 0
    assert "0 written by" in said.out
    assert all(entry["summary"].startswith("Asked: ") for entry in entries(cli))


def test_a_program_that_is_not_there_is_named_and_costs_nothing(cli, history):
    said = cli("import", "claude", "--with", "no-such-program")
    assert "no-such-program could not be started" in said.err
    assert "for about $0.00" in said.out


def test_secrets_do_not_reach_the_program(cli, home, project, program, tmp_path):
    (path,) = histories(home, [str(project)], 1)
    path.write_text(path.read_text().replace("part 0", "with ghp_" + "a1B2" * 9))
    cli("import", "claude", "--with", program(GOOD))
    assert "ghp_a1B2" not in (tmp_path / "program/asked.txt").read_text()


def test_a_command_that_is_none_is_refused(cli, history):
    assert "is not a valid command line" in cli("import", "claude", "--with", "'").err
    assert "names no program" in cli("import", "claude", "--with", " ").err


def test_a_wrap_up_is_written_from_its_transcript_and_takes_the_place_of_a_draft(
    cli, history, program
):
    cli("import", "claude")
    made = cli("wrapup", "--from-transcript", str(history[0]), "--with", program(GOOD))
    assert made.code == 0, made.err
    assert "left of today's $1.00" in made.err
    assert "**Summary**: Asked to do this: " in made.out
    assert len(entries(cli)) == 3  # the same session, with its newest words


def test_a_wrap_up_that_a_program_does_not_write_is_not_kept(cli, history, program):
    said = cli("wrapup", "--from-transcript", str(history[0]), "--with", program("print(1)"))
    assert said.code == 1
    assert "wrote no entry: the answer holds no JSON object" in said.err
    assert entries(cli) == []
