"""Codex and Gemini CLI: sessions of theirs become the same turns and drafts."""

import gzip
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import FORMATS, read_transcript
from calmkb.capture.history.sources import history_files
from calmkb.errors import TranscriptError
from calmkb.system.entry_points import zstd


def codex(kind, payload, second=0):
    return {"timestamp": f"2026-10-12T09:00:{second:02}.000Z", "type": kind, "payload": payload}


def message(role, text, second=0):
    kind = "input_text" if role == "user" else "output_text"
    content = [{"type": kind, "text": text}]
    return codex("response_item", {"type": "message", "role": role, "content": content}, second)


def call(identity, command, second=0):
    arguments = json.dumps({"command": ["bash", "-lc", command]})
    payload = {"type": "function_call", "name": "shell", "arguments": arguments,
               "call_id": identity}  # fmt: skip
    return codex("response_item", payload, second)


def result(identity, output, code=0, second=0):
    text = json.dumps({"output": output, "metadata": {"exit_code": code}})
    payload = {"type": "function_call_output", "call_id": identity, "output": text}
    return codex("response_item", payload, second)


CODEX = [
    codex("session_meta", {"id": "0199-abc", "cwd": "/home/dev/code/storefront",
                           "git": {"branch": "main"}}),
    message("user", "<environment_context>\n<cwd>/home/dev</cwd>\n</environment_context>"),
    message("user", "Add a coupon field to the checkout form"),
    call("c1", "npm test", 1),
    result("c1", "npm error Unsupported URL Type \"workspace:\": workspace:*", 1, 2),
    message("user", "no, use pnpm in this repo, not npm", 3),
    call("c2", "pnpm test", 4),
    result("c2", "ok", 0, 5),
    codex("response_item", {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c3",
                            "input": "*** Begin Patch\n*** Update File: src/form.ts\n+x"}, 6),
    codex("response_item", {"type": "function_call", "name": "update_plan", "call_id": "c4",
                            "arguments": json.dumps({"plan": [
                                {"step": "Add the field", "status": "completed"},
                                {"step": "Write the docs", "status": "pending"}]})}, 7),
    message("assistant", "The coupon field is in.", 8),
    codex("event_msg", {"type": "token_count"}, 9),
]  # fmt: skip

GEMINI = [
    {"sessionId": "g-1", "projectHash": "abc", "startTime": "2026-10-12T09:00:00Z",
     "directories": ["/home/dev/code/billing"]},
    {"id": "1", "timestamp": "2026-10-12T09:00:00Z", "type": "user",
     "content": [{"text": "Add a tax rate to the invoice lines"}]},
    {"id": "2", "timestamp": "2026-10-12T09:00:05Z", "type": "gemini", "content": "Half"},
    {"$set": {"lastUpdated": "2026-10-12T09:00:06Z"}},
    {"id": "2", "timestamp": "2026-10-12T09:00:07Z", "type": "gemini", "content": "Running it.",
     "toolCalls": [
         {"id": "t1", "name": "run_shell_command", "args": {"command": "make test"},
          "status": "error", "resultDisplay": "make: *** no database, connection refused"},
         {"id": "t2", "name": "replace", "args": {"file_path": "src/lines.py"},
          "status": "success", "resultDisplay": "done"}]},
    {"id": "3", "timestamp": "2026-10-12T09:00:09Z", "type": "error", "content": "Quota"},
    {"id": "4", "timestamp": "2026-10-12T09:00:10Z", "type": "user",
     "content": "no, never mock the database, use the fixture"},
]  # fmt: skip


def written(tmp_path, objects):
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(json.dumps(thing) for thing in objects) + "\n")
    return path


def test_a_codex_rollout_is_read(tmp_path):
    transcript = read_transcript(written(tmp_path, CODEX))
    assert (transcript.agent, transcript.session_id) == ("codex", "0199-abc")
    assert (transcript.working_directory, transcript.branch) == (
        "/home/dev/code/storefront",
        "main",
    )
    said = [turn.text for turn in transcript.turns if turn.role == "person"]
    assert said == ["Add a coupon field to the checkout form", "no, use pnpm in this repo, not npm"]
    failed = [turn.text for turn in transcript.turns if turn.failed]
    assert failed == ['npm error Unsupported URL Type "workspace:": workspace:*']
    assert [turn.files for turn in transcript.turns if turn.files] == [("src/form.ts",)]


def test_a_codex_draft_has_the_correction_and_the_open_step(tmp_path):
    made = draft(read_transcript(written(tmp_path, CODEX)))
    assert "coupon field" in made.summary
    assert any("use pnpm in this repo, not npm" in point for point in made.friction_points)
    assert made.next_steps == ("Write the docs",)


