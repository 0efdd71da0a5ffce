"""Copilot CLI, Cursor and OpenCode: sessions of theirs become the same turns and drafts."""

import json
import re
import shutil
import sqlite3
from contextlib import closing, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import FORMATS, first_folder, read_transcript, session_stamp
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.history.sources import history_files
from calmkb.errors import TranscriptError

HUNG = 'npm error Unsupported URL Type "workspace:": workspace:*'


def event(kind, second=0, **data):
    return {"type": kind, "data": data, "id": f"e-{second}", "parentId": None,
            "timestamp": f"2026-10-12T09:00:{second:02}.000Z"}  # fmt: skip


COPILOT = [
    event("session.start", sessionId="c-1", version=1, producer="copilot-agent",
          context={"cwd": "/home/dev/shop", "branch": "main", "repository": "acme/shop",
                   "repositoryHost": "github.com"}),
    event("user.message", 1, content="Add a coupon field to the checkout form"),
    event("user.message", 2, content="Instructions of a skill", source="skill-review"),
    event("assistant.turn_start", 2, turnId="0"),
    event("assistant.message", 3, messageId="m1", content="I run the tests.", toolRequests=[]),
    event("tool.execution_start", 4, toolCallId="t1", toolName="bash",
          arguments={"command": "npm test"}),
    event("tool.execution_complete", 5, toolCallId="t1", success=False,
          error={"message": HUNG, "code": "failure"}),
    event("user.message", 6, content="no, use pnpm in this repo, not npm"),
    event("tool.execution_start", 7, toolCallId="t2", toolName="edit",
          arguments=json.dumps({"path": "/home/dev/shop/src/form.ts"})),
    event("tool.execution_complete", 8, toolCallId="t2", success=True,
          result={"content": "done"}),
    event("tool.execution_start", 8, toolCallId="t3", toolName="bash",
          arguments={"command": "git push"}),
    event("tool.execution_complete", 9, toolCallId="t3", success=False,
          error={"message": "The user rejected this call", "code": "rejected"}),
    event("assistant.message", 9, content="Of a sub-agent.", parentToolCallId="t4"),
]  # fmt: skip


def said(role, *blocks):
    return {"role": role, "message": {"content": list(blocks)}}


def text(words):
    return {"type": "text", "text": words}


CURSOR = [
    said("user", text("<user_info>\nOS: linux\n</user_info>")),
    said("user", text("<attached_files>x</attached_files>\n<user_query>\nAdd a coupon field to "
                      "the checkout form\n</user_query>")),
    said("assistant", text("I look at the form."),
         {"type": "tool_use", "id": "t1", "name": "StrReplace",
          "input": {"path": "/home/dev/shop/src/form.ts"}}),
    said("user", text("<user_query>no, use pnpm in this repo, not npm</user_query>")),
    {"type": "turn_ended", "status": "success"},
]  # fmt: skip

SESSION = {"id": "ses_1", "projectID": "p", "directory": "/home/dev/shop", "title": "Coupon"}
MESSAGES = [
    ("msg_1", {"role": "user", "time": {"created": 1791795600000}}, [
        {"type": "text", "text": "Add a coupon field to the checkout form"},
        {"type": "text", "text": "The file says", "synthetic": True}]),
    ("msg_2", {"role": "assistant", "time": {"created": 1791795601000}}, [
        {"type": "step-start"},
        {"type": "text", "text": "I run the tests."},
        {"type": "tool", "tool": "bash", "callID": "t1",
         "state": {"status": "completed", "input": {"command": "npm test"}, "output": HUNG,
                   "metadata": {"exit": 1}}},
        {"type": "tool", "tool": "edit", "callID": "t2",
         "state": {"status": "error", "input": {"filePath": "/home/dev/shop/src/form.ts"},
                   "error": "old string not found"}},
        {"type": "tool", "tool": "edit", "callID": "t3",
         "state": {"status": "completed", "input": {"filePath": "/home/dev/shop/src/form.ts"},
                   "output": "ok"}}]),
    ("msg_3", {"role": "user", "time": {"created": 1791795602000}}, [
        {"type": "text", "text": "no, use pnpm in this repo, not npm"}]),
]  # fmt: skip


