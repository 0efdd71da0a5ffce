"""Writes docs/reference/commands.md and docs/anatomy.md from the code: `--check` only compares."""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from anatomy import anatomy

from calmkb.cli.root import COMMANDS, RENAMED, calmkb

DOCS = Path(__file__).parent.parent / "docs"

HEAD = """\
# Commands

<!-- Made by scripts/make_reference.py; to change a word here, change the command's help. -->

This is what `calmkb COMMAND --help` says.

`calmkb --kb FOLDER COMMAND` works on the knowledge base in FOLDER;
[without it](../how-to/start.md#where-the-journal-lives) the nearest is used. Wherever an ID is
asked for, any unique beginning of it will do.

## Exit codes

| code | means |
|---|---|
| 0 | done |
| 1 | something is for you to fix, and is named: a wrong argument, a file, what `check` found |
| 3 | a fault in calmkb itself; what is needed to report it is in `~/.calm/error.log` |
| 130 | stopped with ^C; nothing more was written |

`calmkb hook`, which runs inside other programs, always ends with 0.

## All commands

"""


def page() -> str:
    """Return the whole page."""
    root = click.Context(calmkb, info_name="calmkb")
    found = list(_below(calmkb, root))
    rows = [f"- [`{name}`](#calmkb-{name}): {_words(row[1])}" for name, row in COMMANDS.items()]
    table = "\n".join(rows)
    sections = "\n\n".join(_section(name, context, command) for name, context, command in found)
    older = ", ".join(f"`{old}` (`{new}`)" for old, new in RENAMED.items())
    table += f"\n\nNames of before work as well: {older}."
    return f"{HEAD}{table}\n\n{sections}\n"


def _below(
    group: click.Group, context: click.Context
) -> Iterator[tuple[str, click.Context, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield inner.command_path, inner, command
        if isinstance(command, click.Group):
            yield from _below(command, inner)


def _section(name: str, context: click.Context, command: click.Command) -> str:
    usage = " ".join((name, *command.collect_usage_pieces(context)))
    parts = [f"{'#' * (name.count(' ') + 1)} {name}"]
    if not usage.endswith((" [OPTIONS]", " COMMAND [ARGS]...")):
        parts.append(f"`{usage}`")
    parts += [_paragraph(text) for text in inspect.cleandoc(command.help or "").split("\n\n")]
    options = [param for param in command.params if isinstance(param, click.Option)]
    rows = [_row(option) for option in options if not option.hidden]
    if rows:
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def _paragraph(text: str) -> str:
    """Return a paragraph of a help text; after click's mark for lines as they are, a block."""
    if text.startswith("\b\n"):
        return f"```text\n{text[2:]}\n```"
    return _words(" ".join(text.split()))


def _words(text: str) -> str:
    """Return `text` with what Markdown would read as its own escaped, but in code spans."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<\[|])", r"\\\1", p) for p in parts)


def _row(option: click.Option) -> str:
    names = ", ".join(option.opts)
    if option.is_flag:
        shown = " / ".join((names, *option.secondary_opts))
    else:
        shown = f"{names} {_value(option)}"
    told = [_words(option.help or ""), *_limits(option), *_default(option)]
    return f"- `{shown}`: {' '.join(part for part in told if part)}"


def _value(option: click.Option) -> str:
    """Return what stands for the value after an option's name."""
    kind = option.type
    if option.metavar:
        return option.metavar
    if isinstance(kind, click.Choice):
        return "WORD"
    if isinstance(kind, click.DateTime):
        return "YYYY-MM-DD"
    if isinstance(kind, click.Path):
        return "FILE" if kind.file_okay else "FOLDER"
    return {"integer": "N", "float": "NUMBER"}.get(kind.name.removesuffix(" range"), "TEXT")


def _limits(option: click.Option) -> list[str]:
    kind: Any = option.type
    said = []
    if isinstance(kind, click.Choice):
        said.append(f"One of {', '.join(f'`{choice}`' for choice in kind.choices)}.")
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        said.append(f"From {low} to {high}.")
    elif low is not None:
        said.append(f"At least {low}.")
    if option.multiple and not re.search("repeat|several times", option.help or ""):
        said.append("Repeatable.")
    return said + (["Required."] if option.required else [])


def _default(option: click.Option) -> list[str]:
    if option.is_flag:
        return [f"Default: {option.opts[0]}."] if option.default and option.secondary_opts else []
    is_value = isinstance(option.default, (str, int, float)) and option.default != ""
    return [f"Default: `{option.default}`."] if is_value else []


def main() -> int:
    """Write the pages, or with `--check` return 1 where one is not what would be written."""
    pages = {DOCS / "reference" / "commands.md": page(), DOCS / "anatomy.md": anatomy()}
    old = [path for path, wanted in pages.items()
           if not path.is_file() or path.read_text(encoding="utf-8") != wanted]  # fmt: skip
    if "--check" in sys.argv[1:]:
        for path in old:
            sys.stderr.write(f"{path} is out of date; bring it up to date with: make reference\n")
        return 1 if old else 0
    for path in old:
        path.write_text(pages[path], encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