def test_an_exit_code_told_by_an_event_counts(tmp_path):
    ended = {"type": "exec_command_end", "call_id": "c1", "exit_code": 2}
    lines = [*CODEX[:4], result("c1", "boom", 0, 2), codex("event_msg", ended)]
    assert [turn.failed for turn in read_transcript(written(tmp_path, lines)).turns][-1]


def test_a_gemini_chat_is_read_with_the_last_of_each_message(tmp_path):
    transcript = read_transcript(written(tmp_path, GEMINI))
    assert (transcript.agent, transcript.session_id) == ("gemini", "g-1")
    assert transcript.working_directory == "/home/dev/code/billing"
    assert [turn.text for turn in transcript.turns if turn.role == "agent" and not turn.kind] == [
        "Running it."
    ]
    assert [turn.tool for turn in transcript.turns if turn.failed] == ["shell"]
    assert [turn.files for turn in transcript.turns if turn.files] == [("src/lines.py",)]
    assert [turn.kind for turn in transcript.turns if turn.role == "system"] == ["error"]
    made = draft(transcript)
    assert any("never mock the database" in point for point in made.friction_points)


META = {"id": "0197-b", "cwd": "/home/ada/shop", "source": "cli"}


@pytest.mark.parametrize(
    "meta",
    [{"source": "exec"}, {"source": {"subagent": "review"}}, {"thread_source": "subagent"},
     {"source": {"internal": "x"}}, {"thread_source": "memory_consolidation"}],
)  # fmt: skip
def test_a_thread_that_a_program_began_is_automated(tmp_path, meta):
    lines = [codex("session_meta", META | meta), message("user", "Test it.")]
    assert read_transcript(written(tmp_path, lines)).automated


@pytest.mark.parametrize("meta", [{}, {"source": {"custom": "x"}}, {"thread_source": "user"}])
def test_a_thread_that_a_person_began_is_not_automated(tmp_path, meta):
    lines = [codex("session_meta", META | meta), message("user", "Test it.")]
    assert not read_transcript(written(tmp_path, lines)).automated


def test_a_turn_that_a_person_stopped_was_interrupted(tmp_path):
    stopped = codex("event_msg", {"type": "turn_aborted", "reason": "interrupted"})
    lines = [codex("session_meta", META), message("user", "Test it now."), stopped]
    assert "Interrupted by the person" in draft(read_transcript(written(tmp_path, lines))).summary


def test_archived_sessions_of_codex_are_looked_for(tmp_path):
    for folder in ("sessions/2026/11", "archived_sessions"):
        (tmp_path / ".codex" / folder).mkdir(parents=True)
        written(tmp_path / ".codex" / folder, CODEX).rename(
            tmp_path / ".codex" / folder / "rollout-1.jsonl"
        )
    assert len(history_files("codex", None, tmp_path, {})) == 2


def test_packed_rollouts_of_codex_are_sessions(tmp_path):
    path = written(tmp_path, CODEX)
    packed = tmp_path / ".codex/sessions/2026/11/rollout-1.jsonl.zst"
    packed.parent.mkdir(parents=True)
    packed.write_bytes(zstd().compress(path.read_bytes()))
    assert history_files("codex", None, tmp_path, {}) == [packed]
    assert read_transcript(packed).turns == read_transcript(path).turns


def test_geminis_chats_are_looked_for_where_its_home_was_moved(tmp_path):
    chat = tmp_path / "moved/.gemini/tmp/shop/chats/session-1.jsonl"
    chat.parent.mkdir(parents=True)
    written(tmp_path, GEMINI).rename(chat)
    moved = {"GEMINI_CLI_HOME": str(tmp_path / "moved")}
    assert history_files("gemini", None, tmp_path / "home", moved) == [chat]


def asked(text, at="2026-10-12T09:00:00Z", **more):
    return {"id": text, "timestamp": at, "type": "user", "content": text, **more}


