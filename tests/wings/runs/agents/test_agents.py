"""Programs as agents: what they print becomes entries, and nothing of them is left."""

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from calmkb.errors import ConfigError, RecordError, RunConflictError
from calmkb.wings.runs.sinks import JournalSink, Limits
from tests.wings.runs.support import done, ended, make_kb, running

CLAUDE = """
import json, sys
sys.stdin.read()
def say(**event):
    print(json.dumps(event), flush=True)
def message(role, *blocks):
    say(type=role, message={"role": role, "content": list(blocks)})
def call(id, command):
    return {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
def answer(id, content, **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}
say(type="system", subtype="init", tools=["Bash"])
print("not json at all"); print("[1, 2]"); print("{broken"); say(type="new-kind", x=1)
message("assistant", {"type": "text", "text": "I list the files."}, call("t1", "ls"))
message("user", answer("t1", [{"type": "text", "text": "a.py\\nb.py"}]))
message("assistant", call("t2", "npm test"))
message("user", answer("t2", "lock file broken", is_error=True))
message("assistant", {"type": "text", "text": "It fails."})
say(type="result", subtype="success", is_error=False, result="The tests fail.", num_turns=3)
"""


def program(folder: Path, body: str) -> str:
    path = folder / "agent.py"
    path.write_text(body)
    return shlex.join([sys.executable, str(path)])


def settings(command: str, **more) -> str:
    lines = [f"[agents.tried]\ncommand = {json.dumps(command)}"]
    return "\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in more.items())])


def carry_out(tmp_path, text, task="Do it.", config=None, times=1, agent="tried", **more):
    """Return [(run, entries), …] of an agent under these settings."""
    kb = make_kb(tmp_path, text)

    async def main():
        async with running(kb, tmp_path, **more) as (runner, journal):
            session = await journal.create_session(agent)
            return [await done(runner, journal, session.id, task, config) for _ in range(times)]

    return asyncio.run(main())


def kinds(entries):
    return [entry.entry_type for entry in entries]


def test_the_stream_of_claude_code_becomes_text_tools_steps_and_an_end(tmp_path):
    text = settings(program(tmp_path, CLAUDE), format="claude-stream-json")
    ((run, entries),) = carry_out(tmp_path, text)
    assert kinds(entries) == [
        "run:started", "text", "tool:starting", "tool:complete", "step:complete",
        "tool:starting", "tool:complete", "step:complete", "text", "run:complete",
    ]  # fmt: skip
    first, second = (e.data for e in entries if e.entry_type == "tool:complete")
    assert (first["summary"], first["success"], first["toolName"]) == ("a.py", True, "Bash")
    assert (second["summary"], second["success"]) == ("lock file broken", False)
    assert [e.step_number for e in entries if e.entry_type == "tool:starting"] == [1, 2]
    assert (run.status, run.result["message"]) == ("completed", "The tests fail.")


def test_a_client_that_breaks_off_without_a_result_has_failed(tmp_path):
    body = CLAUDE.split('say(type="result"')[0] + "\nsys.exit('no credit')"
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((run, entries),) = carry_out(tmp_path, text)
    assert run.status == "failed"
    assert "without a result (exit code 1): no credit" in run.result["message"]
    assert entries[-1].entry_type == "run:error"


@pytest.mark.parametrize(("stream", "says"), [
    ("lines", "begun"),
    ("claude-stream-json", '{"type": "result", "result": "begun", "is_error": false}'),
    ("codex-json", '{"type": "turn.completed", "usage": {}}'),
    ("gemini-stream-json", '{"type": "result", "status": "success"}'),
])  # fmt: skip
def test_a_program_that_ends_by_an_exit_code_ends_its_run_with_an_error(tmp_path, stream, says):
    body = f"import sys\nprint({says!r})\nprint('disk full', file=sys.stderr)\nsys.exit(3)"
    ((run, entries),) = carry_out(tmp_path, settings(program(tmp_path, body), format=stream))
    assert (run.status, entries[-1].entry_type) == ("failed", "run:error")
    assert entries[-1].data["error"] == run.outcome
    assert "run:complete" not in kinds(entries)


