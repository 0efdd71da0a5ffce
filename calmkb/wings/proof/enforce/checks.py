"""The kinds of check, each one readable line, and whether a call breaks one.

never run npm                          a command: its program, arguments and options
never run git push --force|-f          one of these options
never run git commit without -s        the command where none of these options is there
never edit generated/**                a file, by a tool of the agent
never commit *.sqlite                  a file, by `git add` or in a commit
never write `os.Getwd(` in **/*.go     text that a file gets and did not have
never write `sqlx` outside src/db/**   the same in any other file
never say `Co-Authored-By` in a commit the text of a message, in `git commit -m`
begin commits with `feat:|fix:`        its first words
run make lint before git commit        where files changed since it last passed
run make lint before stopping          the same, when the agent ends its turn
run make gen before stopping after editing proto/**    where these files changed
edit docs/api.md before git commit after editing api/**   where only these changed
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from calmkb.errors import RecordError
from calmkb.recall import matches_path  # there, since that script imports nothing of calmkb
from calmkb.wings.proof.shell_lines import commands_within, program_and_arguments, simple_commands

STOPPING = "stopping"
Kind = Literal["run", "edit", "commit", "write", "say", "begin", "before", "update"]
_KINDS: dict[str, Kind] = {"run": "run", "edit": "edit", "commit": "commit"}
_DOCUMENTS = ("*.md", "*.mdx", "*.rst", "*.txt", "*.adoc")
_NO_CODE = (
    *_DOCUMENTS,
    *("*.json", "*.jsonl", "*.toml", "*.yaml", "*.yml", "*.ini", "*.cfg", "*.lock"),
)
_WRITE = re.compile(r"never write `(?P<what>[^`]+)`(?: (?P<place>in|outside) (?P<globs>\S.*))?")
_MESSAGE = re.compile(
    r"never say `(?P<say>[^`]+)` in a commit|begin commits with `(?P<begin>[^`]+)`"
)
_NEVER = re.compile(r"never (?P<kind>run|edit|commit) (?P<what>\S.*)")
_BEFORE = re.compile(
    r"(?P<act>run|edit) (?P<first>\S.*) before (?P<what>\S.*?)(?: after editing (?P<globs>\S.*))?"
)
_LETTERS = re.compile(r"-[A-Za-z]{2,4}")
_STAGING = (["add"], ["commit"], ["stage"])
_FORMS = (
    "never run, never edit, never commit, never write `TEXT`, never say `TEXT` in a commit, "
    "begin commits with `TEXT`, run A before B or stopping, after editing GLOB"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an agent is about to do: run a command, or put text into a file.

    `path` is from the top of the repository, with `/`; `text` is what a file gets, `before` what
    it replaces. `previous` is the call that passed before it in the session, `turn` the number of
    what a person had said by then. `ends` says that the agent ends its turn.
    """

    command: str = ""
    path: str = ""
    text: str = ""
    before: str = ""
    committed: bool = False
    tops: tuple[str, ...] = ()
    ends: bool = False
    turn: int = 0
    previous: "Call | None" = field(default=None, repr=False, compare=False)

    @property
    def earlier(self) -> "Iterator[Call]":
        """The calls that passed before it, the last first."""
        one = self.previous
        while one:
            yield one
            one = one.previous


@dataclass(frozen=True, slots=True)
class Check:
    """What must not be done: `what` of a `kind`, in or outside `globs`, or before `first`."""

    kind: Kind
    what: str
    first: str = ""
    globs: tuple[str, ...] = ()
    outside: bool = False

    def __str__(self) -> str:
        globs = ", ".join(self.globs)
        if self.first:
            act = "edit" if self.kind == "update" else "run"
            return f"{act} {self.first} before {self.what}" + (globs and f" after editing {globs}")
        if self.kind == "write":
            place = "outside" if self.outside else "in"
            return f"never write `{self.what}`" + (globs and f" {place} {globs}")
        if self.kind == "begin":
            return f"begin commits with `{self.what}`"
        if self.kind == "say":
            return f"never say `{self.what}` in a commit"
        return f"never {self.kind} {self.what}"

    @property
    def at_stop(self) -> bool:
        """Whether it is held against the end of a turn, not against a call."""
        return bool(self.first) and self.what == STOPPING

    def is_broken_by(self, call: Call) -> bool:
        """Return whether the call does what must not be done."""
        return _BROKEN_BY[self.kind](self, call)


