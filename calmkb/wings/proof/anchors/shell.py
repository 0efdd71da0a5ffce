"""What the words of a command line name: a target of a task runner, or files that it is given."""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from calmkb.wings.proof.shell_lines import simple_commands
from calmkb.wings.proof.shell_words import is_variable

_TARGETS = {"make", "gmake", "just", "task", "poe"}
_SCRIPTS = {"npm", "pnpm", "yarn", "bun"}
_TASKS = {"mise", "deno", "hatch", "composer"}
_SHORT = {"test", "start", "stop", "restart"}
_IN_FOLDER = {"-C", "--cwd", "--dir", "--directory", "--prefix"}
_NAMED_BY_OPTION = {"tox": ("-e",), "nox": ("-s", "-e", "--session", "--sessions")}
_TAKES_VALUE = {
    *("-C", "-f", "-o", "-k", "-m", "-n", "-p", "-w", "-e", "-s", "-c", "-r", "-t"),
    *("--filter", "--prefix", "--workspace", "--directory", "--file", "--justfile", "--dir"),
    *("--cwd", "--with", "--extra", "--group", "--python", "--working-directory", "--package"),
}


class Command(NamedTuple):
    """A runner and the target that it is asked for; without a runner, a file that is given."""

    runner: str
    target: str


def commands_in(line: str) -> Iterator[Command]:
    """Yield what a line of shell names; nothing where it is no line of shell that can be read."""
    try:
        shlex.split(line, comments=True)
    except ValueError:  # a quote that is not closed: prose
        return
    for words in simple_commands(line):
        yield from _named(words)


def _named(words: Sequence[str]) -> Iterator[Command]:
    program, rest = (words[0], words[1:]) if words else ("", [])
    asked = _positional(rest)
    if program in _TARGETS | _SCRIPTS | _TASKS | {"cd"}:
        given = (two for one, two in pairwise(rest) if one in _IN_FOLDER)
        folders = asked[:1] if program == "cd" else given
        yield from (Command("", f"{one.rstrip('/')}/") for one in folders if one[0] not in "-/~$")
    if program in _TARGETS:
        runner = "make" if program == "gmake" else program
        wanted = takewhile(lambda w: w[-1:] not in ",/", asked if runner == "make" else asked[:1])
        # A variable, how many jobs run at once (`-j 4`) and the rest of a sentence are no targets.
        targets = (one for one in wanted if not (is_variable(one) or one.isdecimal()))
        yield from (Command(runner, one) for one in targets)
    elif program in _SCRIPTS or program in _TASKS:
        yield from _task(program, *(*asked, "", "")[:2])
    elif program in _NAMED_BY_OPTION:
        pairs = (value for option, value in pairwise(rest) if option in _NAMED_BY_OPTION[program])
        yield from (Command(program, one) for value in pairs for one in value.split(","))
    else:
        # Every word that has a folder, or an end as files have: `-r docs/requirements.txt`.
        values = (one.partition("=")[2] if one[:1] == "-" else one for one in words)
        given = (one for one in values if re.search(r"[\w-][./]\w", one) and one[0] not in "/~$")
        yield from (Command("", one) for one in given)


def _task(program: str, verb: str, task: str) -> Iterator[Command]:
    """Yield the script or task that is run: `npm run X`, `npm test`, `mise run X`."""
    runner = "script" if program in _SCRIPTS else program
    if runner == "script" and verb in _SHORT:
        yield Command(runner, verb)
    elif task and verb in ("run", "run-script", *(("r", "task") if runner == program else ())):
        is_scoped = program == "hatch" and ":" in task
        yield Command(runner, task.partition(":")[2] if is_scoped else task)


def _positional(words: Sequence[str]) -> list[str]:
    """Return the words that are no options."""
    rest, found = iter(words), list[str]()
    for word in takewhile(lambda one: one != "--", rest):
        if word in _TAKES_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            found.append(word)
    return found
