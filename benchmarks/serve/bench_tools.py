"""What the MCP tools cost a model, and whether their words tell them apart.

No model is asked: a wish is given to the tool whose name, description and arguments are nearest to
its words (TF-IDF). Such a ranker knows no synonyms, so its agreement is a floor and no forecast.
The descriptions were chosen by the first table of wishes; the second was set aside before that.
Tokens are those of o200k, counted by the npm package gpt-tokenizer if CALMKB_GPT_TOKENIZER names
the folder that it is installed in; else four characters stand for one.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.reflect.similarity.vectors import vectorise
from calmkb.wings.mcp.server import build_server

WISHES, ASIDE = (Path(__file__).with_name(f"tool_wishes{end}.tsv") for end in ("", "_aside"))
GOALS = {"main": 1_200, "default": 1_800, "all": 2_500}
COUNT = """
import {encode} from 'gpt-tokenizer/encoding/o200k_base'; import fs from 'fs'
console.log(encode(fs.readFileSync(0, 'utf8')).length)
"""


def main() -> None:
    """Print the cost of the sets and the agreement of the ranker with the wishes."""
    print("| tools | number | characters | tokens | goal |\n|---|---|---|---|---|")
    for name, goal in GOALS.items():
        tools = listed(name)
        text = json.dumps(tools, separators=(",", ":"))
        count = tokens(text)
        missed = " (missed)" if count > goal else ""
        print(f"| {name} | {len(tools)} | {len(text):,} | {count:,} | ≤ {goal:,}{missed} |")
    print("\n| wishes | picked first | among the first three | private kept apart from team |")
    print("|---|---|---|---|")
    for table, words_of in ((WISHES, "seen"), (ASIDE, "set aside")):
        wishes = read_wishes(table)
        first, third, private = agreement(listed("all"), wishes)
        print(f"| {len(wishes)} {words_of} | {first} | {third} | {private} |")


def read_wishes(table: Path) -> list[tuple[str, str]]:
    """Return each wish and the tool that should be picked."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return [(wish, tool) for wish, tool in (line.split("\t") for line in lines)]


def listed(chosen: str) -> list[dict[str, Any]]:
    """Return the tools as a client is sent them."""
    place = Path(__file__).parent
    server = build_server(lambda: open_kb(Environment(home=place, cwd=place)), [chosen])
    tools = anyio.run(server.list_tools)
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]


def agreement(
    tools: Sequence[dict[str, Any]], wishes: Sequence[tuple[str, str]]
) -> tuple[int, int, int]:
    """Return the wishes with their tool first, among three, and on its side of private."""
    names = [tool["name"] for tool in tools]
    said = [f"{words(t['name'])} {t['description']} {argument_words(t)}" for t in tools]
    first = third = private = 0
    for wish, wanted in wishes:
        table = vectorise([wish, *said])
        scores = (table[0] @ table[1:].T).toarray()[0]
        ranked = [names[row] for row in sorted(range(len(names)), key=lambda r: -scores[r])]
        first += ranked[0] == wanted
        third += wanted in ranked[:3]
        private += is_private(tools, ranked[0]) == is_private(tools, wanted)
    return first, third, private


def is_private(tools: Sequence[dict[str, Any]], name: str) -> bool:
    """Return whether a tool says that it is for the private journal."""
    return any(t["name"] == name and "private journal" in t["description"] for t in tools)


def argument_words(tool: dict[str, Any]) -> str:
    """Return the names and descriptions of a tool's arguments."""
    fields = tool["inputSchema"]["properties"].items()
    return " ".join(f"{words(name)} {part.get('description', '')}" for name, part in fields)


def words(name: str) -> str:
    """Return a name as words."""
    return name.replace("_", " ")


def tokens(text: str) -> int:
    """Return how many tokens a text has."""
    folder = os.environ.get("CALMKB_GPT_TOKENIZER")
    if not folder:
        return len(text) // 4
    command = ["node", "--input-type=module", "-e", COUNT]
    done = subprocess.run(
        command, input=text, cwd=folder, check=True, capture_output=True, text=True
    )
    return int(done.stdout)


if __name__ == "__main__":
    main()