def test_a_log_analyzer_and_an_orchestration_are_there_at_once(tmp_path, monkeypatch):
    client = tmp_path / "bin" / "claude"
    client.parent.mkdir()
    client.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "print(json.dumps({'type': 'result', 'result': json.dumps(sys.argv[1:])}))\n"
    )
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}{os.pathsep}{os.environ['PATH']}")
    given = {}
    for agent in ("coding", "log-analyzer", "orchestration"):
        ((run, _),) = carry_out(tmp_path, "", agent=agent)
        given[agent] = json.loads(run.result["message"])
    assert given["coding"] == ["-p", "--output-format", "stream-json", "--verbose"]
    for agent in ("log-analyzer", "orchestration"):
        assert given[agent][:4] == given["coding"]
        assert given[agent][-2] == "--append-system-prompt"
    assert "Edit" in given["log-analyzer"][given["log-analyzer"].index("--disallowedTools") + 1]


def test_more_steps_than_it_may_take_end_the_run(tmp_path):
    text = settings(program(tmp_path, CLAUDE), format="claude-stream-json", max_steps=1)
    ((run, entries),) = carry_out(tmp_path, text)
    assert (run.status, entries[-1].entry_type) == ("failed", "run:error")
    assert "stopped after 1 steps" in entries[-1].data["error"]
    ((run, _),) = carry_out(tmp_path, settings(program(tmp_path, CLAUDE),
                            format="claude-stream-json"), config={"maxSteps": 1})  # fmt: skip
    assert run.status == "failed"


def test_plain_lines_of_any_program_are_texts_and_the_task_is_its_input(tmp_path):
    command = program(tmp_path, "import sys\nprint('got', sys.stdin.read().strip())\nprint()\n"
                                "sys.stdout.write('no end of line')")  # fmt: skip
    ((run, entries),) = carry_out(tmp_path, settings(command), task="count $(ls); `x`")
    assert [e.data["text"] for e in entries if e.entry_type == "text"] == [
        "got count $(ls); `x`", "no end of line"]  # fmt: skip
    assert (run.status, run.result["message"]) == ("completed", "no end of line")


def test_a_task_in_the_command_is_one_word_and_no_shell_sees_it(tmp_path):
    command = program(tmp_path, "import sys\nprint(sys.argv[1:], repr(sys.stdin.read()))")
    ((_, entries),) = carry_out(tmp_path, settings(command + " --do '{task}'"), task="a b; rm *")
    assert entries[1].data["text"] == "['--do', 'a b; rm *'] '\\n'"


def test_the_second_run_is_told_of_the_first(tmp_path):
    command = program(tmp_path, "import sys\nprint(sys.stdin.read().replace(chr(10), '|'))")
    (_, (_, entries)) = carry_out(tmp_path, settings(command), task="Name a fruit.", times=2)
    assert "User: Name a fruit." in entries[1].data["text"]
    assert entries[1].data["text"].rstrip("|").endswith("The task now:||Name a fruit.")


def test_the_last_line_of_a_run_stands_once_in_the_context_of_the_next(tmp_path):
    command = program(tmp_path, "import sys\nprint(sys.stdin.read().count('At the end.'))\n"
                                "print('At the end.')")  # fmt: skip
    (_, (_, entries)) = carry_out(tmp_path, settings(command), times=2)
    assert entries[1].data["text"] == "1"


def test_one_that_takes_too_long_is_stopped_with_its_children(tmp_path):
    command = program(
        tmp_path,
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n"
        "print('begun', flush=True)\ntime.sleep(600)",
    )
    ((run, entries),) = carry_out(tmp_path, settings(command, seconds=2))
    assert "did not end after 2 s" in run.result["error"]
    assert kinds(entries) == ["run:started", "text", "run:error"]
    assert not _runs(int((tmp_path / "pid").read_text()))


ESCAPED = 'setsid sh -c \'trap "" TERM; echo $$ >> "$0"; sleep 600; sleep 600\' {pids} & '
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux")


def _escapers(folder: Path, then: str) -> str:
    """Return a command with a child in a session of its own, which ignores SIGTERM."""
    script = folder / "escape.sh"
    pids = shlex.quote(str(folder / "pids"))
    script.write_text(
        ESCAPED.format(pids=pids) + f"until [ -s {pids} ]; do sleep 0.01; done\n{then}"
    )
    return shlex.join(["sh", str(script)])


@needs_proc
@pytest.mark.parametrize("then", ["echo done", "exec sleep 600"])
def test_children_in_a_session_of_their_own_end_with_the_run_too(tmp_path, then):
    text = settings(_escapers(tmp_path, then), seconds=2)
    ((run, _),) = carry_out(tmp_path, text)
    assert run.status == ("completed" if then == "echo done" else "failed")
    (pid,) = map(int, (tmp_path / "pids").read_text().split())
    assert not _runs(pid)


