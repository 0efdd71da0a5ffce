"""A line of shell as the simple commands in it, each a list of words."""

import re
import shlex
from collections.abc import Iterator, Sequence

_HEREDOC = re.compile(
    r"<<-?\s*['\"]?(\w+)['\"]?([^\n]*)\n.*?(?:^\s*\1\s*$|\Z)", re.DOTALL | re.MULTILINE
)
_OPERATORS = "();<>|&\n"
_VARIABLE = re.compile(r"[A-Za-z_]\w*\+?=")
_WRAPPERS = {"sudo", "env", "time", "command", "exec", "nice", "nohup", "xargs", "eval", "then",
             "do", "else", "if", "while", "until", "!", "{"}  # fmt: skip
_SHELLS = {"sh", "bash", "zsh", "dash"}
_TAKES_VALUE = {"-C", "-c", "--git-dir", "--work-tree", "--prefix", "--filter", "--cwd", "--dir"}
_DEEPEST = 3


def simple_commands(line: str, *, depth: int = 0) -> Iterator[list[str]]:
    """Yield the commands of a line without variables and wrappers; `sh -c TEXT` is looked into.

    A line whose quotes do not close yields the words up to there.
    """
    line = _HEREDOC.sub(r"\2\n", line).replace("\\\n", " ")
    for words in _split(line):
        bare = without_wrappers(words)
        if len(bare) > 2 and _name(bare[0]) in _SHELLS and "c" in bare[1] and depth < _DEEPEST:
            yield from simple_commands(bare[2], depth=depth + 1)
        elif bare:
            yield bare


def commands_within(line: str, tops: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands of a line that are run in one of the folders `tops`; without any, all."""
    inside = True
    for words in simple_commands(line):
        if _name(words[0]) in ("cd", "pushd") and len(words) > 1:
            inside = _is_within(words[-1], tops, here=inside)
        elif words[:2] == ["git", "init"]:
            inside = not tops
        elif inside and _is_within(_folder_given(words), tops, here=True):
            yield words


def _is_within(folder: str, tops: Sequence[str], *, here: bool) -> bool:
    if not tops or not folder:
        return here
    if folder.startswith(("~", "$")):
        return False
    if not folder.startswith("/"):
        return here
    return any(folder == top or folder.startswith(f"{top.rstrip('/')}/") for top in tops)


def _folder_given(words: Sequence[str]) -> str:
    """Return the folder of `git -C FOLDER`, "" for none."""
    return words[2] if words[:2] == ["git", "-C"] and len(words) > 2 else ""


def _split(line: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    words: list[str] = []
    redirected = False
    try:
        for word in lexer:
            operator = bool(word) and not word.strip(_OPERATORS)
            if operator and ("<" in word or ">" in word):
                redirected = True
            elif operator:
                yield words
                words, redirected = [], False
            elif redirected:
                redirected = False
            else:
                words.append(word)
    except ValueError:  # a quote that does not close
        pass
    yield words


def without_wrappers(words: Sequence[str]) -> list[str]:
    """Return the command itself, without variables and what only starts another command."""
    rest = [word for word in words if word != "$"]
    while rest and (is_variable(rest[0]) or rest[0] in _WRAPPERS):
        rest = rest[1:]
    return rest


def is_variable(word: str) -> bool:
    """Whether a word sets a variable, as `CI=1`."""
    return _VARIABLE.match(word) is not None


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