def parse_check(line: str) -> Check:
    """Return the check that a line says; RecordError names the forms on any other line."""
    text = " ".join(line.split())
    if found := _WRITE.fullmatch(text):
        return Check("write", found["what"], "", _globs(found), found["place"] == "outside")
    if found := _MESSAGE.fullmatch(text):
        return Check("say", found["say"]) if found["say"] else Check("begin", found["begin"])
    if found := _NEVER.fullmatch(text):
        return Check(_KINDS[found["kind"]], found["what"])
    if found := _BEFORE.fullmatch(text):
        kind: Kind = "before" if found["act"] == "run" else "update"
        return Check(kind, found["what"], found["first"], _globs(found))
    raise RecordError(f"{line!r} is not a check; write one of: {_FORMS}")


def _globs(found: "re.Match[str]") -> tuple[str, ...]:
    return tuple(part.strip() for part in (found["globs"] or "").split(",") if part.strip())


def _is(words: Sequence[str], wanted: str) -> bool:
    wanted, _, lacking = wanted.partition(" without ")
    arguments, options = program_and_arguments(words)
    options = {one for option in options for one in _letters(option)}
    if arguments[:2] == ["git", "push"] and any(one.startswith("+") for one in arguments):
        options.add("-f")
    needed, flags = program_and_arguments(wanted.split())
    has = [any(_letters(one) <= options for one in flag.split("|")) for flag in (*flags, lacking)]
    return arguments[: len(needed)] == needed and all(has[:-1]) and not (lacking and has[-1])


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
    if not call.path or not _is_about(check, call.path, _NO_CODE):
        return False
    pattern = _token(check.what)
    return len(pattern.findall(call.text)) > len(pattern.findall(call.before))


def _is_about(check: Check, path: str, others: Sequence[str]) -> bool:
    """Return whether a check is about a path: one in its globs; without any, none of `others`."""
    inside = any(matches_path(path, glob) for glob in check.globs)
    if check.globs and not check.outside:
        return inside
    return not inside and not any(matches_path(path, glob) for glob in others)


def _token(text: str) -> re.Pattern[str]:
    """Return the pattern of a piece of code: no part of a longer name."""
    left = r"(?<![\w.])" if re.match(r"\w", text) else ""
    right = r"(?!\w)" if re.search(r"\w$", text) else "(?!=)" if text[-1:] == "=" else ""
    return re.compile(left + re.escape(text) + right)


def _messages(call: Call) -> Iterator[str]:
    for words in commands_within(call.command, call.tops):
        if program_and_arguments(words)[0][:2] == ["git", "commit"]:
            named = [
                n for n, word in enumerate(words, 1) if re.fullmatch("-[a-z]*m|--message", word)
            ]
            texts = [words[n] for n in named if n < len(words)]
            texts += [one[10:] for one in words if one.startswith("--message=")]
            yield "\n\n".join(texts).strip()


def _say(check: Check, call: Call) -> bool:
    return any(check.what.casefold() in one.casefold() for one in _messages(call))


def _begin(check: Check, call: Call) -> bool:
    """Look at what a message begins with; before a colon there may be a scope, as `fix(api)!:`."""
    wanted = (re.escape(one).removesuffix(":") for one in check.what.split("|"))
    begins = "|".join(one + r"(?:\([^)]*\))?!?:" * (f"{one}:" in check.what) for one in wanted)
    # What a variable holds, or an editor will, is not known.
    known = (one for one in _messages(call) if one and one[0] != "$")
    return any(not re.match(begins, one) for one in known)


def _before(check: Check, call: Call) -> bool:
    passed = _since_change(check, call)
    if passed is None:
        return False
    if check.what == STOPPING:
        return call.ends and not _all_passed(check, passed)
    for words in commands_within(call.command, call.tops, runners=False):
        if _is(words, check.what):
            return not _all_passed(check, passed)
        passed.append(words)  # `make lint && git commit`
    return False


def _since_change(check: Check, call: Call) -> list[list[str]] | None:
    """Return the commands that passed since a file that the check is about was last changed.

    None where none was: at the end of a turn, none in this turn. Documents change nothing for
    tests and linters.
    """
    passed: list[list[str]] = []
    for one in call.earlier:
        if one.path and _is_about(check, one.path, _DOCUMENTS):
            return None if call.ends and one.turn != call.turn else passed
        passed += simple_commands(one.command)
    return None


def _all_passed(check: Check, passed: Sequence[Sequence[str]]) -> bool:
    needed = [one.strip() for one in check.first.split("&&")]
    return all(any(_is(done, one) for done in passed) for one in needed)


def _update(check: Check, call: Call) -> bool:
    edited = any(matches_path(one.path, check.first) for one in call.earlier if one.path)
    return not edited and _before(check, call)


_BROKEN_BY: dict[Kind, Callable[[Check, Call], bool]] = {
    "run": _run, "edit": _edit, "commit": _commit, "write": _write, "say": _say, "begin": _begin,
    "before": _before, "update": _update,
}  # fmt: skip
