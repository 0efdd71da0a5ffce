"""The journal's tools to the letter: arguments, fields, limits and defaults."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from mcp import Client

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.wings.mcp.server import build_server

BEGUN = datetime(2026, 10, 5, 9, tzinfo=UTC)
SAID = {"summary": "Rounded the till.", "working_directory": "/srv/shop"}
ARGUMENTS = {
    "store_journal_entry": ("summary", "working_directory friction_points next_steps "
                            "session_log_content needs_continuation learnings session_id"),
    "list_journal_entries": ("", "unreflected_only project_name working_directory limit"),
    "get_journal_entry": ("entry_id", "include_log"),
    "mark_entries_reflected": ("entry_ids", "memories_created delete_logs"),
    "store_memory": ("content category", "importance tags scope sources"),
    "retrieve_memories": ("query", "limit min_similarity category"),
}  # fmt: skip
"""The arguments of each tool: those that must be given, and others."""


@pytest.fixture
def environment(repo, home):
    (repo / "calmkb.toml").touch()
    minutes = count()
    return Environment(home=home, cwd=repo, now=lambda: BEGUN + timedelta(minutes=next(minutes)))


@pytest.fixture
def call(environment):
    """Return a function that calls a tool and gives what it answers, or the text of its error."""

    def run(name, **arguments):
        async def session():
            async with Client(build_server(partial(open_kb, environment))) as client:
                return await client.call_tool(name, arguments)

        done = anyio.run(session)
        return done.content[0].text if done.is_error else done.structured_content

    return run


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_founding_tool_takes_its_arguments_by_name(environment, name):
    async def listed():
        async with Client(build_server(partial(open_kb, environment), ["default"])) as client:
            return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

    schema = anyio.run(listed)[name]
    required, others = (names.split() for names in ARGUMENTS[name])
    assert schema.get("required", []) == required
    assert {*required, *others} <= set(schema["properties"])


def test_what_is_stored_has_an_id_of_its_own_and_a_log_only_where_one_was_given(call, home):
    stored = call("store_journal_entry", **SAID)
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
                        stored["id"])  # fmt: skip
    assert stored["session_log_path"] is None
    log = '{"role": "user", "content": "hello"}\n{"role": "assistant", "content": "hi"}\n'
    stored = call("store_journal_entry", **SAID, session_log_content=log)
    path = Path(stored["session_log_path"])
    assert (path.parent, path.read_text()) == (home / ".calm/sessions", log)
    assert re.fullmatch(rf"\d{{8}}T\d{{6}}_{stored['id']}\.jsonl", path.name)


def test_an_entry_may_be_as_long_as_its_limits(call):
    points = {"friction_points": ["x"] * 50, "next_steps": ["y"] * 50}
    stored = call("store_journal_entry", **SAID | {"summary": "s" * 10_000}, **points)
    whole = call("get_journal_entry", entry_id=stored["id"])
    assert {name: whole[name] for name in points} == points
    assert whole["summary"] == "s" * 10_000


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("store_journal_entry", {**SAID, "summary": ""}, "ummary"),
        ("store_journal_entry", {**SAID, "summary": " \n"}, "Summary is empty"),
        ("store_journal_entry", {**SAID, "friction_points": ["x"] * 51}, "friction_points: "),
        ("store_journal_entry", {**SAID, "next_steps": ["x"] * 51}, "next_steps: "),
        ("store_journal_entry", SAID | {"working_directory": "/" + "x" * 5_000}, "name too long"),
        ("list_journal_entries", {"limit": 0}, "limit: "),
        ("list_journal_entries", {"limit": 201}, "limit: "),
        ("list_journal_entries", {"limit": -1}, "limit: "),
        ("get_journal_entry", {"entry_id": ""}, "'' is not a UUID"),
        ("get_journal_entry", {"entry_id": "nonsense"}, "'nonsense' is not a UUID"),
        ("get_journal_entry", {"entry_id": "8a44b898"}, "'8a44b898' is not a UUID"),
        ("get_journal_entry", {"entry_id": "5F0C6A0E"}, "'5F0C6A0E' is not a UUID"),
        ("store_memory", {"content": "x", "category": "fact", "importance": 1.1}, "importance: "),
    ],
)
def test_what_a_limit_does_not_allow_is_refused_by_its_name(
    call, environment, name, arguments, told
):
    assert told in call(name, **arguments)
    assert call("list_journal_entries") == {"entries": [], "count": 0}


def test_entries_are_listed_newest_first_with_six_fields_fifty_unless_asked_otherwise(
    call, environment
):
    folders = ["/srv/till" if n == 3 else "/srv/shop" for n in range(51)]
    kb = open_kb(environment)
    given = [WrapUp(summary="x", working_directory=one) for one in folders]
    ids = [wrap_up(*prepare(kb, one)).entry.id for one in given]
    listed = call("list_journal_entries")
    assert listed["count"] == len(listed["entries"]) == 50
    assert [row["id"] for row in listed["entries"]] == ids[:0:-1]
    assert set(listed["entries"][0]) == {"id", "created_at", "working_directory", "project_name",
                                         "summary", "reflected_at"}  # fmt: skip
    assert call("list_journal_entries", limit=1)["count"] == 1
    assert call("list_journal_entries", limit=200)["count"] == 51
    for narrowed in ({"project_name": "till"}, {"working_directory": "/srv/till"}):
        (row,) = call("list_journal_entries", **narrowed)["entries"]
        assert (row["id"], row["working_directory"]) == (ids[3], "/srv/till")
    assert call("list_journal_entries", working_directory="/srv")["count"] == 0


def test_an_entry_that_is_reflected_on_says_so_and_keeps_its_log_where_that_is_asked(call):
    stored = call("store_journal_entry", **SAID, session_log_content="{}\n")
    other = call("store_journal_entry", **SAID)
    before = call("get_journal_entry", entry_id=stored["id"])
    assert datetime.fromisoformat(before["created_at"]).utcoffset() == timedelta(0)
    assert (before["reflected_at"], before["memories_created"]) == (None, 0)
    assert before.get("session_log") is None
    marked = call("mark_entries_reflected", entry_ids=[stored["id"]], delete_logs=False)
    assert marked == {"marked_count": 1, "logs_deleted": 0}
    whole = call("get_journal_entry", entry_id=stored["id"], include_log=True)
    assert (whole["session_log"], whole["memories_created"]) == ("{}\n", 0)
    assert datetime.fromisoformat(whole["reflected_at"]).tzinfo
    (left,) = call("list_journal_entries", unreflected_only=True)["entries"]
    assert left["id"] == other["id"]
    assert "{}" not in json.dumps(call("get_journal_entry", entry_id=stored["id"]))


@pytest.mark.parametrize("category", ["error", "decision", "fact", "workflow", "preference"])
def test_a_memory_is_of_one_of_five_categories(call, category):
    stored = call("store_memory", content="The till rounds half pennies up.", category=category)
    assert (stored["status"], stored["category"]) == ("proposed", category)
