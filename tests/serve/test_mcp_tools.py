"""What each tool promises: its hints, its arguments, and the private journal's exact answers."""

import json
import re
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from mcp import Client
from mcp.types import ElicitResult

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.serve.mcp_server.server import TOOL_SETS, build_server

READS, ADDS, ADDS_ONCE, DESTROYS = (
    (True, None, True),
    (False, False, False),
    (False, False, True),
    (False, True, True),
)
HINTS = {
    "store_journal_entry": ADDS,
    "list_journal_entries": READS,
    "get_journal_entry": READS,
    "mark_entries_reflected": DESTROYS,
    "store_memory": ADDS_ONCE,
    "dedupe_proposals": READS,
    "retrieve_memories": READS,
    "list_memories": READS,
    "delete_memory": DESTROYS,
    "record_feedback": ADDS,
    "search": READS,
    "get": READS,
    "process_thoughts": ADDS,
    "search_journal": READS,
    "read_journal_entry": READS,
    "list_recent_entries": READS,
    "read_recent_entries": READS,
}
"""Read-only, destructive, idempotent."""
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def environment(repo, home):
    (repo / "calmkb.toml").touch()
    return Environment(home=home, cwd=repo)


@pytest.fixture
def call(environment):
    """Return a function that calls a tool for a person who accepts what they are asked."""

    async def accept(context, params):
        return ElicitResult(action="accept", content={})

    def run(name, **arguments):
        async def session():
            server = build_server(partial(open_kb, environment))
            async with Client(server, elicitation_callback=accept) as client:
                return await client.call_tool(name, arguments)

        return anyio.run(session)

    return run


def listed(environment):
    async def tools():
        async with Client(build_server(partial(open_kb, environment))) as client:
            return (await client.list_tools()).tools

    return anyio.run(tools)


def test_each_tool_gives_its_hints_and_a_sentence(environment):
    tools = listed(environment)
    found = {
        tool.name: (
            tool.annotations.read_only_hint,
            tool.annotations.destructive_hint,
            tool.annotations.idempotent_hint,
        )
        for tool in tools
    }
    assert found == HINTS
    assert not any(tool.annotations.open_world_hint for tool in tools)
    for tool in tools:
        assert tool.title and tool.description.rstrip().endswith("."), tool.name


def test_the_server_gives_no_tool_arguments_of_its_own(environment):
    for tool in listed(environment):
        assert not {"context", "offered", "answer"} & set(tool.input_schema["properties"])


@pytest.mark.parametrize("name", TOOL_SETS)
def test_each_set_lists_its_functions_once(name):
    names = [tool.function.__name__ for tool in TOOL_SETS[name]]
    assert names and len(names) == len(set(names)) and set(names) <= set(HINTS)


