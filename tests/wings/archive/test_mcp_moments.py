"""Kept sessions over MCP: a line with its cost first, then the turns around it, bounded."""

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from mcp import Client

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.mcp.server import build_server
from tests.capture.support import agent, text, user
from tests.wings.archive.conftest import SILENT

NAME = "3f2a1b00-0000-4000-8000-000000000001"


def call(name, **given):
    async def ask():
        server = build_server(lambda: open_kb(process_environment()), ["search"])
        async with Client(server) as client:
            return (await client.call_tool(name, given)).structured_content

    return anyio.run(ask)


def test_a_moment_is_a_line_and_opens_with_its_address(session, cli):
    identity = cli("wrapup", "--summary", "Made errors silent: SilentError.", "--json").out
    session(NAME, *SILENT)
    cli("keep")
    found = call("search", query="SilentError cobra")
    assert found["count"] == 1
    first = found["moments"][0]
    assert (first["id"], first["who"]) == ("3f2a1b00:2", "agent")
    assert first["line"].startswith("Because cobra prints it")
    assert first["tokens"] < 200
    ids = [found["hits"][0]["id"], first["id"]]
    record, turns = call("get", ids=ids)["records"]
    assert record["id"] in identity
    assert turns["text"].index("[2] agent: Because") < turns["text"].index("[1] person: Why")
    assert call("search", query="SilentError", kind="memory")["moments"] == []
    named = call("search", query="return", file="cmd/root.go")
    assert (named["hits"], named["moments"][0]["id"]) == ([], "3f2a1b00:5")


def test_what_is_read_is_bounded_and_holds_the_line_that_was_asked_for(session, cli):
    long = [agent(text(f"Part {n}: " + "many words here " * 900)) for n in range(9)]
    session(NAME, user("Go."), *long, agent(text("The gizmo was loose.")))
    cli("keep")
    (first, *_) = call("search", query="gizmo")["moments"]
    ((turns),) = call("get", ids=[first["id"]])["records"]
    assert len(turns["text"]) <= 12_001
    assert "[11] agent: The gizmo was loose." in turns["text"]


def test_a_session_that_fits_better_has_more_lines(session, cli):
    """Three of each session on average, two at least, so that a search costs no more."""
    for number, subject in enumerate(["gizmo and widget", *["gizmo"] * 4]):
        words = ([user(f"The {subject} {n}."), agent(text("Seen."))] for n in range(9))
        session(f"3f2a1b0{number}" + NAME[8:], *(turn for pair in words for turn in pair))
    cli("keep")
    ids = [row["id"].split(":")[0] for row in call("search", query="gizmo widget")["moments"]]
    assert len(ids) == 15
    assert ids.count("3f2a1b00") > 3
    assert min(ids.count(f"3f2a1b0{number}") for number in range(5)) == 2
