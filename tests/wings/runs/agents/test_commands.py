"""`calmkb run` and `calmkb run chat`, and what of runs reaches the knowledge base."""

import asyncio
import json
import os
import re
import subprocess
import sys

import pytest

from calmkb.errors import CalmError
from calmkb.kb.journal.sessions import read_contents
from calmkb.wings.runs.verbs.wrapup import wrap_up_session
from tests import warm
from tests.children import interrupt
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures
from tests.conftest import git
from tests.trust.support import write_allowed
from tests.wings.runs.support import done, make_kb, running

FAILING = "sh -c 'echo trying; echo the disk is full >&2; exit 7'"


def test_a_run_is_followed_and_its_session_can_be_gone_on_with(project, cli):  # noqa: F811
    said = cli("run", "echo", "hello", "world")
    assert (said.code, said.out) == (
        0, "hello world\n✓ 1 line repeated; 0 earlier tasks remembered.\n")  # fmt: skip
    session = said.err.split("--session-id ")[1].split()[0]
    again = cli("run", "echo", "--session-id", session, "--json", "again")
    events = [json.loads(line) for line in again.out.splitlines()]
    assert [e["type"] for e in events] == ["entry"] * 4 + ["complete"]
    assert events[-1]["run"]["result"]["message"].endswith("1 earlier tasks remembered.")
    assert set(events[0]["entry"]) == {"id", "entry_type", "step_number", "data", "created_at"}


def test_a_failed_run_exits_1_and_becomes_a_signal_once(project, cli, home):  # noqa: F811
    write_allowed(project, f'[agents.sh]\ncommand = "{FAILING}"\n')
    said = cli("run", "sh", "build it")
    assert (said.code, "✗ the disk is full" in said.out) == (1, True)
    (row,) = [json.loads(x) for x in (home / ".calm/signals.jsonl").read_text().splitlines()]
    assert (row["type"], row["content"], row["context"]) == (
        "failure", "the disk is full", "build it")  # fmt: skip
    assert row["meta"]["run_id"] and row["tags"] == ["sh"]


def test_a_run_stopped_at_its_time_limit_ends_in_words_and_leaves_nothing_open(
    project,  # noqa: F811
    home,
):
    kids = "(setsid sleep 600 &); (sleep 600 &); echo begun; echo late >&2; sleep 600"
    write_allowed(project, f"[agents.kids]\ncommand = \"sh -c '{kids}'\"\nseconds = 1\n")
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "calmkb", "run", "kids", "go"],
        cwd=project, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (
        1, "begun\n✗ it did not end after 1 s and was stopped\n")  # fmt: skip
    assert "Traceback" not in ran.stderr and "Event loop is closed" not in ran.stderr
    assert "unclosed" not in ran.stderr


def test_a_wrapped_up_run_is_an_entry_of_the_journal(project, cli):  # noqa: F811
    write_allowed(project, f'[agents.sh]\ncommand = "{FAILING}"\n')
    said = cli("run", "sh", "--wrapup", "build it")
    entry = said.err.split("Journal entry saved: ")[1].strip()
    shown = cli("session", "show", entry[:8]).out
    assert "1 run of sh, 0 completed." in shown and "build it → the disk is full" in shown
    assert "A run failed: the disk is full (the task: build it)" in shown
    assert "Do again: build it" in shown
    assert git(project, "log", "-1", "--format=%s").startswith("wrapup(shop): 1 run of sh")


def test_an_agent_or_a_session_that_is_not_there_is_named(project, cli):  # noqa: F811
    said = cli("run", "nobody", "x")
    assert (said.code, "choose from: coding, echo, log-analyzer, " in said.err) == (1, True)
    said = cli("run", "echo", "--session-id", "gone", "x")
    assert (said.code, "session 'gone' not found" in said.err) == (1, True)
    assert cli("run", "echo", " ").code == 1
    assert "begins with 'mysql'" in cli("run", "echo", "x", "--database", "mysql://h/d").err


def test_the_reflection_agent_tells_what_waits_and_approves_nothing(project, cli):  # noqa: F811
    cli("wrapup", "--summary", "Worked.", "--friction", "npm test hung: the project uses pnpm.")
    said = cli("run", "reflection", "now")
    assert "1 proposal from 1 session; decide on them with: calmkb reflect" in said.out
    assert cli("memory", "list").out == "No memories found.\n"


def spawn(folder, *args):
    return warm.at_terminal(*args, folder=folder, dimensions=(40, 120))


def test_an_interrupted_run_is_cancelled_cleanly_and_exits_130(project, home):  # noqa: F811
    write_allowed(project, "[agents.slow]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n")
    child = spawn(project, "run", "slow", "x")
    child.expect("begun")
    child.sendintr()
    child.expect("Cancelled; its entries until now are kept.\r\n")
    assert re.sub(r"[0-9a-f-]{36}", "ID", child.read()) == (
        "Continue with: calmkb run slow --session-id ID --continue-from ID TASK\r\n")  # fmt: skip
    child.wait()
    assert child.exitstatus == 130

    async def look():
        kb = make_kb(project.parent)
        from calmkb.wings.runs.store.store import open_journal

        journal = await open_journal(f"sqlite+aiosqlite:///{home}/.calm/runs.sqlite")
        (session,) = await journal.list_sessions()
        (run,) = await journal.list_runs(session.id)
        await journal.close()
        return kb, run

    _, run = asyncio.run(look())
    assert (run.status, run.result) == ("cancelled", {"error": "cancelled"})