def test_a_program_that_is_stopped_may_finish_what_it_writes_first(tmp_path):
    script = tmp_path / "slow.sh"
    script.write_text("trap 'echo saved > saved; exit 0' TERM\necho begun\nsleep 600 & wait")
    ((run, _),) = carry_out(tmp_path, settings(shlex.join(["sh", str(script)]), seconds=1))
    assert "did not end after 1 s" in run.result["error"]
    assert (tmp_path / "shop/saved").read_text() == "saved\n"


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_cancelled_run_is_cancelled_and_says_so_once(tmp_path):
    command = program(tmp_path, "import time\nprint('begun', flush=True)\ntime.sleep(600)")
    kb = make_kb(tmp_path, settings(command))

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("tried")
            begun = await runner.start(session.id, "x")
            async for item in journal.follow(begun.id):
                if getattr(item, "entry_type", "") == "text":
                    break
            with pytest.raises(RunConflictError, match="running run"):
                await runner.archive(session.id)
            with pytest.raises(RunConflictError, match="running run"):
                await journal.delete_session(session.id)
            run = await runner.cancel(begun.id)
            with pytest.raises(RunConflictError, match="has ended"):
                await runner.cancel(begun.id)
            return run, await journal.entries(begun.id)

    run, entries = asyncio.run(main())
    assert (run.status, run.result) == ("cancelled", {"error": "cancelled"})
    assert kinds(entries).count("run:error") == 1


def test_a_flood_is_cut_and_too_many_entries_end_the_run(tmp_path):
    flood = program(tmp_path, "print('x' * 300_000)\nprint('y' * 9_000_000)\nprint('end')")
    ((run, entries),) = carry_out(tmp_path, settings(flood))
    texts = [e.data["text"] for e in entries if e.entry_type == "text"]
    assert [len(text) < 110_000 for text in texts] == [True, True]
    assert "[… cut: 200000 more characters]" in texts[0] and texts[1] == "end"
    endless = program(tmp_path, "n = 0\nwhile True:\n    n += 1\n    print(n, flush=True)")
    ((run, entries),) = carry_out(tmp_path, settings(endless), limits=Limits(entries=50))
    assert (run.status, len(entries)) == ("failed", 51)
    assert "wrote 50 entries, more than it may" in run.result["error"]


def test_secrets_are_gone_before_anything_is_kept(tmp_path):
    secret = "gh" + "p_" + "c4N4ryC4n4ry" * 3
    body = CLAUDE.replace("a.py", secret).replace("I list the files.", f"Use {secret} now")
    text = settings(program(tmp_path, body), format="claude-stream-json")
    carry_out(tmp_path, text, task=f"log in with {secret}")
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite*") if path.is_file())
    assert secret.encode() not in kept and b"redacted" in kept


