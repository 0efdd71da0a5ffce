"""What each tool promises: its hints, its arguments, and the private journal's exact answers."""

import json
import os
import re
import subprocess
import sys
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
from calmkb.wings.mcp.server import SHOWN, TOOL_SETS, build_server, instructions
from calmkb.wings.mcp.tools import for_client
from tests.warm import stood_for

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks" / "serve"))
import bench_tools

READS, ADDS, ADDS_ONCE, DESTROYS = (
    (True, None, None),
    (False, False, None),
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


def listed(environment, sets=None):
    async def tools():
        async with Client(build_server(partial(open_kb, environment), sets)) as client:
            return (await client.list_tools()).tools

    return anyio.run(tools)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are counted in /proc")
def test_a_thousand_calls_leave_no_process_behind(environment):
    def held() -> tuple[int, int]:
        tasks = Path("/proc/self/task").glob("*/children")
        children = sum(len(task.read_text().split()) for task in tasks)
        return children, len(list(Path("/proc/self/fd").iterdir()))

    async def session():
        counts = []
        async with Client(build_server(partial(open_kb, environment))) as client:
            for number in range(1_000):
                if number % 20:
                    done = await client.call_tool("search", {"query": "pnpm"})
                else:
                    said = {"summary": f"No. {number}", "working_directory": str(environment.cwd)}
                    done = await client.call_tool("store_journal_entry", said)
                assert not done.is_error, done
                if number in (20, 999):
                    counts.append(held())
        return counts

    children, _ = held()
    early, late = anyio.run(session)
    assert early[0] == late[0] == children
    assert late[1] <= early[1]


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
    assert all(tool.description.endswith(".") for tool in tools)


PRIVATE = {tool.function.__name__ for tool in TOOL_SETS["private"]}


def test_each_description_says_whether_it_is_about_the_private_journal_or_the_team(environment):
    for tool in listed(environment):
        own = "private journal" in tool.description
        assert own is (tool.name in PRIVATE), tool.name
        assert own or re.search(r"\bteam\b", tool.description), tool.name
    assert len({tool.description for tool in listed(environment)}) == len(HINTS)


def size_of(tools):
    sent = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    return len(json.dumps(sent, separators=(",", ":")))


def test_the_tools_cost_a_model_little(environment):
    # A token of o200k is 4.2 characters of these; `benchmarks/run.py tools` counts the real ones.
    for name, most in (("main", 1_200), ("default", 1_800)):
        shown = listed(environment, [name])
        assert {tool.name for tool in shown} == set(SHOWN[name])
        assert size_of(shown) <= most * 4.2
    assert size_of(listed(environment)) <= 2_500 * 4.2


def test_without_a_choice_the_twelve_founding_tools_are_listed(environment):
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
    sent = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]  # fmt: skip
    env = {**os.environ, "HOME": str(environment.home)}
    done = subprocess.Popen([*stood_for(), "mcp"], cwd=environment.cwd, env=env,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip
    with done:
        done.stdin.write("".join(json.dumps(each) + "\n" for each in sent))
        done.stdin.flush()
        answers = [json.loads(done.stdout.readline()) for _ in range(2)]
        done.stdin.close()
    assert {tool["name"] for tool in answers[1]["result"]["tools"]} == {
        "store_journal_entry", "list_journal_entries", "get_journal_entry",
        "mark_entries_reflected", "store_memory", "retrieve_memories", "process_thoughts",
        "search_journal", "read_journal_entry", "list_recent_entries", "search", "get",
    }  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_some_tools_are_shown_and_every_other_answers_a_program(environment, name):
    async def counted():
        server = build_server(partial(open_kb, environment), [name])
        async with Client(server) as client:
            return await client.call_tool("list_memories", {})

    assert "list_memories" not in SHOWN[name]
    assert anyio.run(counted).structured_content["count"] == 0


def test_the_instructions_name_the_private_journal_and_no_tool_that_is_not_shown():
    assert all("private journal" in instructions(shown) for shown in SHOWN.values())
    sets = [[tool.function.__name__ for tool in tools] for tools in TOOL_SETS.values()]
    for shown in (*SHOWN.values(), list(HINTS), *sets):
        assert set(re.findall(r"`(\w+)`", instructions(shown))) <= set(shown)


def test_each_wish_of_the_tables_has_a_tool_and_each_tool_a_wish():
    for table, count in ((bench_tools.WISHES, 60), (bench_tools.ASIDE, 31)):
        wishes = bench_tools.read_wishes(table)
        assert len(wishes) == len({wish for wish, _ in wishes}) == count
        assert {tool for _, tool in wishes} == set(HINTS)


def test_names_and_descriptions_lead_a_wish_to_its_tool_and_never_across_to_private():
    wishes = bench_tools.read_wishes(bench_tools.WISHES)
    first, _, private = bench_tools.agreement(bench_tools.listed("all"), wishes)
    assert first >= 46
    assert private == 60


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
        ("list_recent_entries", {"days": -1}, "days: "),
        ("read_recent_entries", {"limit": 10_001}, "limit: "),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_named(call, name, arguments, part):
    answer = call(name, **arguments)
    assert answer.is_error and part in answer.content[0].text
    assert "Traceback" not in answer.content[0].text


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("store_journal_entry", {"summary": "x", "working_directory": "/x", "next_step": ["y"]},
         "has no argument 'next_step' (did you mean next_steps?); it takes summary, "),
        ("process_thoughts", {"thought": "x"}, "has no argument 'thought'; it takes reflections, "),
        ("search_journal", {"query": "x", "a\u202eb": None}, r"'a\u202eb'"),
    ],
)  # fmt: skip
def test_an_argument_that_a_tool_does_not_have_is_named(call, environment, name, arguments, told):
    answer = call(name, **arguments)
    assert answer.is_error and told in answer.content[0].text
    assert not (environment.cwd / "journal").exists()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get", {"ids": ["00000000"]}),
        ("get_journal_entry", {"entry_id": UNKNOWN}),
        ("store_journal_entry", {"summary": "x", "working_directory": "/x",
                                 "needs_continuation": True}),
        ("store_memory", {"content": "x", "category": "fact", "sources": ["nothing"]}),
    ],
)  # fmt: skip
def test_an_error_gives_a_model_no_command_line_and_no_link(call, name, arguments):
    call("store_journal_entry", summary="There is a journal.", working_directory="/x")
    told = call(name, **arguments).content[0].text
    assert not re.search(r"calmkb [a-z]| --[a-z]|https?:", told), told


