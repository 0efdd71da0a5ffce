"""`calmkb memory`: by hand."""

import json
import re

from tests.conftest import git


def test_memories_are_added_found_judged_and_retired(project, cli):
    said = cli("memory", "add", "Use pnpm, not npm.", "--category", "workflow", "--scope", "shop")
    identity = said.out.strip().rpartition(" ")[2]
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    head, row, _ = sorted(
        cli("memory", "list").out.rstrip().split("\n"),
        key=lambda line: (line[:2] != "ID", "pnpm" not in line),
    )
    assert head == "ID        Created     Category    Confidence  Memory"
    assert re.fullmatch(rf"{identity[:8]}  [\d-]{{10}}  workflow    low         shop: Use .*", row)
    assert "Use pnpm" in cli("memory", "find", "npm or pnpm").out.split("\n")[0]
    listed = json.loads(cli("memory", "list", "--category", "fact", "--json").out)["memories"]
    assert [row["text"] for row in listed] == ["Prices are in cents."]
    assert cli("memory", "feedback", identity[:8], "helpful").out == "1 helpful, 0 harmful\n"
    said = cli("memory", "feedback", identity[:8], "harmful", "--note", "Wrong in the docs folder.")
    assert said.out == "1 helpful, 1 harmful\n"
    assert git(project, "show", "--format=", "--name-only", "HEAD").startswith("journal/feedback/")
    assert cli("memory", "retire", identity[:8]).code == 0
    assert "pnpm" not in cli("memory", "list").out
    assert git(project, "status", "--porcelain") == ""


def test_an_unknown_memory_is_not_found(project, cli):
    for args in (("retire", "ffff"), ("feedback", "ffff", "helpful")):
        said = cli("memory", *args)
        assert (said.code, "not found" in said.err) == (1, True)
    assert cli("memory", "list").out == "No memories found.\n"
