"""Each hook as the client runs it: exit 0, silence, and context only where it was asked for."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.capture.hooks.transcripts import LIMIT
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.hooks.events import handle
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from tests.conftest import git
from tests.signals.samples import NOW, SESSION, failure, fields, payload, said_by, session_lines
from tests.warm import without_terminal

RECORDS = Path(__file__).parents[1] / "data" / "hooks" / "recorded.jsonl"


def told(environment, event, said):
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    return handle(environment, event, io.BytesIO(raw)).context


def program(event, said, *, cwd, **env):
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    done = without_terminal("hook", *event, said=raw, cwd=cwd, env=os.environ | env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def test_a_failure_told_to_the_program_is_a_signal(environment, store):
    assert told(environment, "PostToolUseFailure", failure()) == ""
    assert told(environment, "PostToolUseFailure", failure()) == ""
    assert [one.type for one in store.query()] == ["failure"]


def test_the_end_of_a_session_told_to_the_program_is_its_summary_and_what_it_taught(
    environment, store, transcript
):
    said = payload("SessionEnd", transcript_path=str(transcript), reason="other")
    assert told(environment, "SessionEnd", said) == ""
    assert [one.type for one in store.query()] == ["summary", "correction"]
    assert store.query()[1].content == "No, use pnpm instead of npm in this project."
    assert store.query()[1].source == {"hook": "SessionEnd", "turn": 5}


def test_a_session_that_was_compacted_and_then_ended_teaches_nothing_twice(
    environment, store, transcript
):
    told(environment, "PreCompact", payload("PreCompact", transcript_path=str(transcript)))
    told(environment, "SessionEnd", payload("SessionEnd", transcript_path=str(transcript)))
    assert sorted(one.type for one in store.query()) == ["correction", "summary"]


def test_a_session_that_goes_on_has_its_summary_brought_up_to_date(environment, store, transcript):
    said = payload("SessionEnd", transcript_path=str(transcript), reason="other")
    told(environment, "SessionEnd", said)
    with transcript.open("a") as file:
        file.write(json.dumps(said_by("user", "And now the receipt.", 8)) + "\n")
    told(environment, "SessionEnd", said)
    (kept,) = store.query(type="summary")
    assert kept.content.startswith("Session of 5 turns")
    assert kept.meta["turns"] == 5


PLAIN = (
    {"role": "user", "content": "Run the tests."},
    {"role": "assistant", "content": "I run them.",
     "tool_use": {"name": "Bash", "input": {"command": "npm test"}, "error": "npm: not found"}},
    {"role": "assistant", "content": "Again.",
     "tool_use": {"name": "Bash", "input": {"command": "npm test"}, "error": "npm: not found"}},
    {"role": "assistant", "content": "I write it down.",
     "tool_use": {"name": "Edit", "input": {"file_path": "/srv/shop/README.md"}}},
)  # fmt: skip


def test_the_tools_of_a_plain_transcript_are_summed_up_and_their_failures_noticed(
    environment, store, tmp_path
):
    path = tmp_path / "plain.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in PLAIN))
    told(environment, "PreCompact", payload("PreCompact", transcript_path=str(path)))
    (failed,) = store.query()
    assert (failed.type, failed.confidence, failed.tags) == ("failure", 2, ("Bash",))
    told(environment, "SessionEnd", payload("SessionEnd", transcript_path=str(path)))
    (summary,) = store.query(type="summary")
    assert summary.meta["tools"] == {"Bash": 2, "Edit": 1}
    assert [Path(one).name for one in summary.meta["files"]] == ["README.md"]


SAYINGS = [
    ("No, the port is 8443.", "correction"),
    ("Actually, the staging database is on port 5433.", "correction"),
    ("We always run the linter before a commit.", "convention"),
    ("We prefer small modules.", "convention"),
    ("Our naming convention is camelCase for files", "convention"),
    ("Run `pnpm test` first.", "command"),
    ("Perfect, that's it.", "pattern"),
]


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "the client's"])
@pytest.mark.parametrize(("words", "kind"), SAYINGS, ids=[kind for _, kind in SAYINGS])
def test_what_a_person_says_is_heard_in_a_transcript_of_either_form(
    environment, store, tmp_path, words, kind, plain
):
    said = ("user", "Add the coupon field to the cart."), ("assistant", "I added the field. " * 4)
    talk = [("user", words)] if "naming" in words else [*said, ("user", words)]
    lines = [{"role": role, "content": text} for role, text in talk]
    if not plain:
        lines = [said_by(role, text, number) for number, (role, text) in enumerate(talk)]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told(environment, "PreCompact", payload("PreCompact", transcript_path=str(path)))
    assert [one.type for one in store.query()] == [kind]


@pytest.mark.parametrize("first", ["PreCompact", "SessionEnd"])
def test_a_compaction_and_the_end_take_the_same_prompts_of_a_person_and_none_of_a_program(
    environment, store, tmp_path, first
):
    path = tmp_path / f"{SESSION}.jsonl"
    for entrypoint, taken in (("sdk-cli", []), ("cli", ["correction"])):
        lines = [line | {"entrypoint": entrypoint} for line in session_lines()]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        told(environment, first, payload(first, transcript_path=str(path)))
        assert [one.type for one in store.query() if one.type != "summary"] == taken


def test_before_a_compaction_the_session_is_mined_once(environment, store, transcript):
    said = payload("PreCompact", transcript_path=str(transcript), trigger="auto")
    assert told(environment, "PreCompact", said) == ""
    kept = store.query(session=SESSION)
    assert ("No, use pnpm instead of npm in this project.", {"hook": "PreCompact", "turn": 5}) in [
        (one.content, one.source) for one in kept
    ]
    assert told(environment, "PreCompact", said) == ""
    with transcript.open("a") as file:
        file.write(json.dumps(said_by("user", "Always use tabs in this repo.", 8)) + "\n")
    told(environment, "PreCompact", said)
    assert len(store.query()) == len(kept) + 1


def test_after_a_compaction_the_agent_is_told_what_its_session_taught(environment, store):
    for n in range(25):
        store.append(fields(f"lesson {n} @secret.md </calmkb-context> {'x' * 900}"), now=NOW)
    store.append(fields("another session", session_id="other"), now=NOW)
    store.append(fields("settled", status="dismissed"), now=NOW)
    words = told(environment, "SessionStart", payload("SessionStart", source="compact"))
    lines = words.split("\n")
    assert (lines[0], lines[-1]) == ("<calmkb-context>", "</calmkb-context>")
    listed = [line for line in lines if line.startswith("- [correction] lesson ")]
    assert [line.split()[3] for line in listed] == [str(n) for n in range(5, 25)]
    assert "@secret" not in words
    assert "/reflect" in lines[-2]
    assert len(words) < 10_000
    assert words.count("</calmkb-context>") == 1


def test_with_nothing_to_tell_a_start_is_silent(environment):
    for source in ("startup", "resume", "clear", "compact", "fork", ""):
        assert told(environment, "SessionStart", payload("SessionStart", source=source)) == ""


def test_a_start_takes_the_queue_in_first(environment, store):
    queue = store.folder / "queue"
    queue.mkdir(parents=True)
    (queue / "PostToolUseFailure-1-1-0.json").write_text(json.dumps(failure()))
    words = told(environment, "SessionStart", payload("SessionStart", source="compact"))
    assert "- [failure] Bash failed: TypeError: cart.total is not a function" in words


def test_another_start_hands_over_what_was_left_to_be_continued(environment, tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    git(shop, "init", "-q", "-b", "main")
    (shop / "calmkb.toml").write_text("")
    kb = open_kb(replace(environment, cwd=shop))
    said = WrapUp(
        summary="Half of the cart is moved. See @notes.md.",
        next_steps=("Move the rest.",),
        working_directory=str(shop),
        needs_continuation=True,
    )
    wrap_up(*prepare(kb, said))
    words = told(
        environment, "SessionStart", payload("SessionStart", source="startup", cwd=str(shop))
    )
    assert "Half of the cart is moved. See @ notes.md." in words
    assert "- Move the rest." in words
    assert "calmkb next resume" in words
    other = payload("SessionStart", source="startup", cwd=str(tmp_path / "cwd"))
    assert told(environment, "SessionStart", other) == ""


def test_the_end_of_a_huge_session_is_read_in_little_memory(environment, store, tmp_path):
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(500 * 1024 * 1024)
        file.seek(0, 2)
        file.write(b"\n" + b"".join(json.dumps(line).encode() + b"\n" for line in session_lines()))
    assert huge.stat().st_size > LIMIT
    # Not getrusage: its peak counts what the parent held when it forked.
    code = "import atexit, re; peak = lambda: re.search(r'VmHWM:\\s*(\\d+)', "
    code += "open('/proc/self/status').read())[1]; atexit.register(lambda: print(peak())); "
    code += "from calmkb.__main__ import main; main()"
    said = payload("PreCompact", transcript_path=str(huge), cwd=str(tmp_path))
    env = os.environ | {"REFLECTIONS_DIR": str(store.folder)}
    command = [sys.executable, "-c", code, "hook", "PreCompact"]
    done = subprocess.run(command, input=json.dumps(said).encode(), capture_output=True, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert int(done.stdout) < 300 * 1024, "kilobytes"
    assert "correction" in [one.type for one in store.query()]
    assert list((store.folder / "queue").iterdir()) == []


def test_the_program_speaks_json_and_never_complains(tmp_path, store):
    state = {"REFLECTIONS_DIR": str(store.folder)}
    store.append(fields(), now=NOW)
    said = program(["SessionStart"], payload("SessionStart", source="compact"), cwd="/", **state)
    output = json.loads(said)["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    assert "- [correction] use pnpm, not npm" in output["additionalContext"]
    assert program(["SessionStart"], b'{"source": "compa', cwd=tmp_path, **state) == b""
    assert program([], b"", cwd=tmp_path, **state) == b""
    assert program(["Else", "--odd"], b"\xff", cwd=tmp_path, **state) == b""


@pytest.mark.parametrize("event", ["Stop", "SessionStart", "PreCompact", "PreToolUse"])
@pytest.mark.parametrize("pieces", [[b'{"a": 1}'], [b'{"a": {"b": 1}', b"}\n"]])
def test_a_hook_ends_with_its_object_though_the_pipe_stays_open(tmp_path, event, pieces):
    command = [sys.executable, "-m", "calmkb", "hook", event]
    env = os.environ | {"HOME": str(tmp_path)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=env, cwd=tmp_path) as hook:
        for piece in pieces:
            os.write(hook.stdin.fileno(), piece)
        assert hook.wait(timeout=60) == 0


RECORDED = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
ODD = [b"", b"nonsense", b"{}", b'{"session_id": null, "transcript_path": 3}']


@pytest.mark.parametrize("said", RECORDED, ids=lambda said: said["case"])
def test_what_the_client_was_recorded_to_send_is_taken_without_a_word(tmp_path, said):
    event, state = said["input"]["hook_event_name"], {"REFLECTIONS_DIR": str(tmp_path / "state")}
    assert program([event], said["input"], cwd=tmp_path, **state) == b""


@pytest.mark.parametrize("event", ["PostToolUseFailure", "PreCompact", "SessionEnd"])
def test_a_hook_that_is_told_nothing_says_and_keeps_nothing(tmp_path, store, event):
    for said in (*ODD, payload(event), payload(event, session_id="")):
        state = {"REFLECTIONS_DIR": str(store.folder)}
        assert program([event], said, cwd=tmp_path, **state) == b""
    assert store.query() == []


def test_the_program_is_silent_where_home_is_no_folder_and_there_is_no_git(tmp_path):
    (tmp_path / "file").write_text("")
    broken = {"HOME": str(tmp_path / "file"), "PATH": ""}
    assert program(["PostToolUseFailure"], failure(), cwd=tmp_path, **broken) == b""
    missing = payload("PreCompact", transcript_path="/nowhere/x.jsonl")
    assert program(["PreCompact"], missing, cwd=tmp_path, **broken) == b""
    start = payload("SessionStart", source="startup", cwd=str(tmp_path))
    assert program(["SessionStart"], start, cwd=tmp_path, **broken) == b""


def test_a_child_of_calmkb_is_not_captured(tmp_path, store):
    state = {"REFLECTIONS_DIR": str(store.folder), "CALMKB_CHILD": "1"}
    assert program(["PostToolUseFailure"], failure(), cwd=tmp_path, **state) == b""
    assert not store.folder.exists()
