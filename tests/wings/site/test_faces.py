"""Every face says the same of a journal: the site, the terminal, its JSON, and an agent's tools."""

import json
import random
import re
from datetime import UTC, datetime
from functools import partial

import anyio
import pytest

pytest.importorskip("mcp", reason="the [mcp] extra is not installed")

from mcp import Client

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.mcp.server import build_server
from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import library
from tests.memories.conftest import add, cli, project

__all__ = ["add", "cli", "project"]

FRICTION = (
    "`npm test` hung: the project uses pnpm.",
    "The clock of the test machine ran in local time.",
    "The end-to-end job needs the database container.",
)
RULES = (
    "Write prices in cents.",
    "The staging database is emptied each night.",
    "Sign a release with the team's key.",
    "A migration has a way back.",
)
CATEGORIES = ("decision", "error", "fact", "preference", "workflow")
SETTINGS = '[export]\ntargets = ["claude-md", "copilot", "gemini"]\n'


def number(pattern: str, text: str) -> int:
    """Return the number that a pattern finds; a sentence that is gone fails the test."""
    found = re.search(pattern, text)
    assert found, f"{pattern!r} is not in: {text[:600]}"
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("seed", range(4))
def test_all_faces_count_alike_whatever_the_journal(seed, project, cli, add, home):
    chance = random.Random(seed)  # noqa: S311 - the same journals each time
    (project / "calmkb.toml").write_text(SETTINGS)
    for place in range(chance.randint(1, 6)):
        points = chance.sample(FRICTION, chance.randint(0, 2))
        options = (word for point in points for word in ("--friction", point))
        assert cli("wrapup", "--summary", f"Did step {place}.", *options).code == 0
    for rule in RULES[: chance.randint(1, 4)]:
        add(rule, category=chance.choice(CATEGORIES))

    kb = open_kb(Environment(home=home, cwd=project))
    pages = stage(library(kb))
    counts = json.loads(cli("stats", "--json").out)
    said = cli("stats").out
    tools = asked_of(Environment(home=home, cwd=project))

    sessions = counts["entries"]
    assert number(r"sessions: +(\d+) in", said) == sessions
    assert number(r"Sessions\]?.*?(\d+) in \d+ project", pages["statistics.md"]) == sessions
    assert number(r"\[(\d+) sessions?\]\(sessions/index", pages["index.md"]) == sessions
    assert json.loads(cli("session", "list", "--json").out)["count"] == sessions
    assert len(tools["list_journal_entries"]["entries"]) == sessions

    memories = sum(counts["memories"].values())
    assert number(r"memories: +(\d+)", said) == memories
    assert number(r"Memories\].*?>(\d+)", pages["statistics.md"]) == memories
    assert number(r"(\d+) memor(?:y|ies)", pages["told.md"]) == memories
    assert len(tools["list_memories"]["memories"]) == memories

    tokens = counts["digest_tokens"]
    assert number(r"digest: +about (\d+) token", said) == tokens
    assert number(r"about (\d+) token", pages["told.md"]) == tokens
    assert number(r"about (\d+) token", pages["index.md"]) == tokens
    assert number(r"about (\d+) token", pages["statistics.md"]) == tokens
    assert number(r"claude-md: about (\d+) token", cli("export", "--explain").out) == tokens

    troubles = counts["recurring"]
    assert number(r"troubles: +(\d+) in more than one session", said) == troubles
    assert number(r"(\d+) in more than one session", pages["statistics.md"]) == troubles
    if troubles:
        assert number(r"(\d+) troubles? came up", pages["friction.md"]) == troubles
        assert number(r"All (\d+) ", pages["index.md"]) == troubles
    week = f"{datetime.now(UTC):%G-W%V}"
    assert number(r"(\d+) sessions?, ", cli("site", "week").out) == sessions
    assert number(r"(\d+) sessions?, ", pages[f"weeks/{week}.md"]) == sessions


def asked_of(environment: Environment) -> dict[str, dict[str, list[object]]]:
    """Return what an agent's tools that list answer."""

    async def session() -> dict[str, dict[str, list[object]]]:
        async with Client(build_server(partial(open_kb, environment))) as client:
            names = ("list_journal_entries", "list_memories")
            return {name: (await client.call_tool(name, {})).structured_content for name in names}

    return anyio.run(session)
