"""The hot hooks: one file each, whatever comes, and signals once somebody has time for them."""

import json
import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import calmkb.hook
from calmkb.capture.hooks.commands import queue_command, shell_command
from calmkb.capture.hooks.signals import failure_fields
from calmkb.capture.settings.hooks import program_of
from calmkb.errors import CalmError
from calmkb.kb.signals.queue import absorb_queue, capture_transcript
from calmkb.store.signals.lines import row
from calmkb.store.signals.store import SignalStore
from calmkb.wings.proof.hook_commands import check_command, stop_command
from calmkb.wings.proof.verbs.recall.switch import recall_command
from calmkb.wings.wrapup.clients import ask_command
from tests.signals.samples import NOW, SECRET, SESSION, call, failure, payload, said_by

SHELLS = [name for name in ("dash", "bash", "sh") if shutil.which(name)]
POSIX = pytest.mark.skipif(os.name == "nt", reason="the command is for a POSIX shell")
ODD = {
    "quotes": b"""{"a": "it's \\"$HOME\\" `id` \\\\ %s"}""",
    "binary": bytes(range(256)) * 9,
    "large": json.dumps({"a": "x" * 1_000_000}).encode(),
    "empty": b"",
    "no line end": b"{}",
}


def shell(state, given, *, event="PostToolUseFailure", name="sh", **env):
    done = subprocess.run(
        [name, "-c", shell_command(event)],
        input=given,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "REFLECTIONS_DIR": str(state), **env},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def put(state, said, *, event="PostToolUseFailure", name="1", at=NOW):
    queue = state / "queue"
    queue.mkdir(parents=True, exist_ok=True)
    path = queue / f"{event}-{name}.json"
    path.write_bytes(said if isinstance(said, bytes) else json.dumps(said).encode())
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


@POSIX
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_queues_any_bytes_as_they_are_for_its_owner_alone(tmp_path, name):
    state = tmp_path / "with blank 'and quote"
    for said in ODD.values():
        shell(state, said, name=name)
    files = list((state / "queue").iterdir())
    kept = (path.read_bytes().removesuffix(b"\n") for path in files)  # sed may end the line
    assert sorted(kept) == sorted(ODD.values())
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert (state / "queue").stat().st_mode & 0o777 == 0o700


@POSIX
@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize("lines", [[b'{"a": {"b": "}"}}\n'], [b"{\n", b'  "a": {\n  }\n', b"}\n"]])
def test_a_shell_ends_with_its_object_though_the_pipe_stays_open(tmp_path, name, lines):
    commands = [shell_command("Stop"), ask_command("WrapupCheck", "true", "x"),
                stop_command("true"), check_command("true")]  # fmt: skip
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    for command in commands:
        with subprocess.Popen([name, "-c", command], stdin=subprocess.PIPE, env=env) as hook:
            for line in lines:
                os.write(hook.stdin.fileno(), line)
            assert hook.wait(timeout=60) == 0
    (queued,) = (tmp_path / ".calm/queue").iterdir()
    assert queued.read_bytes() == b"".join(lines)


@POSIX
def test_twenty_shells_at_once_queue_twenty_files(tmp_path):
    command = ["sh", "-c", shell_command("Stop")]
    env = {"PATH": os.environ["PATH"], "REFLECTIONS_DIR": str(tmp_path)}
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, env=env) for _ in range(20)]
    for n, each in enumerate(running):
        each.communicate(json.dumps({"n": n}).encode())
    said = [json.loads(path.read_bytes())["n"] for path in (tmp_path / "queue").iterdir()]
    assert sorted(said) == list(range(20))


