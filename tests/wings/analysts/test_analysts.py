"""`calmkb reflect --analysts`: real child processes that answer well, badly, late or not at all."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from calmkb.config.loading import load_config
from tests import warm
from tests.cli.conftest import cli, project
from tests.trust.support import write_allowed

__all__ = ["cli", "project"]

ANALYST = """
import json, os, pathlib, sys, time
asked = sys.stdin.read()
name = asked.split("You are the ")[1].split(" of a software team")[0]
assert os.environ["CALMKB_CHILD"] == "1" and os.listdir(".") == []
ids = [json.loads(line)["id"] for line in asked.splitlines() if line.startswith('{"id"')]
insight = lambda text, **more: {"content": text, "category": "workflow", "importance": 0.8,
    "reasoning": "Seen twice.", "session": ids[0], "quote": "needs the database container", **more}
(pathlib.Path(__file__).parent / name.replace(" ", "-")).write_text(asked)
"""
DATABASE = "Start the database container before the end-to-end job."
GOOD = """
rows = [insight("Start the database container before the end-to-end job."),
        insight("Start the database container before the end-to-end jobs.", importance=0.3)]
print(json.dumps({"result": json.dumps(rows), "total_cost_usd": 0.01, "is_error": False}))
"""


@pytest.fixture
def analysts(project, tmp_path):
    """Return a function that makes a program the analysts' command, with one session waiting."""

    def make(body, seconds=60):
        program = tmp_path / "analyst.py"
        program.write_text(ANALYST + body)
        command = f"{shlex.join([sys.executable, str(program)])} {{model}}"
        write_allowed(
            project, f"[analysts]\ncommand = {json.dumps(command)}\nseconds = {seconds}\n"
        )
        return program

    return make


@pytest.fixture
def waiting(cli, analysts):
    analysts(GOOD)
    cli("wrapup", "--summary", "Worked on the checkout.", "--friction",
        "The end-to-end job needs the database container; nothing said so.")  # fmt: skip


def test_four_analysts_answer_and_the_same_review_follows(waiting, cli, tmp_path, home):
    said = cli("reflect", "--analysts", "--json")
    assert said.code == 0, said.err
    assert "Process Observer: 2 insights in " in said.err
    assert "8 insights from 1 session; cost $0.0400." in said.err
    document = json.loads(said.out)
    (merged,) = [p for p in document["proposals"] if p["text"] == DATABASE]
    assert merged["importance"] == 0.8
    assert merged["reasoning"].endswith(": Seen twice.")
    assert "database container; nothing said so" in merged["evidence"][0]["quote"]
    asked = {p.name for p in tmp_path.iterdir() if "-" in p.name}
    assert asked >= {"Debugging-Analyst", "Codebase-Cartographer", "Process-Observer",
                     "Pattern-Detector"}  # fmt: skip
    # What they said waits with the sessions: the review can come later, and is not paid for twice.
    assert json.loads(cli("reflect", "--json").out) == document
    for proposal in document["proposals"]:
        proposal["decision"] = "accept" if proposal["text"] == DATABASE else "reject"
    (tmp_path / "d.json").write_text(json.dumps(document))
    assert "Memories created: 1" in cli("reflect", "--apply", str(tmp_path / "d.json")).out
    assert list((home / ".calm/reviews").iterdir()) == []
    assert cli("reflect", "--analysts").out == "No unreflected sessions to process.\n"


def test_all_four_are_asked_at_once(waiting, cli, analysts):
    analysts(
        """
here = pathlib.Path(__file__).parent
while len(list(here.glob("[A-Z]*-[A-Z]*"))) < 4:  # each has left its question there
    time.sleep(0.01)
print(json.dumps([insight(f"{name} waited for the others to come.")]))
"""
    )
    said = cli("reflect", "--analysts", "--json")
    assert "4 insights from 1 session" in said.err


def test_a_small_model_is_asked_unless_another_is_named(project):
    assert load_config(project).analysts.model == "haiku"


def test_each_analyst_is_heard_even_where_others_fail(waiting, cli, analysts):
    analysts(
        """
if name == "Debugging Analyst":
    sys.exit("no credit left")
if name == "Pattern Detector":
    print("I looked hard but found nothing worth saying."); sys.exit()
if name == "Codebase Cartographer":
    print("[" + json.dumps(insight("Prices are kept in cents everywhere.")) + ', {"content": "cut')
else:
    print(json.dumps([insight("x", category="gossip"), insight("Run make seed before the tests.")]))
"""
    )
    said = cli("reflect", "--analysts", "--json")
    texts = {p["text"] for p in json.loads(said.out)["proposals"]}
    assert texts >= {"Prices are kept in cents everywhere.", "Run make seed before the tests."}
    assert "Debugging Analyst: it ended with code 1: no credit left" in said.err
    assert "Pattern Detector: no JSON object" in said.err
    assert "Process Observer: category 'gossip' is unknown" in said.err
    assert "cost unknown" in said.err


