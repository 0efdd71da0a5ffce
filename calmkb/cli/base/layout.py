"""Text laid out for the terminal: wrapped, wide characters too, and paged as git pages."""

import os
import re
import shutil
import sys

import click

from calmkb.cli.base.text import visible

_WIDEST = 120
_LESS = "FRX"
"""How git starts `less`: leave where all fits, keep colours, leave the text on the screen."""
_WORD = r"""(?:'[^']*'|"[^"]*"|[^\s;,`'"().]|\.(?!\s|$))+"""
_COMMAND = re.compile(
    rf"(?:(?<=: )|(?<=`)|(?<=run )|(?<=or )(?=calmkb memory)|(?<=; )(?=calmkb agents))"
    rf"(?:calmkb|claude|git|rm)(?! (?:does|takes)\b)(?: {_WORD})+|^(?:git|mv)(?: {_WORD})+$"
)
"""A command that a message names: pasted with a line's end in it, it would be two."""
_HELD = "\ue000"  # stands for a space of a command while its line is wrapped


def wrapped(text: str, indent: str, *, mark: str = "") -> list[str]:
    """Return the lines of a text within the terminal; those after the first are further in."""
    from wcwidth import wrap

    lines = []
    for part in _COMMAND.sub(lambda m: m[0].replace(" ", _HELD), visible(text)).split("\n"):
        first, later = indent + mark, indent + " " * len(mark)
        lines += wrap(
            part, columns(), initial_indent=first, subsequent_indent=later, break_on_hyphens=False,
            break_long_words=_HELD not in part,
        ) or [first]  # fmt: skip
        mark = " " * len(mark)
    return [line.replace(_HELD, " ") for line in lines]


def columns() -> int:
    """Return the columns there are, at most 120: longer lines are hard to read."""
    return max(40, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns))


def hanging(text: str, *, column: int = 0) -> str:
    """Return the lines of a text that a person reads at a terminal, each wrapped below its start.

    They go on below their own text, or below `column`; into a pipe goes what was given.
    """
    if not sys.stdout.isatty():
        return visible(text)
    from wcwidth import width

    lines: list[str] = []
    for line in visible(text).split("\n"):
        bare = line.lstrip(" ")
        start = column or len(line) - len(bare) + (2 if bare.startswith("- ") else 0)
        lines += wrapped(line[start:], "", mark=line[:start]) if width(line) > columns() else [line]
    return "\n".join(lines)


def print_paged(text: str) -> None:
    """Print a text; at a terminal it is paged where it is longer than the screen."""
    if not sys.stdout.isatty() or text.count("\n") + 1 < shutil.get_terminal_size().lines:
        click.echo(text)
        return
    os.environ.setdefault("LESS", _LESS)
    click.echo_via_pager(text + "\n")