def test_a_conversation_remembers_and_interrupts_one_task_alone(project):  # noqa: F811
    write_allowed(
        project,
        "[agents.odd]\ncommand = "
        "\"sh -c 'read x; echo got; case $x in *slow*) sleep 600;; esac'\"\n",
    )
    child = spawn(project, "chat", "odd")
    child.expect("odd> ")
    child.sendline("slow")
    child.expect("got")
    child.sendintr()
    child.expect("Cancelled")
    child.expect("odd> ")
    child.sendline("quick")
    child.expect("✓ got")
    child.expect("odd> ")
    child.sendline("/session")
    child.expect("Session [0-9a-f-]+: 2 runs")
    child.expect("1. cancelled  slow")
    child.expect("2. completed  quick")
    child.expect("odd> ")
    child.sendline("/new")
    child.expect("Session ")
    child.expect("odd> ")
    child.sendline("quick")
    child.expect("✓ got")
    child.expect("odd> ")
    child.sendline("/wrapup")
    child.expect("Journal entry saved: ")
    child.expect("Session ")
    child.expect("odd> ")
    interrupt(child)
    child.wait()
    assert child.exitstatus == 0


def test_archiving_draws_a_session_up_once(tmp_path):
    kb = make_kb(tmp_path)

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            empty = await journal.create_session("echo")
            assert (await runner.archive(empty.id, wrapup=True)).entry_id is None
            session = await journal.create_session("echo", title="Tried it out")
            await done(runner, journal, session.id, "say hello")
            first = await runner.archive(session.id, wrapup=True)
            return first, await runner.archive(session.id, wrapup=True)

    first, second = asyncio.run(main())
    assert (first.status, second.entry_id) == ("archived", first.entry_id)
    (view,) = read_contents(kb).sessions
    assert view.entry.id == first.entry_id
    assert view.entry.summary.startswith("Tried it out. 1 run of echo, 1 completed.")
    assert (view.entry.agent, view.entry.friction_points) == ("echo", ())


def test_commands_that_need_the_extra_say_so(project, monkeypatch, cli):  # noqa: F811
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    said = cli("run", "echo", "x")
    assert (said.code, "[runs]" in said.err) == (1, True)
    assert os.environ["HOME"]


@pytest.mark.parametrize("command", [("run", "echo", "x"), ("chat", "echo")])
def test_an_empty_session_id_begins_no_session(project, cli, command):  # noqa: F811
    said = cli(*command, "--session-id", "")
    assert said.code == 1
    assert "--session-id is empty; leave it out to begin a session" in said.err


def test_a_run_of_another_process_is_listed_and_cancelled(project, cli):  # noqa: F811
    write_allowed(project, "[agents.slow]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n")
    child = spawn(project, "run", "slow", "work")
    child.expect("begun")
    run_id, *words = cli("runs", "list", "--status", "running").out.split()
    assert words == ["running", "slow", "work"]
    said = cli("runs", "cancel", run_id)
    assert (said.code, said.out) == (0, f"Run {run_id}: cancelled\n")
    child.expect("✗ cancelled")
    child.wait()
    assert child.exitstatus == 1
    again = cli("runs", "cancel", run_id)
    assert (again.code, "has ended (cancelled)" in again.err) == (1, True)
    assert cli("runs", "list", "--status", "failed").out == "No runs found.\n"


def test_a_wrap_up_that_fails_archives_nothing_and_is_made_when_tried_again(tmp_path):
    kb = make_kb(tmp_path)
    git_folder = kb.environment.cwd / ".git"

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("echo", title="Tried it out")
            await done(runner, journal, session.id, "say hello")
            git_folder.rename(tmp_path / "away")
            with pytest.raises(CalmError):
                await runner.archive(session.id, wrapup=True)
            assert (await journal.get_session(session.id)).status == "active"
            (tmp_path / "away").rename(git_folder)
            first = await runner.archive(session.id, wrapup=True)
            late = await journal.create_session("echo", title="Archived before")
            await done(runner, journal, late.id, "say good night")
            assert (await runner.archive(late.id)).entry_id is None
            return first.entry_id, (await runner.archive(late.id, wrapup=True)).entry_id

    entries = asyncio.run(main())
    assert sorted(view.entry.id for view in read_contents(kb).sessions) == sorted(entries)


def test_an_entry_whose_maker_died_before_it_could_say_so_is_not_made_twice(tmp_path):
    kb = make_kb(tmp_path)

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("echo")
            await done(runner, journal, session.id, "say hello")
            made = await wrap_up_session(kb, journal, session)
            assert (await runner.archive(session.id, wrapup=True)).entry_id == made

    asyncio.run(main())
    assert len(read_contents(kb).sessions) == 1