@pytest.mark.parametrize(
    ("name", "arguments", "part"),
    [
        ("store_journal_entry", {}, "summary: "),
        ("store_journal_entry", {"summary": "x"}, "working_directory: "),
        ("store_journal_entry", {"summary": "x", "working_directory": "/x",
                                 "friction_points": "one text"}, "friction_points: "),
        ("store_journal_entry", {"summary": "x", "working_directory": "/x",
                                 "next_steps": [""]}, "next_steps.0: "),
        ("store_journal_entry", {"summary": "x", "working_directory": "/x",
                                 "next_steps": ["y"] * 51}, "next_steps: "),
        ("list_journal_entries", {"limit": 0}, "limit: "),
        ("list_journal_entries", {"limit": "many"}, "limit: "),
        ("get_journal_entry", {}, "entry_id: "),
        ("get_journal_entry", {"entry_id": UNKNOWN, "include_log": "maybe"}, "include_log: "),
        ("mark_entries_reflected", {"entry_ids": [UNKNOWN], "memories_created": -1},
         "memories_created: "),
        ("store_memory", {"content": "", "category": "fact"}, "content: "),
        ("store_memory", {"content": "x" * 10_001, "category": "fact"}, "content: "),
        ("store_memory", {"content": "x", "category": "fact", "tags": ["y"] * 21}, "tags: "),
        ("store_memory", {"content": "x", "category": "fact", "scope": "y" * 201}, "scope: "),
        ("dedupe_proposals", {"proposals": []}, "proposals: "),
        ("dedupe_proposals", {"proposals": [{"content": "x"}]}, "proposals.0.category: "),
        ("retrieve_memories", {"query": "x", "min_similarity": 1.5}, "min_similarity: "),
        ("list_memories", {"offset": -1}, "offset: "),
        ("list_memories", {"category": "gossip"}, "category: "),
        ("record_feedback", {"memory_id": UNKNOWN, "verdict": "great"}, "verdict: "),
        ("record_feedback", {"memory_id": UNKNOWN, "verdict": "helpful"}, "not found"),
        ("delete_memory", {"memory_id": UNKNOWN}, "not found"),
        ("search", {"query": ""}, "query: "),
        ("search", {"query": "x", "kind": "gossip"}, "kind: "),
        ("search", {"query": "x", "since": "last week"}, "since: "),
        ("get", {"ids": []}, "ids: "),
        ("get", {"ids": ["x" * 41]}, "ids.0: "),
        ("process_thoughts", {}, "At least one thought category must be provided"),
        ("process_thoughts", {"reflections": " \n"}, "At least one thought category"),
        ("process_thoughts", {"feelings": 3}, "feelings: "),
        ("search_journal", {"query": "x", "type": "all"}, "type: "),
        ("search_journal", {"query": " "}, "query is empty"),
        ("read_journal_entry", {"path": "/etc/passwd"}, "not an entry of the private journal"),
        ("read_journal_entry", {"path": "a\0b"}, "the path holds a NUL"),
        ("list_recent_entries", {"days": 0}, "days: "),
        ("read_recent_entries", {"limit": 101}, "limit: "),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_named(call, name, arguments, part):
    answer = call(name, **arguments)
    assert answer.is_error and part in answer.content[0].text
    assert "Traceback" not in answer.content[0].text


def text(answer):
    assert not answer.is_error, answer.content[0].text
    return answer.content[0].text


def test_an_empty_private_journal_answers_in_the_words_of_the_reference(call):
    assert text(call("search_journal", query="x")) == "No relevant entries found."
    assert text(call("list_recent_entries")) == "No entries found in the last 30 days."
    assert text(call("list_recent_entries", days=7)) == "No entries found in the last 7 days."
    assert text(call("read_recent_entries")) == "No entries found."


def test_the_private_journal_answers_in_the_words_of_the_reference(call, home):
    said = text(call("process_thoughts", technical_insights="WAL needs a local disk.",
                     reflections=None))  # fmt: skip
    assert said == "Thoughts recorded successfully."
    (path,) = (home / ".private-journal").glob("*/*.md")
    stamp = int(path.read_text().split("timestamp: ")[1].split("\n")[0])
    day = datetime.fromtimestamp(stamp / 1000, UTC).astimezone()
    shown = f"{day.month}/{day.day}/{day.year}"
    place = (
        f"   Sections: Technical Insights\n   Path: {path}\n   Excerpt: WAL needs a local disk.\n"
    )
    recent = text(call("list_recent_entries"))
    assert recent == f"Recent entries (last 30 days):\n\n1. {shown} (user)\n{place}"
    assert text(call("list_recent_entries", type="project")).startswith("No entries found")
    found = text(call("search_journal", query="local disk", sections=["technical"]))
    assert found.startswith("Found 1 relevant entries:\n\n1. [Score: ") and found.endswith(place)
    none = text(call("search_journal", query="local disk", sections=["feelings"]))
    assert none == "No relevant entries found."
    whole = text(call("read_recent_entries", limit=1))
    assert whole == f"--- Entry 1 ({shown}, user) ---\nPath: {path}\n\n{path.read_text()}"
    assert text(call("read_journal_entry", path=str(path))) == path.read_text()


def test_null_for_every_optional_argument_is_as_if_left_out(call, environment):
    for tool in listed(environment):
        schema = tool.input_schema
        if schema.get("required"):
            continue
        nulls = dict.fromkeys(schema["properties"])
        given, left_out = call(tool.name, **nulls), call(tool.name)
        assert given.content == left_out.content, tool.name
        assert json.dumps(given.structured_content) == json.dumps(left_out.structured_content)


def test_the_page_names_every_tool_of_every_set():
    page = Path(__file__).parents[2] / "docs" / "mcp.md"
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name: set(re.findall(r"`(\w+)`", cells)) for name, cells in rows if name in TOOL_SETS}
    assert named == {
        name: {tool.function.__name__ for tool in tools} for name, tools in TOOL_SETS.items()
    }