@pytest.mark.parametrize("limit", [20_000, 40_000, 60_000])
def test_a_cut_never_leaves_half_a_secret(tmp_path, limit):
    secret = "gh" + "p_" + "c4N4ryC4n4ry" * 3
    line = "word " * (limit // 5 - 2) + secret + " and so on" * 500
    body = (
        f"import json, sys\nline = {line!r}\n"
        "use = {'type': 'tool_use', 'id': 't', 'name': 'Bash', 'input': {'command': line}}\n"
        "ask = {'type': 'assistant', 'message': {'role': 'assistant', 'content': [use]}}\n"
        "got = {'type': 'tool_result', 'tool_use_id': 't', 'content': line, 'is_error': True}\n"
        "out = {'type': 'user', 'message': {'role': 'user', 'content': [got]}}\n"
        "print(json.dumps(ask)); print(json.dumps(out)); sys.exit(3)\n"
    )
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((_, entries),) = carry_out(tmp_path, text, limits=Limits(text=limit, result=limit))
    assert "c4N4" not in json.dumps([entry.data for entry in entries])


def test_the_end_of_standard_error_never_begins_inside_a_secret(tmp_path):
    secret = "gh" + "p_" + "c4N4ryC4n4ry" * 3
    tail = " oops" * 395
    body = f"import sys\nsys.stderr.write('x ' * 90 + {secret!r} + {tail!r})\nsys.exit(2)\n"
    ((run, _),) = carry_out(tmp_path, settings(program(tmp_path, body)))
    assert run.result["message"].endswith("oops") and "4ry" not in run.result["message"]


def test_what_no_database_keeps_is_replaced(tmp_path):
    command = program(tmp_path, "import sys\nsys.stdout.buffer.write(b'a\\0b\\xff\\n')")
    ((run, entries),) = carry_out(tmp_path, settings(command))
    assert (run.status, entries[1].data["text"]) == ("completed", "a\ufffdb\ufffd")


@pytest.mark.parametrize(
    ("command", "told"),
    [("no-such-program-here", "cannot start"), ("'open", "is not a command line")],
)
def test_a_command_that_is_none_fails_the_run_in_words(tmp_path, command, told):
    ((run, _),) = carry_out(tmp_path, settings(command))
    assert run.status == "failed" and told in run.result["error"]


def test_an_agent_that_is_not_there_makes_no_run(tmp_path):
    kb = make_kb(tmp_path)

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("nobody")
            with pytest.raises(ConfigError, match="choose from: coding, echo, log-analyzer"):
                await runner.start(session.id, "x")
            return await journal.list_runs(session.id)

    assert asyncio.run(main()) == []


def test_the_heartbeat_beats_while_nothing_else_is_said(tmp_path):
    body = "import time, sys\nsys.stdin.read()\ntime.sleep(0.6)\nprint('late', flush=True)"
    kb = make_kb(tmp_path, settings(program(tmp_path, body)))

    async def main():
        async with running(kb, tmp_path, beat=0.05) as (runner, journal):
            session = await journal.create_session("tried")
            begun = await runner.start(session.id, "x")
            await ended(journal, begun.id)
            return await journal.entries(begun.id)

    entries = asyncio.run(main())
    late = kinds(entries).index("text")
    beats = [e.data["elapsed_ms"] for e in entries[:late] if e.entry_type == "thinking"]
    assert len(beats) >= 2 and beats == sorted(beats)
    assert kinds(entries)[-1] == "run:complete"


PACKAGE = """
from calmkb.wings.runs.agents.base import Outcome
from calmkb.wings.runs.verbs.agents import EchoAgent
from calmkb.wings.runs.sinks import Sink

class Broken:
    async def run(self, task, context, sink):
        raise ZeroDivisionError("by design")

class Parent:
    async def run(self, task, context, sink):
        # The one below speaks to nobody; what it came to is this one's to tell.
        below = await EchoAgent().run("a\\nb\\nc", context, Sink())
        await sink.text(f"It took {below.steps} steps.", step=1)
        return Outcome(below.success, below.message, 1)
"""


def install(folder, monkeypatch):
    """Put a package on the path whose agents stand in its entry points, as pip would."""
    (folder / "their_agents.py").write_text(PACKAGE)
    data = folder / "their_agents-1.0.dist-info"
    data.mkdir()
    (data / "METADATA").write_text("Metadata-Version: 2.1\nName: their-agents\nVersion: 1.0\n")
    names = "broken = their_agents:Broken\nparent = their_agents:Parent\ngone = nowhere:X\n"
    (data / "entry_points.txt").write_text(f"[calmkb.agents]\n{names}")
    monkeypatch.syspath_prepend(str(folder))


def test_agents_of_other_packages_are_found_and_one_may_use_another_in_silence(
    tmp_path, monkeypatch
):
    install(tmp_path, monkeypatch)
    kb = make_kb(tmp_path)

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            assert {"broken", "parent"} <= set(runner.agent_types())
            gone = await journal.create_session("gone")
            with pytest.raises(ConfigError, match="cannot be loaded: No module named 'nowhere'"):
                await runner.start(gone.id, "x")
            return [
                await done(runner, journal, (await journal.create_session(name)).id, "x")
                for name in ("parent", "broken")
            ]

    (parent, said), (broken, failed) = asyncio.run(main())
    assert kinds(said) == ["run:started", "text", "run:complete"]
    assert said[1].data["text"] == "It took 3 steps."
    assert parent.status == "completed"
    # A fault in one fails its run alone.
    assert "ZeroDivisionError: by design" in broken.result["error"]
    assert kinds(failed) == ["run:started", "run:error"]


def test_a_model_that_is_asked_for_reaches_the_program(tmp_path):
    command = program(tmp_path, "import sys\nprint(sys.argv[1:])")
    asked = {"model": "haiku"}
    ((_, entries),) = carry_out(tmp_path, settings(command + " --m {model}"), config=asked)
    assert entries[1].data["text"] == "['--m', 'haiku']"


@pytest.mark.parametrize("model", ["--allow-everything", "a b", "", "x" * 101])
def test_a_model_that_is_no_name_begins_no_run(tmp_path, model):
    kb = make_kb(tmp_path, settings("cat"))

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("tried")
            if model:
                with pytest.raises(RecordError, match="is invalid"):
                    await runner.start(session.id, "x", {"model": model})
                return await journal.list_runs(session.id)
            await done(runner, journal, session.id, "x", {"model": model})
            return []

    assert asyncio.run(main()) == []


def test_a_task_that_begins_with_a_dash_is_no_option(tmp_path):
    command = program(tmp_path, "import sys\nprint(sys.argv[1:])")
    ((_, entries),) = carry_out(tmp_path, settings(command + " {task}"), task="--help me")
    assert entries[1].data["text"] == "[' --help me']"


def test_a_failed_tool_is_told_by_the_line_that_says_why_and_a_refused_one_not_at_all(tmp_path):
    refused = "This command requires approval"
    body = CLAUDE.replace(
        "lock file broken", "Exit code 7\\nstarting\\nError: no lock file"
    ).replace(
        'message("assistant", {"type": "text", "text": "It fails."})',
        f'message("assistant", call("t3", "ls"))\n'
        f'message("user", answer("t3", "{refused}", is_error=True))',
    )
    text = settings(program(tmp_path, body), format="claude-stream-json")
    ((_, entries),) = carry_out(tmp_path, text)
    assert [e.data["summary"] for e in entries if e.entry_type == "tool:complete"] == [
        "a.py", "Exit code 7: starting", refused,
    ]  # fmt: skip
    signals = (tmp_path / "home/.calm/signals.jsonl").read_text().splitlines()
    assert [json.loads(line)["content"] for line in signals] == ["Bash failed: Error: no lock file"]


def test_a_beat_comes_one_interval_after_whatever_was_said_last():
    written = []

    class Journal:
        async def append(self, run_id, kind, data, *, step_number):
            written.append((kind, data))

    class Clock:
        now = 100.0

        def __call__(self):
            return self.now

    async def main(clock):
        waits = []

        async def slept(seconds):
            waits.append(round(seconds, 3))
            if len(waits) == 1:
                clock.now += 1.5
                await sink.text("said", step=1)
                clock.now += 0.5
            elif len(waits) < 4:
                clock.now += seconds
            else:
                raise asyncio.CancelledError

        sink = JournalSink(Journal(), "r", clean=str, interval=2.0, clock=clock, sleep=slept)
        await sink.begin()
        await asyncio.sleep(0)
        await sink.end()
        return waits

    assert asyncio.run(main(Clock())) == [2.0, 1.5, 2.0, 2.0]
    assert [data["elapsed_ms"] for kind, data in written if kind == "thinking"] == [2000, 4000]


def test_a_line_is_a_step_and_the_limit_of_steps_holds(tmp_path):
    command = program(tmp_path, "for n in range(60): print(n, flush=True)")
    ((run, entries),) = carry_out(tmp_path, settings(command), config={"maxSteps": 2})
    assert (run.status, run.result) == ("failed", {"error": "stopped after 2 steps, its limit"})
    assert [e.step_number for e in entries if e.entry_type == "text"] == [1, 2]


def test_a_run_goes_on_from_one_that_failed_and_others_do_not_know_of_it(tmp_path):
    body = (
        "import sys\nasked = sys.stdin.read()\nprint(repr(asked))\n"
        "if asked.strip() == 'Break.': print('half done'); sys.exit('no credit')"
    )
    kb = make_kb(tmp_path, settings(program(tmp_path, body)))

    async def main():
        async with running(kb, tmp_path) as (runner, journal):
            session = await journal.create_session("tried")
            failed, _ = await done(runner, journal, session.id, "Break.")
            _, plain = await done(runner, journal, session.id, "Go on.")
            config = {"continueFrom": failed.id, "secret": "gh" + "p_" + "c4N4ryC4n4ry" * 3}
            run, told = await done(runner, journal, session.id, "Go on.", config)
            with pytest.raises(RecordError, match="is not an ended run of session"):
                await runner.start(session.id, "x", {"continueFrom": "elsewhere"})
            return plain[1].data["text"], run, told[1].data["text"]

    plain, run, told = asyncio.run(main())
    assert "Break." not in plain
    assert "User: Break." in told and "half done" in told and "no credit" in told
    assert "c4N4" not in run.config["secret"]
