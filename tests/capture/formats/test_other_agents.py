"""Codex and Gemini CLI: sessions of theirs become the same turns and drafts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import FORMATS, read_transcript


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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "payload", "content", "text", "role", "call_id", "output",
                         "arguments", "plan", "id", "toolCalls", "args", "status", "result",
                         "git", "$set", "sessionId", "directories", "name"]),
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
