"""The Claude Code plugin: what it says, held against what the program does."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

from calmkb.cli.clients.plugin import plugin_dir
from calmkb.cli.root import calmkb
from calmkb.wings.mcp.server import build_server

PLUGIN = plugin_dir()
SKILLS = sorted(PLUGIN.glob("skills/*/SKILL.md"))
PAGES = sorted(PLUGIN.rglob("*.md"))


def test_path_prints_the_folder(cli):
    assert cli("plugin", "path").out == f"{PLUGIN}\n"


def test_its_hooks_are_those_of_the_toggle(cli):
    """If not: `calmkb agents plugin hooks > plugin/hooks/hooks.json`."""
    assert (PLUGIN / "hooks/hooks.json").read_text() == cli("plugin", "hooks").out


def test_no_file_of_it_names_a_machine(home):
    for path in PLUGIN.rglob("*.*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"(?<![\w~.])/(home/(?!dev/)|Users|root|tmp)/", text), path


def test_the_skills_are_those_that_people_know():
    names = [path.parent.name for path in SKILLS]
    assert names == ["recall", "reflect", "reflect-toggle", "reflection", "wrapup"]


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_is_short_says_when_it_serves_and_leads_to_pages_that_exist(path):
    text = path.read_text(encoding="utf-8")
    head, body = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL).groups()
    assert f"name: {path.parent.name}\n" in head
    assert "Use when" in " ".join(head.split())
    assert len(head) < 1536
    assert body.count("\n") < 80
    for link in re.findall(r"\]\(([^)#]+)", body):
        assert (path.parent / link).is_file(), link


def commands(group: click.Group, *path: str) -> dict[str, click.Command]:
    """Return every command below `group` by its whole name."""
    found = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found[" ".join((*path, name))] = command
        if isinstance(command, click.Group):
            found |= commands(command, *path, name)
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(PLUGIN)))
def test_every_command_and_option_that_it_names_exists(path):
    known = commands(calmkb)
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    for call in re.findall(r"(?:`|\(|^ +)calmkb ([a-z][^`\n)|]*)", text, re.MULTILINE):
        words = re.split(r"[\s:>]+", call)
        name = max(
            (" ".join(words[:n]) for n in (1, 2) if " ".join(words[:n]) in known),
            key=len,
            default=None,
        )
        assert name, f"calmkb {call}"
        options = {opt for one in known[name].params for opt in one.opts}
        assert set(re.findall(r"--[a-z-]+", call)) <= options, f"calmkb {call}"


def test_every_tool_that_it_names_is_the_servers(project):
    import anyio

    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.base.knowledge_base import open_kb

    server = build_server(lambda: open_kb(process_environment()))
    tools = {tool.name for tool in anyio.run(server.list_tools)}
    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    named = set(re.findall(r"mcp__plugin_calmkb_calmkb__([a-z_]+)", text))
    named |= set(re.findall(r"`((?:store|list|get|mark|dedupe|retrieve)_[a-z_]+)`", text))
    assert named
    assert named <= tools


def test_a_wheel_holds_all_of_it(tmp_path):
    source = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    files = {path.relative_to(PLUGIN).as_posix() for path in PLUGIN.rglob("*") if path.is_file()}
    assert {name.removeprefix("calmkb/plugin/") for name in names if "/plugin/" in name} == files
    assert ".mcp.json" in files


def test_the_manifest_and_the_marketplace_speak_of_this_version():
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    market = json.loads((PLUGIN / ".claude-plugin/marketplace.json").read_text())
    import calmkb as package

    assert (manifest["name"], manifest["version"]) == ("calmkb", package.__version__)
    assert market["plugins"][0]["name"] == "calmkb"
