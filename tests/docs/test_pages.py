"""Every page: found from the navigation, its links lead somewhere, its commands exist."""

import re
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import click
import pytest
import yaml

from calmkb.cli.root import calmkb

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
PAGES += [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]
TEXTS = {name: path.read_text("utf-8") for name, path in zip(NAMES, PAGES, strict=True)}
_FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.MULTILINE | re.DOTALL)


def anchors(name: str) -> set[str]:
    prose = _FENCE.sub("", TEXTS[name])
    titles = re.findall(r"^#+ +(.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", NAMES)
def test_every_link_to_a_file_of_the_project_leads_to_one_and_to_its_heading(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", _FENCE.sub("", TEXTS[name])):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (ROOT / name).parent / path if path else ROOT / name
        assert place.exists(), target
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place.resolve().relative_to(ROOT).as_posix()), target


@pytest.mark.parametrize("name", NAMES)
def test_every_command_on_a_page_exists_with_its_options(name):
    for line in re.findall(r"(?:\$ |[`(]|^ +- |run: )calmkb ([^`\n]+)", TEXTS[name], re.MULTILINE):
        words = line.partition(" #")[0].split("&&")[0].split("|")[0].split()
        missing = unknown(words)
        assert not missing, f"calmkb {line}: {missing}"


def unknown(words: list[str]) -> list[str]:
    """Return the words that name no command, and the options that the command named has not got."""
    command: click.Command = calmkb
    if words[:1] == ["--kb"]:
        words = words[2:]
    context = click.Context(calmkb, info_name="calmkb")
    missing = []
    options = {"--help", "--version"}
    for word in words:
        if isinstance(command, click.Group) and re.fullmatch(r"[a-z][a-z-]*|TYPE", word):
            found = command.get_command(context, word) or command.get_command(context, "TYPE")
            if found is None:
                missing.append(word)
                break
            command = found
            agent = isinstance(found, click.Group) and found.get_command(context, "TYPE")
            options = {"--help"} | {
                name
                for param in (agent or found).params
                for name in (*param.opts, *param.secondary_opts)
            }
        elif match := re.match(r"--[a-z][a-z-]*", word.strip("[…")):
            missing += [match[0]] if match[0] not in options else []
    return missing


def test_every_page_is_in_the_navigation_once():
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = list(leaves(yaml.safe_load(text)))
    written = {name.removeprefix("docs/") for name in NAMES if name.startswith("docs/")}
    assert len(listed) == len(set(listed))
    assert written <= set(listed)


def leaves(nav: object) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    inner = nav if isinstance(nav, list) else list(nav.values())  # type: ignore[attr-defined]
    return [leaf for one in inner for leaf in leaves(one)]


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("docs/")])
def test_a_page_has_one_title_and_no_heading_is_skipped(name):
    levels = [len(marks) for marks in re.findall(r"^(#+) ", _FENCE.sub("", TEXTS[name]), re.M)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", [name for name in NAMES if "publish" in name])
def test_the_settings_of_a_git_host_are_yaml(name):
    blocks = re.findall(r"^```yaml\n(.*?)^```", TEXTS[name], re.MULTILINE | re.DOTALL)
    for block in blocks:
        assert yaml.safe_load(block.replace("!ENV ", ""))


# Words with dots that Python does not import: files, and groups of entry points.
NOT_IMPORTED = {"calmkb.toml", "calmkb.git", "calmkb.agents", "calmkb.exporters", "calmkb.formats",
                "calmkb.pages", "calmkb.points"}  # fmt: skip


def test_every_dotted_name_of_a_page_can_be_imported():
    named = {
        name
        for text in TEXTS.values()
        for name in re.findall(r"(?<![\w/.-])calmkb(?:\.\w+)+(?![\w/-])", text)
    } - NOT_IMPORTED
    imported = {
        f"{module}.{name.strip()}"
        for text in TEXTS.values()
        for module, names in re.findall(r"^from (calmkb[\w.]*) import (.+)$", text, re.MULTILINE)
        for name in names.split(",")
    }
    assert {"calmkb.wings.runs.sinks.Sink", "calmkb.wings.runs.client.AgentClient"} <= named
    assert "calmkb.wings.runs.agents.base.Outcome" in imported
    assert [name for name in sorted(named | imported) if not is_there(name)] == []


def is_there(name: str) -> bool:
    """Return whether Python finds a module of that name, or a module with such a part."""
    module, _, attribute = name.rpartition(".")
    try:
        return bool(find_spec(name)) if find_spec(module) else False
    except ModuleNotFoundError:
        return hasattr(import_module(module), attribute)


def test_every_option_that_a_page_names_by_itself_is_one_of_some_command():
    named = {
        (option, name)
        for name, text in TEXTS.items()
        for option in re.findall(r"`(--[a-z][a-z-]+)", _FENCE.sub("", text))
    }
    assert ("--wrapup", "docs/how-to/run-agents.md") in named
    assert sorted(one for one in named if one[0] not in options() | OTHERS) == []


# What a page names as another program's: an option of Claude Code, and a style sheet's names.
OTHERS = {"--max-budget-usd", "--calm-"}


def options() -> set[str]:
    """Return every option of calmkb, of its commands, and of those below them."""
    context, found = click.Context(calmkb, info_name="calmkb"), {"--help"}
    waiting: list[click.Command] = [calmkb]
    seen: set[int] = set()
    while waiting:
        command = waiting.pop()
        if id(command) in seen:
            continue
        seen.add(id(command))
        found |= {one for param in command.params for one in (*param.opts, *param.secondary_opts)}
        if isinstance(command, click.Group):
            names = {*command.list_commands(context), *getattr(command, "table", ())}
            waiting += filter(None, (command.get_command(context, name) for name in names))
    return found


def test_the_guide_to_the_status_line_says_what_it_prints_and_how_to_keep_ones_own():
    text = (ROOT / "docs" / "how-to" / "agents.md").read_text(encoding="utf-8")
    for words in ("--status-line", "calmkb statusline --with", "`reflect: N pending`"):
        assert words in text, words
