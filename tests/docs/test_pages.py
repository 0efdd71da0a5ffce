"""Every page: found from the navigation, its links lead somewhere, its commands exist."""

import re
from importlib import import_module
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


def test_every_class_that_a_page_names_can_be_imported():
    named = {
        name for text in TEXTS.values() for name in re.findall(r"`(calmkb[\w.]*\.[A-Z]\w*)`", text)
    }
    assert named
    for name in sorted(named):
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name