def lines(path, objects):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


@pytest.fixture
def copilot(tmp_path):
    return lines(tmp_path / ".copilot/session-state/c-1/events.jsonl", COPILOT)


@pytest.fixture
def cursor(tmp_path):
    (tmp_path / "code/my.shop_v1").mkdir(parents=True)
    name = re.sub("[^A-Za-z0-9]+", "-", str(tmp_path / "code/my-shop-v1")).strip("-")
    return lines(tmp_path / f".cursor/projects/{name}/agent-transcripts/u-1/u-1.jsonl", CURSOR)


@pytest.fixture
def opencode_files(tmp_path):
    storage = tmp_path / ".local/share/opencode/storage"
    (storage / "session/p").mkdir(parents=True)
    (storage / "session/p/ses_1.json").write_text(json.dumps(SESSION, indent=2))
    for name, message, parts in MESSAGES:
        (storage / "message/ses_1").mkdir(parents=True, exist_ok=True)
        (storage / f"message/ses_1/{name}.json").write_text(json.dumps(message, indent=2))
        (storage / f"part/{name}").mkdir(parents=True)
        for number, part in enumerate(parts):
            (storage / f"part/{name}/prt_{number}.json").write_text(json.dumps(part))
    return storage / "session/p/ses_1.json"


@pytest.fixture
def opencode(tmp_path):
    folder = tmp_path / ".local/share/opencode"
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "opencode.db")) as db, db:
        db.execute("CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT)")
        db.execute("CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)")
        db.execute("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)")
        db.execute("INSERT INTO session VALUES ('ses_1', NULL, '/home/dev/shop')")
        db.execute("INSERT INTO session VALUES ('ses_2', 'ses_1', '/home/dev/shop')")
        for name, message, parts in MESSAGES:
            db.execute("INSERT INTO message VALUES (?, 'ses_1', ?)", (name, json.dumps(message)))
            for number, part in enumerate(parts):
                row = (f"{name}-{number}", name, json.dumps(part))
                db.execute("INSERT INTO part VALUES (?, ?, 'ses_1', ?)", row)
    return folder / "opencode.db/ses_1"


@pytest.mark.parametrize("agent", ["copilot", "cursor", "opencode", "opencode_files"])
def test_each_agents_session_is_drafted(request, agent, tmp_path):
    path = request.getfixturevalue(agent)
    name = agent.partition("_")[0]
    assert path in history_files(name, None, tmp_path, {})
    transcript = read_transcript(path)
    assert transcript.agent == name
    people = [turn.text for turn in transcript.turns if turn.role == "person"]
    assert people == [
        "Add a coupon field to the checkout form",
        "no, use pnpm in this repo, not npm",
    ]
    made = draft(transcript)
    assert "coupon field" in made.summary
    assert any("pnpm" in point for point in made.friction_points)
    assert made.ended_at is not None
    assert any("form.ts" in file for file in made.files)


def test_copilots_folder_and_remote_tell_the_repository(copilot):
    transcript = read_transcript(copilot)
    assert (transcript.session_id, first_folder(copilot)) == ("c-1", "/home/dev/shop")
    assert transcript.remote == "https://github.com/acme/shop"
    denied = [turn for turn in transcript.turns if turn.kind == "rejection"]
    assert [turn.tool for turn in denied] == ["shell"]
    assert [turn.text for turn in transcript.turns if turn.is_sidechain] == ["Of a sub-agent."]


def test_cursors_folder_is_found_by_the_projects_name(cursor, tmp_path):
    transcript = read_transcript(cursor)
    assert transcript.working_directory == str(tmp_path / "code/my.shop_v1")
    (tmp_path / "code/my.shop_v1").rmdir()
    assert read_transcript(cursor).working_directory == ""


def test_failures_of_opencodes_tools_are_told(opencode, tmp_path):
    failed = [turn.text for turn in read_transcript(opencode).turns if turn.failed]
    assert failed == [HUNG, "old string not found"]
    sub_agent = history_files("opencode", None, tmp_path, {})[1]
    with pytest.raises(TranscriptError, match="no conversation"):
        read_transcript(sub_agent)