@POSIX
def test_a_shell_that_cannot_write_or_serves_a_child_reads_all_and_says_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    shell(tmp_path / "file/state", ODD["large"])
    shell(tmp_path / "state", ODD["large"], CALMKB_CHILD="1")
    shell("", ODD["large"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@POSIX
def test_a_full_disk_leaves_no_empty_file(tmp_path):
    # No file may grow: each write fails as on a full disk.
    command = f"trap '' XFSZ; ulimit -f 0; {shell_command('Stop')}"
    env = {"PATH": os.environ["PATH"], "REFLECTIONS_DIR": str(tmp_path)}
    done = subprocess.run(["sh", "-c", command], input=ODD["large"], env=env,
                          capture_output=True, check=False)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list((tmp_path / "queue").iterdir()) == []


@POSIX
def test_a_name_that_is_taken_is_not_written_over(tmp_path):
    # The shell's own number is its child's parent's: with exec the number stays the same.
    command = shell_command("Stop")
    twice = 'mkdir -p "$REFLECTIONS_DIR/queue"; for n in 0 1; do ' + (
        'echo taken > "$REFLECTIONS_DIR/queue/Stop-$PPID-$$-$n.json"; done; exec sh -c "$COMMAND"'
    )
    env = {"PATH": os.environ["PATH"], "REFLECTIONS_DIR": str(tmp_path), "COMMAND": command}
    subprocess.run(["sh", "-c", twice], input=b"{}", env=env, check=True)
    said = sorted(path.read_text().strip() for path in (tmp_path / "queue").iterdir())
    assert said == ["taken", "taken", "{}"]


def test_where_there_is_no_shell_the_standard_library_alone_queues(tmp_path):
    command = [sys.executable, "-I", "-S", calmkb.hook.__file__]
    env = os.environ | {"REFLECTIONS_DIR": str(tmp_path)}
    for said, event in ((ODD["binary"], "Stop"), (b"x", ""), (b"x", "../up")):
        done = subprocess.run([*command, event], input=said, capture_output=True, env=env)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (found,) = (tmp_path / "queue").iterdir()
    assert found.read_bytes() == ODD["binary"]
    broken = env | {"REFLECTIONS_DIR": str(found)}
    done = subprocess.run([*command, "Stop"], input=b"{}", capture_output=True, env=broken)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@POSIX
def test_hooks_of_a_program_that_is_gone_write_nothing(home, cli):
    assert cli("hooks", "on").code == 0
    settings = json.loads((home / ".claude/settings.json").read_text())
    commands = [
        one["command"]
        for groups in settings["hooks"].values() for group in groups for one in group["hooks"]
    ]  # fmt: skip
    assert len(commands) >= 6
    program = next(filter(None, map(program_of, commands)))
    before = sorted(home.rglob("*"))
    for command in commands:
        gone = command.replace(program, str(home / "gone" / Path(program).name))
        assert gone != command
        done = subprocess.run(
            ["sh", "-c", gone], input=b"{}", capture_output=True, check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": str(home)},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        assert bool(done.stdout) == ("hook SessionStart" in command)
    assert sorted(home.rglob("*")) == before


def test_only_the_hot_events_are_queued():
    with pytest.raises(CalmError, match="'PreCompact' is not queued; choose from: PostToolUse"):
        queue_command("PreCompact", "calmkb")


def test_a_failure_becomes_one_signal_with_the_telling_line(store):
    put(store.folder, failure())
    assert absorb_queue(store, NOW) == 1
    (kept,) = store.query()
    assert row(kept) | {"meta": {}} == {
        "id": "SIG-20261120-0001", "version": 1, "timestamp": "2026-11-20T12:00:00Z",
        "session_id": SESSION, "type": "failure", "status": "captured", "confidence": 1,
        "source": {"hook": "PostToolUseFailure"},
        "content": "Bash failed: TypeError: cart.total is not a function",
        "context": "pnpm test → Exit code 1 > storefront@1.0.0 test TypeError: "
        "cart.total is not a function",
        "category": "", "tags": ["Bash"], "related": [], "promoted_to": None, "meta": {},
    }  # fmt: skip
    assert not list((store.folder / "queue").glob("*.json"))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("Exit code 3\nout\nerr", "Exit code 3: err"),
        ("Exit code 3", "Exit code 3"),
        ("MCPFAIL text", "MCPFAIL text"),
        ("", "it gave no reason"),
        (None, "it gave no reason"),
        ({"code": 1}, "{'code': 1}"),
        ("x " * 5_000_000, "x x"),
    ],
)
def test_the_error_is_told_in_a_hundred_characters(error, told):
    fields = failure_fields(failure(error=error), b"", str)
    assert fields
    assert fields["content"].startswith(f"Bash failed: {told}")
    assert len(fields["content"]) <= 100
    assert len(fields["context"]) <= 200


def test_what_a_person_stopped_is_no_failure(store):
    put(store.folder, failure(is_interrupt=True))
    assert absorb_queue(store, NOW) == 0
    assert not list((store.folder / "queue").glob("*.json"))


def test_a_failure_queued_twice_is_one_signal(store):
    put(store.folder, failure(), name="1")
    put(store.folder, failure(), name="2")
    put(store.folder, failure("toolu_02"), name="3")
    assert absorb_queue(store, NOW) == 2
    put(store.folder, failure(), name="4")
    assert absorb_queue(store, NOW) == 0


def test_secrets_and_folders_are_taken_out_of_what_was_queued(store, home):
    said = failure(
        cwd="/srv/clients/storefront",
        error=f"fatal: cannot read {home}/notes with {SECRET} in /srv/clients/storefront/a.ts",
        tool_input={"command": f"curl -H 'Authorization: Bearer {SECRET}'"},
    )
    put(store.folder, said)
    absorb_queue(store, NOW)
    written = store.path.read_text()
    assert "fatal: cannot read ~/notes with [redacted" in written
    assert "curl -H 'Authorization: Bearer [redacted" in written
    assert not [word for word in (SECRET, str(home), "/srv/clients") if word in written]


@pytest.mark.parametrize("length", range(20, 100, 7))
def test_half_a_secret_does_not_outlive_the_cut(store, length):
    text = f"fatal: {'x' * length} {SECRET}"
    put(store.folder, failure(error=text, tool_input={"command": text}))
    absorb_queue(store, NOW)
    assert SECRET[:8] not in store.path.read_text()


def test_a_file_that_is_still_being_written_waits_and_litter_goes(store):
    torn = put(store.folder, b'{"session_id": "7d', name="1")
    put(store.folder, failure(), name="2")
    list_ = put(store.folder, b"[1]", name="3")
    assert absorb_queue(store, NOW) == 1
    assert (torn.exists(), list_.exists()) == (True, False)
    torn.write_text(json.dumps(failure("toolu_02")))
    os.utime(torn, (NOW.timestamp(), NOW.timestamp()))
    assert absorb_queue(store, NOW) == 1
    put(store.folder, b'{"session_id": "7d', name="4")
    (store.folder / "queue/.tail-x.jsonl").write_text("left by a kill")
    os.utime(store.folder / "queue/.tail-x.jsonl", (1, 1))
    assert absorb_queue(store, NOW + timedelta(hours=1)) == 0
    assert [path.name for path in (store.folder / "queue").iterdir()] == [".lock"]


def test_a_session_that_ended_has_one_summary(store, transcript):
    said = payload("SessionEnd", transcript_path=str(transcript), reason="clear")
    put(store.folder, payload("Stop", transcript_path=str(transcript)), event="Stop")
    put(store.folder, said, event="SessionEnd", name="1")
    put(store.folder, said, event="SessionEnd", name="2")
    assert absorb_queue(store, NOW) == 2
    kept, taught = store.query()
    assert taught.type == "correction"
    assert (kept.type, kept.confidence, kept.session_id) == ("summary", 1, SESSION)
    assert kept.source == {"hook": "SessionEnd"}
    assert kept.content == "Session of 4 turns; tools: Bash 2, Edit 1; 1 file touched"
    assert kept.context == "Add the coupon field to the cart."
    assert {**kept.meta, "key": ""} == {
        "key": "", "turns": 4, "tools": {"Bash": 2, "Edit": 1}, "files": ["storefront/src/cart.ts"],
    }  # fmt: skip
    assert not list((store.folder / "queue").glob("*.json"))


def test_a_session_whose_end_was_never_told_is_summed_up_once_it_is_silent(store, transcript):
    said = payload("Stop", transcript_path=str(transcript))
    put(store.folder, said, event="Stop", name="1", at=NOW - timedelta(hours=1))
    put(store.folder, said, event="Stop", name="2")
    assert absorb_queue(store, NOW) == 0
    assert [path.name for path in (store.folder / "queue").glob("*.json")] == ["Stop-2.json"]
    assert absorb_queue(store, NOW + timedelta(hours=7)) == 2
    assert [one.type for one in store.query()] == ["summary", "correction"]


def test_a_session_that_ended_is_read_whole_however_long_it_was(store, transcript):
    later = [one for n in range(150) for one in call("Read", n % 60, file_path=f"{n}.ts")]
    with transcript.open("a") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in later)
    said = payload("SessionEnd", transcript_path=str(transcript))
    put(store.folder, said, event="SessionEnd")
    absorb_queue(store, NOW)
    assert [one.type for one in store.query()] == ["summary", "correction"]


