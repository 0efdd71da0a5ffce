"""A line of shell as the simple commands in it, each a list of words."""

import shlex
from collections.abc import Iterator, Sequence

from calmkb.wings.proof.shell_words import is_variable, read_steps

# What only starts another command, each with those of its short options that take a value.
_WRAPPERS = {
    **dict.fromkeys("builtin command corepack nohup then do else elif if while until ! {".split()),
    **{"doas": "uC", "env": "uC", "exec": "a", "ionice": "cn", "nice": "n", "parallel": "j",
       "setsid": "", "sudo": "CDRTUghprtu", "stdbuf": "ioe", "time": "fo", "timeout": "ks",
       "watch": "n", "xargs": "EILPadns"},
}  # fmt: skip
_FIND_RUNS = {"-exec", "-execdir", "-ok", "-okdir"}
_SHELLS = {"sh", "bash", "zsh", "dash"}
_TAKES_VALUE = {"-C", "-c", "--git-dir", "--work-tree", "--prefix", "--filter", "--cwd", "--dir"}
_DEEPEST = 3


def simple_commands(line: str, *, depth: int = 0) -> Iterator[list[str]]:
    """Yield the commands of a line without variables and wrappers; `sh -c TEXT` is looked into."""
    for step in read_steps(line):
        bare = without_wrappers(step.words)
        texts = _texts_run_by(bare) if depth < _DEEPEST else []
        for text in texts:
            yield from simple_commands(text, depth=depth + 1)
        if bare and not texts:
            yield bare


def _texts_run_by(words: Sequence[str]) -> list[str]:
    """Return the lines of shell that a command is given to run."""
    program = _name(words[0]) if words else ""
    if program == "eval":
        return [" ".join(words[1:])]
    if program == "find":
        runs = [number for number, word in enumerate(words) if word in _FIND_RUNS]
        return [shlex.join(words[number + 1 :]) for number in runs]
    is_shell = program in _SHELLS and len(words) > 2 and "c" in words[1]
    return [words[2]] if is_shell else []


def commands_within(line: str, tops: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands of a line that are run in one of the folders `tops`; without any, all."""
    inside = True
    for words in simple_commands(line):
        if _name(words[0]) in ("cd", "pushd") and len(words) > 1:
            inside = _is_within(words[-1], tops, here=inside)
        elif words[:2] == ["git", "init"]:
            inside = not tops
        elif inside:
            folder = words[2] if words[:2] == ["git", "-C"] and len(words) > 2 else ""
            if _is_within(folder, tops, here=True):
                yield words


def _is_within(folder: str, tops: Sequence[str], *, here: bool) -> bool:
    if not tops or not folder:
        return here
    if folder.startswith(("~", "$HOME", "$TMP", "${HOME", "${TMP")):
        return False
    if not folder.startswith("/"):
        return here
    return any(folder == top or folder.startswith(f"{top.rstrip('/')}/") for top in tops)


def without_wrappers(words: Sequence[str]) -> list[str]:
    """Return the command itself, without variables and what only starts another command."""
    rest = [word for word in words if word != "$"]
    while rest and (is_variable(rest[0]) or _name(rest[0]) in _WRAPPERS):
        wrapper = _name(rest.pop(0))
        taking = _WRAPPERS.get(wrapper)
        while taking is not None and rest and rest[0].startswith("-"):
            option = rest.pop(0)
            del rest[: len(option) == 2 and option[1] in taking]
        del rest[: wrapper == "timeout"]
    return rest


def _name(program: str) -> str:
    return program.rpartition("/")[2]


def program_and_arguments(words: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return the program with its arguments, and its options without their values.

    An option before the sub-command that takes a value (`git -C DIR`) is left out with it.
    """
    arguments, options = [_name(words[0])], set[str]()
    rest = iter(words[1:])
    for word in rest:
        if word in _TAKES_VALUE and len(arguments) == 1:
            next(rest, None)
        elif word.startswith("-") and word != "-":
            options.add(word.partition("=")[0])
        else:
            arguments.append(word)
    return arguments, options