@pytest.mark.parametrize("agent", ["opencode", "opencode_files"])
def test_opencodes_sessions_are_dated_by_what_is_in_them(request, agent):
    path = request.getfixturevalue(agent)
    before = session_stamp(path)
    assert before == session_stamp(path)
    if agent == "opencode":
        assert before.at == 1791795602000 * 10**6
        with closing(sqlite3.connect(path.parent)) as db:
            done = json.dumps({"type": "text", "text": "I run the tests. All pass."})
            db.execute("UPDATE part SET data = ? WHERE id = 'msg_2-1'", (done,))
            db.commit()
    else:
        part = path.parents[2] / "part/msg_2/prt_1.json"
        part.write_text(json.dumps({"type": "text", "text": "I run the tests. All pass."}))
    assert session_stamp(path) != before
    assert session_stamp(path.with_name("ses_none")) is None


def test_a_row_is_dated_by_its_own_time_where_that_is_later(opencode):
    with closing(sqlite3.connect(opencode.parent)) as db:
        db.execute("ALTER TABLE session ADD COLUMN time_updated")
        db.execute("UPDATE session SET time_updated = 1791795700000")
        db.commit()
    assert session_stamp(opencode).at == 1791795700000 * 10**6


def test_a_database_of_another_kind_is_named(tmp_path):
    (tmp_path / "opencode.db").write_bytes(b"something else")
    with pytest.raises(TranscriptError, match="cannot be read as OpenCode's database"):
        history_files("opencode", tmp_path, tmp_path, {})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "data", "role", "message", "content", "text", "context", "cwd",
                         "toolCallId", "arguments", "result", "error", "code", "name", "input"]),
        inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(objects=st.lists(ANYTHING.filter(lambda one: isinstance(one, dict)), max_size=6))
@pytest.mark.parametrize(("name", "opening"), [("copilot", COPILOT[1]), ("cursor", CURSOR[1])])
def test_any_field_may_be_anything(tmp_path_factory, name, opening, objects):
    mixed = [opening, *objects, *({**opening, **one} for one in objects)]
    path = lines(tmp_path_factory.mktemp("any") / "s.jsonl", mixed)
    with suppress(TranscriptError):
        draft(FORMATS[name].read(path))
        read_transcript(path)


def test_sessions_in_databases_of_any_name_and_in_files_are_found_once(opencode, tmp_path):
    folder = opencode.parent.parent
    old = folder / "storage/session/p"
    old.mkdir(parents=True, exist_ok=True)
    for name in ("ses_1", "ses_old"):
        (old / f"{name}.json").write_text(json.dumps(SESSION | {"id": name}))
    shutil.copy(folder / "opencode.db", folder / "opencode-dev.db")
    with closing(sqlite3.connect(folder / "opencode-dev.db")) as db, db:
        db.execute("UPDATE session SET id = 'ses_dev' WHERE id = 'ses_1'")
    found = {path.name for path in history_files("opencode", None, tmp_path, {})}
    assert found == {"ses_1", "ses_2", "ses_dev", "ses_old.json"}


def exported(path, **info):
    messages = [{"info": {"id": name, **message}, "parts": parts}
                for name, message, parts in MESSAGES]  # fmt: skip
    whole = {"info": {"id": "ses_1", **SESSION, **info}, "messages": messages}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=path.stem.count("pretty") * 2 or None))
    return path


@pytest.mark.parametrize("name", ["pretty.json", "one-line.json", "pretty.txt"])
def test_what_opencode_exports_is_the_session(opencode, tmp_path, name):
    path = exported(tmp_path / "exports" / name)
    assert read_transcript(path) == read_transcript(opencode)
    assert first_folder(path) == "/home/dev/shop"