def test_many_sessions_are_read_in_rounds_and_none_twice(waiting, cli, tmp_path):
    for number in range(11):
        cli("wrapup", "--summary", f"Session {number}.", "--friction",
            f"Job {number} needs the database container.")  # fmt: skip
    said = cli("reflect", "--analysts", "--json")
    assert "8 insights from 10 sessions; cost $0.0400. Prompt 2." in said.err
    assert "8 insights from 2 sessions; cost $0.0400." in said.err
    assert "candidate" in (tmp_path / "Pattern-Detector").read_text()
    assert "insights" not in cli("reflect", "--analysts", "--json").err


def test_rounds_end_where_the_cost_is_unknown_or_the_budget_of_the_day_is_spent(
    waiting, cli, analysts, project
):
    for number in range(25):
        cli("wrapup", "--summary", f"Session {number}.", "--friction",
            f"Job {number} needs the database container.")  # fmt: skip
    analysts("print(json.dumps([insight('Seed the database before the end-to-end job.')]))")
    said = cli("reflect", "--analysts", "--json")
    assert "16 sessions not read yet, since the cost is unknown; run it again" in said.err
    analysts(GOOD.replace("0.01", "0.6"))
    said = cli("reflect", "--analysts", "--json")
    assert "6 sessions not read yet, since the budget is spent; run it again" in said.err
    said = cli("reflect", "--analysts", "--json")
    assert said.code == 1
    assert "the analysts have cost $2.40 of $2.00 today" in said.err


def test_a_person_is_offered_the_analysts_and_asked_before_each_round(waiting, cli, project):
    for number in range(11):
        cli("wrapup", "--summary", f"Session {number}.", "--friction",
            f"Job {number} needs the database container.")  # fmt: skip
    child = at_terminal(project)
    child.expect("can read 12 sessions first, in 2 rounds of four calls")
    child.expect("Let it read them first?")
    child.sendline("y")
    child.expect("8 insights from 10 sessions")
    child.expect("2 sessions not read yet. Read the next ones?")
    child.sendline("n")
    child.expect("reflect> ")
    child.sendline("q")
    child.wait()


def test_the_offer_ends_with_a_no_and_comes_no_more_where_the_settings_forbid_it(
    waiting, cli, project
):
    child = at_terminal(project)
    child.expect("Let it read them first?")
    child.sendline("n")
    child.expect("reflect> ")
    assert "insight" not in child.before
    child.close(force=True)
    config = project / "calmkb.toml"
    config.write_text(config.read_text() + "offer = false\n")
    child = at_terminal(project)
    child.expect("reflect> ")
    assert "can read" not in child.before
    child.close(force=True)


def at_terminal(folder):
    return warm.at_terminal("reflect", folder=folder, dimensions=(60, 300))


def test_one_that_hangs_is_stopped_with_its_children(waiting, cli, analysts, tmp_path):
    analysts(
        """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
(pathlib.Path(__file__).parent / f"pid-{child.pid}").touch()
print(json.dumps([insight(f"{name} learnt that seeds come first.")]), flush=True)
time.sleep(600)
""",
        seconds=4,
    )
    said = cli("reflect", "--analysts", "--json")
    assert "Debugging Analyst: no answer in 4 s" in said.err
    assert json.loads(said.out)["proposals"]
    pids = [int(p.name.removeprefix("pid-")) for p in tmp_path.glob("pid-*")]
    assert len(pids) == 4
    assert not any(_runs(pid) for pid in pids)


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("print('x' * 3_000_000)", "said more than 1,048,576 bytes"),
        ("", "it printed nothing"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 9)", "no JSON object"),
    ],
)
def test_where_nobody_answers_nothing_is_kept(waiting, cli, analysts, home, body, told):
    analysts(body)
    said = cli("reflect", "--analysts")
    assert (said.code, told in said.err) == (1, True), said.err
    assert not (home / ".calm/reviews").exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [("no-such-program-here", "could not be started"), ("'open quote", "not a valid command line")],
)
def test_a_command_that_is_none_is_explained(waiting, project, cli, command, told):
    write_allowed(project, f"[analysts]\ncommand = {json.dumps(command)}\n")
    said = cli("reflect", "--analysts")
    assert (said.code, told in said.err) == (1, True), said.err


def test_what_an_analyst_says_is_redacted_before_it_is_kept(waiting, cli, analysts, home):
    secret = "gh" + "p_" + "c4N4ryC4n4ry" * 3
    analysts(f"print(json.dumps([insight('Log in with {secret} first, then seed the data.')]))")
    cli("reflect", "--analysts", "--json")
    (kept,) = (home / ".calm/reviews").glob("*.insights.json")
    assert secret not in kept.read_text()
    assert "redacted" in kept.read_text()
