"""The reference pages say what the program says, all of it."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from calmkb.config import AgentSettings, Allowed, Config, load_config

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "docs/reference/configuration.md").read_text("utf-8")


def make_reference(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/make_reference.py"), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_pages_made_from_the_code_are_what_it_says():
    done = make_reference("--check")
    assert (done.returncode, done.stderr) == (0, "")


def named_folders(page: str) -> Iterator[str]:
    """Yield the path of each folder that the page names, by its place in the list."""
    above: list[str] = []
    for indent, name in re.findall(r"^( *)- `(\w+)/`: .", page, re.MULTILINE):
        above[len(indent) // 4 :] = [name]
        yield "/".join(above)


def test_the_anatomy_names_every_folder_that_git_has_and_no_other():
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.py", "*.toml", "*.json"]
    listed = subprocess.check_output(command, cwd=ROOT / "calmkb", text=True).split()
    folders = {path.as_posix() for name in listed for path in Path(name).parents} - {"."}
    page = (ROOT / "docs/anatomy.md").read_text("utf-8")
    assert sorted(named_folders(page)) == sorted(folders)


def settings(kind: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each setting's full name and what holds where nothing is said."""
    for field in fields(kind):
        value = getattr(kind(), field.name)
        if is_dataclass(value):
            yield from settings(type(value), f"{prefix}{field.name}.")
        elif each := field.metadata.get("each"):
            yield from settings(each, f"{prefix}{field.name}.NAME.")
        elif of := field.metadata.get("of"):
            yield from settings(of, f"{prefix}{field.name}[].")
        else:
            yield prefix + field.name, value


def rows() -> dict[str, str]:
    """Return the default that the page gives for each setting it names."""
    found = re.findall(r"^\| `([a-z_A-Z.\[\]]+)` \| (?:`(.*?)`|(none)) \|", SETTINGS, re.MULTILINE)
    return {name: default or none for name, default, none in found}


def test_every_setting_is_on_the_page_and_nothing_else():
    assert set(rows()) == {name for name, _ in settings(Config)}


@pytest.mark.parametrize(("name", "default"), list(settings(Config)))
def test_the_page_gives_the_default_of(name, default):
    said = rows()[name]
    if default == "" and said == "none":
        return
    value = tomllib.loads(f"value = {said}")["value"]
    assert (tuple(value) if isinstance(value, list) else value) == default


def test_the_example_with_every_setting_loads_and_changes_nothing_but_what_it_adds(tmp_path):
    (example,) = re.findall(r"```toml\n(# calmkb\.toml.*?)```", SETTINGS, re.DOTALL)
    (tmp_path / "calmkb.toml").write_text(example, encoding="utf-8")
    config = load_config(tmp_path)
    assert set(config.agents) == {"log-analyzer"}
    assert all(isinstance(agent, AgentSettings) for agent in config.agents.values())
    assert all(isinstance(item, Allowed) and item.reason for item in config.redact.allow)
    assert config.export == Config().export


def test_every_variable_of_ours_that_the_program_reads_is_on_the_page():
    sources = [*(ROOT / "calmkb").rglob("*.py"), *(ROOT / "plugin").rglob("*.json")]
    read = set()
    for path in sources:
        read |= set(re.findall(r"\bCALMKB_[A-Z_]+\b", path.read_text("utf-8")))
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", SETTINGS, re.MULTILINE))
    assert read <= told, sorted(read - told)
    assert not {name for name in told if name.startswith("CALMKB_")} - read