@pytest.mark.parametrize(
    ("undone", "prompts", "answers"),
    [
        ({"messageID": "msg_3"}, 1, 1),
        ({"messageID": "msg_2", "partID": "msg_2-2", "snapshot": "0a1b"}, 1, 1),
        ({"messageID": "msg_2"}, 1, 0),
        ({"messageID": "msg_9"}, 2, 1),
        ({"messageID": 7, "partID": []}, 2, 1),
        ([], 2, 1),
    ],
)
def test_what_a_person_undid_in_opencode_is_not_told(
    opencode, opencode_files, tmp_path, undone, prompts, answers
):
    with closing(sqlite3.connect(opencode.parent)) as db, db:
        db.execute("ALTER TABLE session ADD COLUMN revert TEXT")
        db.execute("UPDATE session SET revert = ?", (json.dumps(undone),))
    in_files = undone | {"partID": "prt_2"} if "snapshot" in undone else undone
    opencode_files.write_text(json.dumps(SESSION | {"revert": in_files}))
    stores = [opencode, opencode_files]
    if "snapshot" not in undone:
        stores.append(exported(tmp_path / "exports/a.json", revert=undone))
    for path in stores:
        told = [turn.role for turn in read_transcript(path).turns if not turn.kind]
        assert (told.count("person"), told.count("agent")) == (prompts, answers), path


def test_a_folder_of_exports_is_a_history(tmp_path):
    paths = [exported(tmp_path / f"exports/{name}.json") for name in ("a", "b")]
    assert history_files("opencode", tmp_path / "exports", tmp_path, {}) == paths


def test_json_that_is_no_export_is_no_session(tmp_path):
    """OpenCode's own folder holds its login and settings before any session."""
    own = exported(tmp_path / "opencode/a.json")
    (tmp_path / "opencode/auth.json").write_text('{"anthropic": {"type": "api"}}')
    (tmp_path / "opencode/bin").mkdir()
    (tmp_path / "opencode/bin/package.json").write_text("{}")
    assert history_files("opencode", tmp_path / "opencode", tmp_path, {}) == [own]


def test_an_export_of_a_sub_agents_session_is_a_programs(tmp_path):
    assert read_transcript(exported(tmp_path / "a.json", parentID="ses_0")).automated


@pytest.mark.parametrize("messages", [[], ["x"], [{"info": 1, "parts": 2}], [{"parts": [3]}]])
def test_an_export_without_a_conversation_is_named(tmp_path, messages):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"info": {"id": "ses_1"}, "messages": messages}))
    with pytest.raises(TranscriptError, match="holds no conversation"):
        read_transcript(path)


def test_of_a_session_in_two_databases_the_newer_row_is_read(opencode, tmp_path):
    folder = opencode.parent.parent
    later = json.dumps({"role": "user", "time": {"created": 1791795900000}})
    shutil.copy(folder / "opencode.db", folder / "opencode-dev.db")
    for name in ("opencode.db", "opencode-dev.db"):
        with closing(sqlite3.connect(folder / name)) as db, db:
            db.execute("UPDATE message SET data = ? WHERE id = 'msg_3'", (later,))
            db.execute("DELETE FROM message WHERE id = 'msg_1'")
        found = history_files("opencode", None, tmp_path, {})
        assert sorted(one.name for one in found) == ["ses_1", "ses_2"]
        assert folder / name / "ses_1" in found
        later = later.replace("179179590", "179179599")


def test_a_request_that_was_answered_is_no_open_step_though_rows_have_no_lines():
    asked = Turn(role="person", text="Make the checkout tests pass.")
    turns = (asked, Turn(role="agent", text="The lock file was out of date; they pass now."))
    assert draft(Transcript(turns=turns)).next_steps == ()
    assert "not answered" in draft(Transcript(turns=turns[:1])).next_steps[0]


def test_events_and_parts_of_kinds_that_are_not_known_are_counted(tmp_path):
    odd = [event("dream.begun", 20), event("session.new_thing", 21)]
    lines = "".join(f"{json.dumps(one)}\n" for one in [*COPILOT, *odd])
    (tmp_path / "events.jsonl").write_text(lines)
    assert read_transcript(tmp_path / "events.jsonl").unknown_kinds == {"dream.begun": 1}
    part = {"type": "hologram", "text": "x"}
    exported = {"info": {"id": "ses_1"}, "messages": [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Hello"}, part]},
    ]}  # fmt: skip
    (tmp_path / "export.json").write_text(json.dumps(exported))
    assert read_transcript(tmp_path / "export.json").unknown_kinds == {"hologram": 1}
