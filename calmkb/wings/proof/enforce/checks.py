"""The kinds of check, each one readable line, and whether a call breaks one.

never run npm                          a command: its program, arguments and options
never run git push --force|-f          one of these options
never edit generated/**                a file, by a tool of the agent
never commit *.sqlite                  a file, by `git add` or in a commit
never write `os.Getwd(` in **/*.go     text that a file gets and did not have
run make lint before git commit        where files changed since it last passed
run make lint before stopping          the same, when the agent ends its turn
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from calmkb.errors import RecordError
from calmkb.model.memories.enforcement import Call
from calmkb.recall import matches_path  # there, since that script imports nothing of calmkb
from calmkb.wings.proof.shell_lines import commands_within, program_and_arguments, simple_commands

STOPPING = "stopping"
Kind = Literal["run", "edit", "commit", "write", "before"]
_KINDS: dict[str, Kind] = {"run": "run", "edit": "edit", "commit": "commit"}
_NO_CODE = (
    *("*.md", "*.mdx", "*.rst", "*.txt", "*.adoc"),
    *("*.json", "*.jsonl", "*.toml", "*.yaml", "*.yml", "*.ini", "*.cfg", "*.lock"),
)
_WRITE = re.compile(r"never write `(?P<what>[^`]+)`(?: in (?P<globs>\S.*))?")
_NEVER = re.compile(r"never (?P<kind>run|edit|commit) (?P<what>\S.*)")
_BEFORE = re.compile(r"run (?P<first>\S.*) before (?P<what>\S.*)")
_LETTERS = re.compile(r"-[A-Za-z]{2,4}")
_STAGING = (["add"], ["commit"], ["stage"])
_FORMS = "never run, never edit, never commit, never write `TEXT`, run A before B or stopping"


@dataclass(frozen=True, slots=True)
class Check:
    """What must not be done: `what` of a `kind`, in `globs`, or before `first` has passed."""

    kind: Kind
    what: str
    first: str = ""
    globs: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "before":
            return f"run {self.first} before {self.what}"
        if self.kind == "write":
            place = f" in {', '.join(self.globs)}" if self.globs else ""
            return f"never write `{self.what}`{place}"
        return f"never {self.kind} {self.what}"

    @property
    def at_stop(self) -> bool:
        """Whether it is held against the end of a turn, not against a call."""
        return self.kind == "before" and self.what == STOPPING

    def is_broken_by(self, call: Call) -> bool:
        """Return whether the call does what must not be done."""
        return _BROKEN_BY[self.kind](self, call)


def parse_check(line: str) -> Check:
    """Return the check that a line says; RecordError names the forms on any other line."""
    text = " ".join(line.split())
    if found := _WRITE.fullmatch(text):
        globs = tuple(part.strip() for part in (found["globs"] or "").split(",") if part.strip())
        return Check("write", found["what"], globs=globs)
    if found := _NEVER.fullmatch(text):
        return Check(_KINDS[found["kind"]], found["what"])
    if found := _BEFORE.fullmatch(text):
        return Check("before", found["what"], first=found["first"])
    raise RecordError(f"{line!r} is not a check; write one of: {_FORMS}")


def _is(words: Sequence[str], wanted: str) -> bool:
    arguments, options = program_and_arguments(words)
    options = {one for option in options for one in _letters(option)}
    if arguments[:2] == ["git", "push"] and any(one.startswith("+") for one in arguments):
        options.add("-f")
    needed, flags = program_and_arguments(wanted.split())
    return arguments[: len(needed)] == needed and all(
        any(_letters(one) <= options for one in flag.split("|")) for flag in flags
    )


def _letters(option: str) -> set[str]:
    """Return the options in `-nm`, any other as it is."""
    return {f"-{one}" for one in option[1:]} if _LETTERS.fullmatch(option) else {option}


def _run(check: Check, call: Call) -> bool:
    return any(_is(words, check.what) for words in commands_within(call.command, call.tops))


def _edit(check: Check, call: Call) -> bool:
    return bool(call.path) and matches_path(call.path, check.what)


def _commit(check: Check, call: Call) -> bool:
    if call.committed:
        return matches_path(call.path, check.what)
    within = commands_within(call.command, call.tops)
    commands = [program_and_arguments(words)[0] for words in within]
    named = [one for each in commands if each[:1] == ["git"] and each[1:2] in _STAGING
             for one in each[2:]]  # fmt: skip
    return any(matches_path(one.removeprefix("./"), check.what) for one in named)


def _write(check: Check, call: Call) -> bool:
    if not call.path or not _is_in(call.path, check.globs):
        return False
    pattern = _token(check.what)
    return len(pattern.findall(call.text)) > len(pattern.findall(call.before))


def _is_in(path: str, globs: Sequence[str]) -> bool:
    """Return whether a path is in one of the globs; without any, whether it is code."""
    if globs:
        return any(matches_path(path, glob) for glob in globs)
    return not any(matches_path(path, glob) for glob in _NO_CODE)


def _token(text: str) -> re.Pattern[str]:
    """Return the pattern of a piece of code: no part of a longer name."""
    left = r"(?<![\w.])" if re.match(r"\w", text) else ""
    right = r"(?!\w)" if re.search(r"\w$", text) else ""
    return re.compile(left + re.escape(text) + right)


def _before(check: Check, call: Call) -> bool:
    if call.ran is None:
        return False
    passed = [words for line in call.ran for words in simple_commands(line)]
    if check.what == STOPPING:
        return call.ends and not _all_passed(check, passed)
    for words in commands_within(call.command, call.tops, runners=False):
        if _is(words, check.what):
            return not _all_passed(check, passed)
        passed.append(words)  # `make lint && git commit`
    return False


def _all_passed(check: Check, passed: Sequence[Sequence[str]]) -> bool:
    needed = [one.strip() for one in check.first.split("&&")]
    return all(any(_is(done, one) for done in passed) for one in needed)


_BROKEN_BY: dict[Kind, Callable[[Check, Call], bool]] = {
    "run": _run, "edit": _edit, "commit": _commit, "write": _write, "before": _before,
}  # fmt: skip