def test_a_summary_names_ten_tools_and_twenty_files_at_most(store, transcript):
    later = [said_by("user", "Move every page.", 55)]
    later += [one for n in range(25) for one in call("Edit", n, file_path=f"{n}.ts")]
    later += [one for n in range(12) for one in call(f"Tool{n}", n + 30)]
    transcript.write_text("".join(f"{json.dumps(line)}\n" for line in later))
    put(store.folder, payload("SessionEnd", transcript_path=str(transcript)), event="SessionEnd")
    absorb_queue(store, NOW)
    (kept,) = store.query(type="summary")
    assert (len(kept.meta["tools"]), kept.meta["tools"]["Edit"]) == (10, 25)
    assert len(kept.meta["files"]) == 20


def test_what_fails_in_a_programs_session_is_no_signal(store, transcript):
    line = json.dumps(said_by("user", "Look.", 9) | {"entrypoint": "sdk-cli"})
    transcript.write_text(f"{line}\n{transcript.read_text()}")
    put(store.folder, failure(transcript_path=str(transcript)))
    assert absorb_queue(store, NOW) == 0
    assert capture_transcript(store, transcript, SESSION, NOW) == 0


def test_a_session_without_a_transcript_or_a_word_has_no_summary(store, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for n, path in enumerate(["empty.jsonl", "pipe.jsonl", "missing.jsonl", "", "\0", "."]):
        said = payload("SessionEnd", transcript_path=str(tmp_path / path) if path else path)
        put(store.folder, said, event="SessionEnd", name=str(n))
    assert absorb_queue(store, NOW) == 0
    assert not list((store.folder / "queue").glob("*.json"))


def test_a_queue_that_cannot_be_kept_stays(store):
    put(store.folder, failure())
    store.path.mkdir()
    with pytest.raises(CalmError, match="cannot"):
        absorb_queue(store, NOW)
    assert list((store.folder / "queue").glob("*.json"))
    store.path.rmdir()
    assert absorb_queue(store, NOW) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
NAMES = ("session_id", "transcript_path", "cwd", "tool_name", "tool_input", "tool_use_id", "error")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    event=st.sampled_from(["PostToolUseFailure", "SessionEnd", "Stop", "Else"]),
    said=st.dictionaries(st.sampled_from(NAMES), JSON) | JSON,
)
def test_no_payload_holds_up_the_queue(tmp_path, event, said):
    put(tmp_path, said, event=event, at=NOW - timedelta(days=1))
    absorb_queue(SignalStore(tmp_path), NOW)
    assert not list(Path(tmp_path / "queue").glob("*.json"))


