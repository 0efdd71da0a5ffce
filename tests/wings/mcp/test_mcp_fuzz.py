"""Every tool with arguments of its own schema and against it: an answer or a tool error."""

import os
from functools import partial

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.mcp.server import build_server
from tests.conftest import git

CASES = int(os.environ.get("CALMKB_FUZZ", "40"))
HOSTILE = st.sampled_from(
    ["", " ", "../../etc/passwd", "/etc/passwd", "a\x00b", "\u202e\u200b", "\x1b[31m", "x" * 20_000,
     "{}", "[1]", "null", "-1", "' OR 1=1 --", 'NEAR("a" b)', "*", "0000-0000-4000",
     "00000000-0000-4000-8000-000000000000", "\U000e0041", "<script>", "$(touch pwned)", "C:\\x.md"]
)  # fmt: skip
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | HOSTILE | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def of_schema(schema: dict) -> st.SearchStrategy:
    """Return values that mostly fit a JSON schema, and sometimes do not."""
    if "$ref" in schema or "anyOf" in schema:
        return st.one_of(ANY, *(of_schema(part) for part in schema.get("anyOf", [])))
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | HOSTILE
    kind = schema.get("type")
    if kind == "string":
        return HOSTILE | st.text(max_size=60)
    if kind == "integer":
        return st.integers(-5, 300)
    if kind == "number":
        return st.floats(-1, 2)
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(of_schema(schema.get("items", {})), max_size=4)
    return ANY


def arguments_of(tool) -> st.SearchStrategy:
    schema = tool.input_schema
    named = {name: of_schema(part) for name, part in schema["properties"].items()}
    needed = schema.get("required", [])
    sound = st.fixed_dictionaries(
        {name: named[name] for name in needed},
        optional={name: part for name, part in named.items() if name not in needed},
    )
    return sound | st.dictionaries(st.sampled_from(list(named)) | st.text(max_size=6), ANY)


def test_no_argument_breaks_a_tool_or_touches_anything_outside(repo, home, tmp_path, monkeypatch):
    monkeypatch.chdir(repo)
    (repo / "calmkb.toml").touch()
    environment = Environment(home=home, cwd=repo)
    outside = tmp_path / "outside.md"
    outside.write_text("untouched")
    server = build_server(partial(open_kb, environment))

    async def tools():
        async with Client(server) as client:
            return (await client.list_tools()).tools

    async def call_all(calls):
        async with Client(server, read_timeout_seconds=60) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    listed = anyio.run(tools)
    any_call = st.sampled_from(listed).flatmap(
        lambda tool: st.tuples(st.just(tool.name), arguments_of(tool))
    )

    @settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(any_call, min_size=5, max_size=5))
    def fuzz(calls):
        for (name, arguments), answer in zip(calls, anyio.run(call_all, calls), strict=True):
            text = answer.content[0].text if answer.content else ""
            assert "Traceback" not in text
            # The SDK's words for a crash of ours are these alone; a fault of the input says more.
            assert text != f"Error executing tool {name}", (name, arguments)

    fuzz()
    assert outside.read_text() == "untouched"
    assert {path.name for path in repo.iterdir()} <= {
        ".git", "calmkb.toml", "journal", "kept.txt", ".private-journal"
    }  # fmt: skip
    assert git(repo, "fsck", "--strict") == ""