def test_a_message_with_half_an_emoji_is_answered_over_a_pipe(environment):
    def line(number, method, **params):
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    said = {"name": "process_thoughts", "arguments": {"reflections": "Cut \ud83d in two, 😀 not."}}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "t", "version": "1"}}  # fmt: skip
    sent = [line(1, "initialize", **hello), line(2, "tools/call", **said)]
    sent.insert(1, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    env = {**os.environ, "HOME": str(environment.home)}
    program = subprocess.Popen(
        [*stood_for(), "mcp"], cwd=environment.cwd, env=env,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with program:
        program.stdin.write("".join(json.dumps(each) + "\n" for each in sent))
        program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(2)]
        program.stdin.close()
    assert answers[1]["result"]["content"][0]["text"] == "Thoughts recorded successfully."
    (entry,) = (environment.home / ".private-journal").glob("*/*.md")
    assert "Cut \ufffd in two, 😀 not." in entry.read_text(encoding="utf-8")


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


def test_limits_and_days_are_answered_as_by_the_reference(call):
    for number in range(3):
        call("process_thoughts", reflections=f"Thought {number}.")
    assert text(call("read_recent_entries", limit=500)).count("--- Entry ") == 3
    assert text(call("list_recent_entries", days=0)) == "No entries found in the last 0 days."
    assert text(call("list_recent_entries", limit=0)) == "No entries found in the last 30 days."


def test_one_folder_can_be_named_for_both_private_journals(environment, tmp_path):
    async def write():
        open_it = partial(open_kb, environment)
        server = build_server(open_it, journal_path=str(tmp_path / "own"))
        async with Client(server) as client:
            await client.call_tool("process_thoughts", {"project_notes": "a", "feelings": "b"})

    anyio.run(write)
    assert len(list((tmp_path / "own").glob("*/*.md"))) == 2
    assert not (environment.home / ".private-journal").exists()


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
    page = Path(__file__).parents[3] / "docs" / "reference" / "mcp.md"
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name: set(re.findall(r"`(\w+)`", cells)) for name, cells in rows if name in TOOL_SETS}
    assert named == {
        name: {tool.function.__name__ for tool in tools} for name, tools in TOOL_SETS.items()
    }


def test_an_asynchronous_tool_is_refused_when_it_is_defined():
    async def slow_tool() -> str:
        return "An answer that nobody looked through."

    with pytest.raises(TypeError, match="slow_tool is asynchronous; write it as a plain function"):
        for_client(slow_tool)