HEADER = {"sessionId": "g-1", "projectHash": "abc"}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: [one]])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd().compress])
def test_a_whole_document_is_read_packed_or_not(tmp_path, indent, wrap, pack):
    path = tmp_path / "session.json"
    document = wrap(HEADER | {"messages": [asked("one"), asked("two")]})
    path.write_bytes(pack(b"\xef\xbb\xbf" + json.dumps(document, indent=indent).encode()))
    assert [turn.text for turn in read_transcript(path).turns] == ["one", "two"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("indent", [None, 2])
def test_documents_after_each_other_are_read(tmp_path, encoding, indent):
    path = tmp_path / "session.json"
    lines = [HEADER, asked("one"), asked("two")]
    text = "\n".join(json.dumps(one, indent=indent) for one in lines)
    path.write_text(text, encoding=encoding)
    assert [turn.text for turn in read_transcript(path).turns] == ["one", "two"]


@pytest.mark.parametrize("head", [b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\0"])
def test_a_file_that_is_packed_otherwise_is_named_so(tmp_path, head):
    path = tmp_path / "session.jsonl"
    path.write_bytes(head + b"\0" * 40)
    with pytest.raises(TranscriptError, match="is compressed; unpack it"):
        read_transcript(path)


@pytest.mark.parametrize("cut", [20, -4])
@pytest.mark.parametrize("pack", [gzip.compress, zstd().compress])
def test_a_broken_archive_is_named(tmp_path, cut, pack):
    path = tmp_path / "session.jsonl.packed"
    path.write_bytes(pack(json.dumps(HEADER | {"messages": [asked("one")]}).encode())[:cut])
    with pytest.raises(TranscriptError, match="cannot be read"):
        read_transcript(path)


@pytest.mark.parametrize("beside", ["project_root", "projects.json"])
@pytest.mark.parametrize("chat", ["chats/session-1.jsonl", "chats/main/session-2.jsonl"])
def test_the_folder_of_a_gemini_chat_is_noted_beside_it(tmp_path, beside, chat):
    path = tmp_path / ".gemini/tmp/letters-1" / chat
    path.parent.mkdir(parents=True)
    path.write_text(f"{json.dumps(HEADER)}\n{json.dumps(asked('one'))}\n")
    assert read_transcript(path).working_directory == ""
    if beside == "project_root":
        (tmp_path / ".gemini/tmp/letters-1/.project_root").write_text("/home/ada/letters\n")
    else:
        known = {"projects": {"/home/ada/shop": "shop", "/home/ada/letters": "letters-1"}}
        (tmp_path / ".gemini/projects.json").write_text(json.dumps(known))
    assert read_transcript(path).working_directory == "/home/ada/letters"


def test_a_folder_that_was_added_to_a_gemini_chat_is_not_its_project(tmp_path):
    root = "/home/ada/letters"
    slug = hashlib.sha256(root.encode()).hexdigest()
    path = tmp_path / ".gemini/tmp" / slug / "chats/session-1.jsonl"
    path.parent.mkdir(parents=True)
    added = {"$set": {"directories": ["/home/ada/shop"]}}
    path.write_text("\n".join(json.dumps(one) for one in [HEADER, asked("one"), added]))
    (tmp_path / ".gemini/projects.json").write_text(json.dumps({"projects": {root: "letters"}}))
    assert read_transcript(path).working_directory == root


def test_a_gemini_chat_that_went_on_in_the_newer_form_is_read_there(tmp_path):
    chats = tmp_path / ".gemini/tmp/shop/chats"
    chats.mkdir(parents=True)
    for name in ("session-1.json", "session-1.jsonl", "session-2.json"):
        (chats / name).write_text("{}")
    found = history_files("gemini", None, tmp_path, {})
    assert [path.name for path in found] == ["session-1.jsonl", "session-2.json"]


def test_a_gemini_sub_agents_chat_is_a_programs(tmp_path):
    assert read_transcript(written(tmp_path, [HEADER | {"kind": "subagent"}, asked("x")])).automated


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "payload", "content", "text", "role", "call_id", "output",
                         "arguments", "plan", "id", "toolCalls", "args", "status", "result",
                         "git", "$set", "$rewindTo", "messages", "sessionId", "directories",
                         "name"]),
        inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("name", ["codex", "gemini"])
@given(payloads=st.lists(VALUES, max_size=6))
def test_whatever_stands_in_a_line_nothing_breaks(tmp_path_factory, name, payloads):
    path = tmp_path_factory.mktemp("odd") / "session.jsonl"
    kinds = ["session_meta", "response_item", "event_msg"]
    lines = [json.dumps({"type": kinds[n % 3], "payload": p}) for n, p in enumerate(payloads)]
    lines += [json.dumps(p) for p in payloads]
    path.write_text("\n".join(lines))
    FORMATS[name].read(path)


@pytest.mark.parametrize(
    ("lines", "odd", "kinds"),
    [
        (CODEX, [codex("world_state", {}), codex("response_item", {"type": "dream"})],
         {"world_state": 1, "dream": 1}),
        (GEMINI, [{"type": "thought"}, {"type": "thought"}], {"thought": 2}),
        (CODEX, [{"type": ["odd"]}, {"type": 7}, {}], {}),
        (GEMINI, [{"type": "a\n\x00b " * 40}], {("a \x00b " * 40)[:40]: 1}),
    ],
)  # fmt: skip
def test_lines_of_kinds_that_are_not_known_are_counted(lines, odd, kinds, tmp_path):
    assert read_transcript(written(tmp_path, lines)).unknown_kinds == {}
    assert read_transcript(written(tmp_path, [*lines, *odd])).unknown_kinds == kinds


def test_a_file_of_strange_kinds_does_not_fill_the_memory(tmp_path):
    odd = [{"type": f"kind {number}"} for number in range(500)]
    assert len(read_transcript(written(tmp_path, [*GEMINI, *odd])).unknown_kinds) == 50
