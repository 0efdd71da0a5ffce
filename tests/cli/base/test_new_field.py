"""A field that is added to a session's content is written, read, shown, searched and served."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import calmkb
from calmkb.store.index.schema import version

PACKAGE = Path(calmkb.__file__).parent
BEFORE = "    project_name: str = _content("
MOOD = '    mood: str = _content("Mood", "line", "How it went.", option="--mood")\n'
TOOLS = """
import asyncio, sys
from mcp import Client
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.mcp.server import build_server
server = build_server(lambda: open_kb(process_environment()))
async def main():
    async with Client(server) as client:
        given = {"summary": "Served.", "working_directory": ".", "mood": "serene"}
        stored = (await client.call_tool("store_journal_entry", given)).structured_content
        entry = {"entry_id": stored["id"]}
        print((await client.call_tool("get_journal_entry", entry)).structured_content["mood"])
asyncio.run(main())
"""


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Return a folder with a calmkb that has one field more."""
    folder = tmp_path / "changed"
    shutil.copytree(PACKAGE, folder / "calmkb")  # what is compiled too
    for name in ("templates", "plugin"):
        if not (folder / "calmkb" / name).exists():
            shutil.copytree(PACKAGE.parent / name, folder / name)
    model = folder / "calmkb/model/sessions/entries.py"
    assert BEFORE in model.read_text()
    model.write_text(model.read_text().replace(BEFORE, MOOD + BEFORE))
    return folder


def run(folder: Path, *args: str) -> str:
    env = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *args], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_line_in_the_model_is_enough(project, cli, changed):
    cli("wrapup", "--summary", "Written by the calmkb of yesterday.")
    cli("session", "list")  # makes its index
    shown = run(changed, "-m", "calmkb", "session", "list", "--json")
    old = json.loads(shown)["entries"][0]["id"]
    assert "Mood:              -" in run(changed, "-m", "calmkb", "session", "show", old)
    said = ("wrapup", "--summary", "Moved the tests.", "--mood", "grim")
    new = run(changed, "-m", "calmkb", *said).split()[-1]
    file = next((project / "journal/sessions").rglob(f"*{new[:8]}.md"))
    assert "mood: grim" in file.read_text()
    assert "Mood:              grim" in run(changed, "-m", "calmkb", "session", "show", new)
    assert new[:8] in run(changed, "-m", "calmkb", "search", "grim", "--no-meaning")
    assert run(changed, "-c", TOOLS) == "serene\n"
    cli("init", ".")
    run(changed, "-m", "calmkb", "site", "stage", "staged")
    pages = [page.read_text() for page in (project / "staged/docs/sessions").rglob("*.md")]
    assert any("Mood: grim" in page for page in pages)
    # The calmkb of yesterday keeps what it does not know, and shows it as it is.
    assert "mood:              grim" in cli("show", new).out


def test_an_index_made_before_the_records_had_the_field_is_made_again(changed):
    assert version(changed / "calmkb") != version()
    assert version(PACKAGE) == version()