@pytest.mark.parametrize(
    "error, reason",
    [
        ("Exit code 254\nnpm error code ENOENT\nnpm error syscall open\n"
         "npm error enoent Could not read package.json: Error: ENOENT: no such file",
         "enoent Could not read package.json: Error: ENOENT: no such file"),
        ("Exit code 1\n\n> shop2@1.0.0 test\n> exit 1\n", "Exit code 1"),
        ("Exit code 7", "Exit code 7"),
        ("Exit code 2\n> build\nthe lock is held by 12", "Exit code 2: the lock is held by 12"),
    ],
)  # fmt: skip
def test_a_failure_is_told_by_the_line_that_says_why(store, error, reason):
    put(store.folder, failure() | {"error": error})
    absorb_queue(store, NOW)
    (kept,) = store.query()
    assert kept.content == f"Bash failed: {reason}"


@pytest.mark.parametrize(
    "more",
    [
        {"tool_input": {"command": "cd web && grep -rn coupon src | head"}},
        {"error": "This command requires approval"},
        {"error": "<tool_use_error>Sibling tool call errored</tool_use_error>"},
    ],
)
def test_what_never_ran_or_only_looked_is_no_failure(more):
    assert failure_fields(failure(**more), b"", str) is None


@POSIX
@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize(
    "home",
    ["{top}/.home", ".home", "{top}/src/.home", "{top}/src/../.home", "/proc/self/cwd/.home"],
)
def test_no_hook_reads_or_writes_a_state_folder_that_came_with_a_clone(tmp_path, name, home):
    top, told = tmp_path / "clone", b'{"prompt": "npm test", "transcript_path": "x"}'
    (top / ".git").mkdir(parents=True)
    (top / "src").mkdir()
    said = home.format(top=top)
    state = top / "src" / said.replace("/proc/self/cwd", str(top / "src")) / ".calm"
    state.mkdir(parents=True)
    for brought in ("checks.words", "recall.json", "asked", "turns"):
        (state / brought).write_text("npm")
    ran = tmp_path / "ran"
    program = tmp_path / "calmkb"
    program.write_text(f'#!/bin/sh\necho "$HOME" >> {ran}\n')
    program.chmod(0o755)
    hooks = [queue_command("Stop", str(program)), check_command(str(program))]
    for command in [*hooks, recall_command()]:
        env = {"PATH": os.environ["PATH"], "HOME": said}
        done = subprocess.run([name, "-c", command], cwd=top / "src", input=told, env=env,
                              capture_output=True, check=False)  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not ran.exists() and not (state / "queue").exists()
    for command in [queue_command("Stop", str(program)), check_command(str(program))]:
        env["HOME"] = str(tmp_path)  # a home above the clone is the person's
        (tmp_path / ".calm").mkdir(exist_ok=True)
        (tmp_path / ".calm/checks.words").write_text("npm")
        subprocess.run([name, "-c", command], cwd=top / "src", input=told, env=env, check=True)
    assert (
        ran.read_text() == f"{tmp_path}\n" and len(list((tmp_path / ".calm/queue").iterdir())) == 1
    )
