"""Every command that calmkb prints as a hint exists, with the options that the hint gives it."""

import ast
import re
from pathlib import Path

import click

import calmkb as package
from calmkb.cli.root import calmkb

HINT = re.compile(r"(?:: |`|>|\brun )calmkb (?!taken out)([^`;,()<\n…\":]+)")
SOURCE = Path(package.__file__).parent
TEMPLATES = Path(__file__).parents[2] / "templates"


def texts(tree: ast.AST):
    """Yield the texts of a module, what is put into them at run time as X."""
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(one) for one in node.values}
            yield "".join(
                one.value if isinstance(one, ast.Constant) else "X" for one in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield node.value


def sources():
    for path in sorted(SOURCE.rglob("*.py")):
        if "calmkb " in (text := path.read_text(encoding="utf-8")):
            yield path, texts(ast.parse(text))
    for path in sorted(TEMPLATES.rglob("*")):
        if path.suffix in (".md", ".html", ".js", ".yml", ".toml"):
            yield path, [re.sub(r"\{\{.*?\}\}", "X", path.read_text(encoding="utf-8"))]


def hints():
    for path, found in sources():
        for text in found:
            for hint in HINT.finditer(" ".join(text.split())):
                yield path.name, hint[1].partition(". ")[0].strip().rstrip(".")


def resolved(words):
    """Return the command that the words name, and the words after it."""
    command, context = calmkb, click.Context(calmkb)
    while words and isinstance(command, click.Group):
        found = command.get_command(context, words[0]) or command.get_command(context, "TYPE")
        if found is None:
            break
        command, context, words = found, click.Context(found, parent=context), words[1:]
    return command, words


def fault(hint: str) -> str:
    words = hint.split()
    command, rest = resolved(words[2:] if words[0] == "--kb" else words)
    is_group = isinstance(command, click.Group) and not command.invoke_without_command
    if command is calmkb or (is_group and rest):
        return "no such command"
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    given = {word.partition("=")[0] for word in rest if word.startswith("--")}
    return ", ".join(given - known - {"--help"})


def test_a_hint_names_a_command_and_options_that_there_are():
    found = set(hints())
    assert len(found) > 150
    assert [(*one, wrong) for one in sorted(found) if (wrong := fault(one[1]))] == []


def test_a_hint_that_is_wrong_is_found():
    assert fault("memory lst") == "no such command"
    assert fault("reflekt") == "no such command"
    assert fault("export --chek") == "--chek"
    assert fault("memory retire ID --reason TEXT") == ""
