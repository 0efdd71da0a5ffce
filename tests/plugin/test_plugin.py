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


SAYS = """
wrapup: `continue`
wrapup: two or three sentences
wrapup: friction points: problems, blockers and surprises
wrapup: next steps
wrapup: learnings, at most five
wrapup: keeps a copy of its raw log by itself
wrapup: `session_log_content` of the MCP tool is for clients whose sessions calmkb cannot find
wrapup: mcp__plugin_calmkb_calmkb__store_journal_entry
wrapup: at least one next step that the next session can start on
wrapup: ## Session Wrapped Up
wrapup: **Summary**
wrapup: **Friction Points**
wrapup: **Next Steps**
wrapup: Journal entry saved: <id>
reflection: `unreflected_only: true`, `limit: 10`
reflection: No unreflected sessions to process.
reflection: `get_journal_entry`, `include_log: true`
reflection: start four sub-agents in one message
reflection: `haiku`
reflection: Debugging Analyst | root causes, misleading symptoms
reflection: `error`, `decision` | | Codebase Cartographer |
reflection: `fact` | | Process Observer |
reflection: `workflow`, `preference` | | Pattern Detector |
reflection: approaches that keep working | `decision`, `fact` |
reflection: Not "the bug was on line 234 of user.py" but "async context managers must be awaited
reflection: {content, category, importance, reasoning, session, quote}
reflection: `dedupe_proposals` with everything they returned
reflection: ## Proposed Memories from N Sessions
reflection: (Debugging Insights, Codebase Knowledge, Workflow Patterns, Preferences)
reflection: 1. [x] (error) Text of the memory, one sentence that stands alone. — shop, 2026-03-01
reflection: `AskUserQuestion`, a question with `multiSelect`
reflection: I toggle numbers in the list, or say `all`, `none`, or `done`
reflection: `store_memory` what I chose
reflection: `mark_entries_reflected` with all ids that you read, `memories_created`
reflection: `delete_logs: true`
reflection: ## Reflection Complete
reflection: Sessions processed: N
reflection: Memories created: N
reflection: Logs deleted: N
reflection: New memories: - [category] text
reflect: Look through this conversation for learning moments
reflect: commands that worked, conventions, gotchas, preferences, friction with the project
reflect: CLAUDE.md (mine and the project's), `.claude/improvements.md`
reflect: agent: Commands, Conventions, Gotchas, Preferences. Project: Documentation, Naming,
reflect: Naming, Project Structure, Configuration, Test Structure
reflect: one is low, two medium, three or more high
reflect: Ask, one at a time, oldest first
reflect: Nothing to reflect on
reflect: where all were known, say so
reflect: first offer one by one, a summary first, or skip all
reflect: Learning 1 of 7 — correction (medium confidence)
reflect: 1. project CLAUDE.md 2. global CLAUDE.md (later, at a terminal) 3. improvements 4. skip
reflect: `AskUserQuestion`, the choices as its options
reflect: group by project and show its path
reflect: Write at once** after each answer, before the next question, so that I can stop anywhere
reflect: keeps a `.bak`
reflect: Reflected on N items: X added, Y skipped.
reflect-toggle: `calmkb agents hooks on`
reflect-toggle: `calmkb agents hooks off`
reflect-toggle: `calmkb agents hooks status`
reflect-toggle: takes effect in the next session, and every warning
reflect-toggle: An error leaves the file untouched
"""


@pytest.mark.parametrize("case", SAYS.strip().splitlines())
def test_a_skill_tells_the_agent(case):
    name, _, words = case.partition(": ")
    pages = [PLUGIN / f"skills/{name}/SKILL.md", *PLUGIN.glob(f"skills/{name}/references/*.md")]
    text = " ".join(re.sub(r"(?m)^> ", "", page.read_text(encoding="utf-8")) for page in pages)
    assert words in " ".join(text.split())


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
    for field in ("description", "author", "license", "keywords"):
        assert manifest[field], field
    # The project has no address of its own yet, and none is made up.
    assert not {"repository", "homepage"} & set(manifest)
