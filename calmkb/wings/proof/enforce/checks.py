"""The kinds of check, each one readable line, and whether a call breaks one."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from calmkb.errors import RecordError
from calmkb.recall import matches_path  # there, since that script imports nothing of calmkb
from calmkb.wings.proof.shell_lines import commands_within, program_and_arguments, whole_options

STOPPING = "stopping"
Kind = Literal["write", "name", "reason", "say", "begin", "run", "edit", "commit", "before"]
_LINES: dict[Kind, str] = {
    "write": "never write `WHAT`",  # text that a file gets and did not have, in or outside globs
    "name": "never name a variable `WHAT`",
    "reason": "give a reason after `WHAT`",  # on its line, such as `//nolint:dupl`
    "say": "never say `WHAT` in a commit",  # the text of a message, in `git commit -m`
    "begin": "begin commits with `WHAT`",  # such as `feat:|fix:`
    "run": "never run WHAT",  # a command: program, arguments, options; or without an option
    "edit": "never edit WHAT",  # a file, by a tool of the agent
    "commit": "never commit WHAT",  # a file, by `git add` or in a commit
    "before": "run FIRST before WHAT",  # or stopping, where files changed since it last passed
}
_PLACES = {"write": "in|outside", "before": "after editing"}
_DOCUMENTS = ("*.md", "*.mdx", "*.rst", "*.txt", "*.adoc")
_NO_CODE = (*_DOCUMENTS, *"*.json *.jsonl *.toml *.yaml *.yml *.ini *.cfg *.lock *ignore".split())
_MESSAGE = re.compile(r"-[a-z]*m|--message")
_STAGING = ("add", "commit", "stage")


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


@dataclass(frozen=True, slots=True)
class Check:
    """What must not be done: `what` of a `kind`, or before `first` has passed.

    `globs` are the files that it is about; `place` is "outside" where it is about all others.
    """

    kind: Kind
    what: str
    first: str = ""
    globs: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        line = _LINES[self.kind].replace("WHAT", self.what).replace("FIRST", self.first)
        place = self.place or _PLACES.get(self.kind, "").partition("|")[0]
        return f"{line} {place} {', '.join(self.globs)}" if self.globs else line

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
    for kind, form in _LINES.items():
        what = r"(?P<what>[^`]+)" if "`" in form else r"(?P<what>\S.*?)"
        pattern = form.replace("WHAT", what).replace("FIRST", r"(?P<first>\S.*)")
        pattern += rf"(?: (?P<place>{_PLACES.get(kind, '')}) (?P<globs>\S.*))?"
        if found := re.fullmatch(pattern, text):
            parts = found.groupdict(default="")
            globs = tuple(one.strip() for one in parts["globs"].split(",") if one.strip())
            place = parts["place"] if parts["place"] == "outside" else ""
            return Check(kind, parts["what"], parts.get("first", ""), globs, place)
    forms = ", ".join(_LINES.values())
    raise RecordError(f"{line!r} is not a check; write one of: {forms}")


def _is(words: Sequence[str], wanted: str) -> bool:
    wanted, _, lacking = wanted.partition(" without ")
    arguments, named = program_and_arguments(words)
    if arguments[:2] == ["git", "push"] and any(one.startswith("+") for one in arguments):
        named.add("-f")
    options = whole_options(arguments, named)
    needed, flags = program_and_arguments(wanted.split())
    has = [any(whole_options(arguments, [one]) <= options for one in flag.split("|"))
           for flag in (*flags, lacking)]  # fmt: skip
    same = arguments[: len(needed)] == needed
    if arguments[0] == "make":  # takes its targets in any order
        same = needed[:1] == ["make"] and {*needed} <= {*arguments}
    return same and all(has[:-1]) and not (lacking and has[-1])


@lru_cache(maxsize=4096)
def _commands(
    line: str, tops: tuple[str, ...], *, runners: bool = True
) -> tuple[Sequence[str], ...]:
    """Return the commands of a line, read once for all checks of a trial."""
    return tuple(commands_within(line, tops, runners=runners))


def _run(check: Check, call: Call) -> bool:
    return any(_is(words, check.what) for words in _commands(call.command, call.tops))


def _edit(check: Check, call: Call) -> bool:
    return bool(call.path) and matches_path(call.path, check.what)


def _commit(check: Check, call: Call) -> bool:
    if call.committed:
        return matches_path(call.path, check.what)
    named = _named(_commands(call.command, call.tops), _STAGING)
    return any(matches_path(one, check.what) for one in named)


def _named(commands: Iterable[Sequence[str]], verbs: Sequence[str]) -> list[str]:
    """Return what commands of git name after some verbs."""
    every = (program_and_arguments(words)[0] for words in commands)
    asked = (one for one in every if one[:1] == ["git"] and {*one[1:2]} & {*verbs})
    return [name.removeprefix("./") for one in asked for name in one[2:] or ["."]]


def _write(check: Check, call: Call) -> bool:
    if not call.path or not _is_about(check, call.path, _NO_CODE):
        return False
    pattern = _code(check.kind, check.what)
    return len(pattern.findall(call.text)) > len(pattern.findall(call.before))


def _is_about(check: Check, path: str, others: Sequence[str]) -> bool:
    """Return whether a check is about a path: one in its globs; without any, none of `others`."""
    inside = any(matches_path(path, glob) for glob in check.globs)
    if check.globs and check.place != "outside":
        return inside
    return not inside and not any(matches_path(path, glob) for glob in others)


def _code(kind: Kind, text: str) -> re.Pattern[str]:
    """Return the pattern of a piece of code, no part of a longer name; its tries are bounded."""
    left = r"(?<![\w.])" if re.match(r"\w", text) else ""
    right = r"(?!\w)" if re.search(r"\w$", text) else "(?!=)" if text[-1:] == "=" else ""
    pattern = left + re.escape(text) + right
    if kind == "name":
        alone = rf"^[ \t]*(?:\w+, ?){{0,9}}{pattern}(?:, ?\w+){{0,9}} ?:?=(?!=)"
        pattern = rf"\b(?:let|const|var|val) {pattern}|{alone}"
    elif kind == "reason":
        pattern += r"(?![^\n]{0,200}?[ \t][^\w\n]{0,20}\w{3})"
    return re.compile(pattern, re.MULTILINE)


def _messages(call: Call) -> Iterator[str]:
    for words in _commands(call.command, call.tops):
        if program_and_arguments(words)[0][:2] == ["git", "commit"]:
            said = [words[n] for n, word in enumerate(words[:-1], 1) if _MESSAGE.fullmatch(word)]
            said += [one.partition("=")[2] for one in words if one.startswith("--message=")]
            yield "\n\n".join(said).strip()


def _say(check: Check, call: Call) -> bool:
    return any(check.what.casefold() in one.casefold() for one in _messages(call))


def _begin(check: Check, call: Call) -> bool:
    """Whether a message that is known begins otherwise; `feat:` may have a scope: `feat(api)!:`."""
    wanted = "|".join(map(re.escape, check.what.split("|"))).replace(":", r"(?:\([^)]*\))?!?:")
    return any(not re.match(rf"\$|$|{wanted}", one) for one in _messages(call))


def _before(check: Check, call: Call) -> bool:
    passed = _since_change(check, call)
    if passed is None:
        return False
    if check.what == STOPPING:
        return call.ends and not _all_passed(check, passed)
    commands = _commands(call.command, call.tops, runners=False)
    if check.what == "git commit" and _stages_documents(check, commands, passed):
        return False
    for words in commands:
        if _is(words, check.what):
            return not _all_passed(check, passed)
        passed.append(words)  # `make lint && git commit`
    return False


def _stages_documents(
    check: Check, commands: Sequence[Sequence[str]], passed: Sequence[Sequence[str]]
) -> bool:
    """Whether all that was staged by name since the last commit is documents."""
    since = takewhile(lambda words: not _is(words, "git commit"), passed)
    staged = _named((*since, *commands), ("add", "stage"))
    if not staged or any(_is(words, "git commit -a|--all") for words in commands):
        return False
    return not any(_is_about(check, one, _DOCUMENTS) for one in staged)


def _since_change(check: Check, call: Call) -> list[Sequence[str]] | None:
    """Return what passed since a file that the check is about was last changed, newest first.

    None where none was: at the end of a turn, none in this turn. Documents change nothing for
    tests and linters, and at the end of a turn settings do not either.
    """
    passed: list[Sequence[str]] = []
    one = call.previous
    others = _NO_CODE if call.ends else _DOCUMENTS
    while one and not (one.path and _is_about(check, one.path, others)):
        passed += reversed(_commands(one.command, (), runners=False))
        one = one.previous
    return None if one is None or (call.ends and one.turn != call.turn) else passed


def _all_passed(check: Check, passed: Sequence[Sequence[str]]) -> bool:
    needed = [one.strip() for one in check.first.split("&&")]
    return all(any(_is(done, one) for done in passed) for one in needed)


_BROKEN_BY: dict[Kind, Callable[[Check, Call], bool]] = {
    "run": _run, "edit": _edit, "commit": _commit, "write": _write, "say": _say, "begin": _begin,
    "before": _before, "name": _write, "reason": _write,
}  # fmt: skip
