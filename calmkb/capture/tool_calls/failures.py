"""What failed in a session, one sentence for each distinct error, most telling first.

Most failures are the ordinary round of work: write, run, fix. Friction is what a next session
would meet again: a tool or service that is missing, an error that keeps coming back, a command
that worked only after another one, and what was left failing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.capture.formats.cleaning import clip
from calmkb.capture.tool_calls.attempts import Attempt, shown, tool_name
from calmkb.capture.tool_calls.commands import without_folders
from calmkb.capture.tool_calls.error_line import find_error_line, normalised
from calmkb.capture.tool_calls.remedies import Ending, ending_of
from calmkb.model.sessions.said import FAILED, FIXED

_SURROUNDINGS = re.compile(
    r"ECONNREFUSED|ERESOLVE|Unsupported URL"
    r"|[Cc]onnection refused|could not connect|[Cc]annot connect|command not found"
    r"|not installed|No module named|Cannot find module|ModuleNotFound|EADDRINUSE|already in use"
    r"|[Pp]ermission denied|EACCES|denied|timed? ?out|ERR_PNPM|lock ?file|[Uu]nsupported engine"
    r"|relation .* does not exist|no such table|UndefinedTable|migrat|[Dd]ocker daemon|rate limit"
    r"|[Uu]nauthorized|[Ff]orbidden|\b40[13]\b|no space left|out of memory|heap|pre-?commit|hook"
    r"|already used by worktree|protected branch|non-fast-forward|failed to push|not running"
    r"|environment variable|must be set|is not set|[Mm]issing (?:required )?(?:env|script|key"
    r"|secret)|cannot find main module|updates to go\.mod|unknown (?:flag|option|command)"
    r"|GH0\d\d|not trusted"
    r"|ignored by one of your|certificate|ENOSPC|ENOTFOUND|resolve host|Session info not available"
)
# What a compiler says in the middle of a change: the next edit was on its way.
_SLIP = re.compile(
    r"\bundefined\b|(?:imported|declared) and not used|declared but|unused (?:import|variable)"
    r"|is not defined|has no attribute|cannot find symbol|redeclared|cannot use\b|not enough arg"
    r"|too many arg|:\d+:.*syntax error|SyntaxError|expected '|unexpected token|unresolved|TS\d{4}"
    r"|could not import|has no (?:field|member)|does not implement|mismatched types|assignment mis"
    r"|\[(?:build|setup) failed\]|CONFLICT|could not apply"
    r"|unknown field|F401|F821|missing return|no tests to run"
    r"|directory not found|typecheck"
)
# What is said where there is nothing to see: the call was sent to the wrong place.
_LOOKED = re.compile(
    r"(?:ls|cat|head|tail|e?grep|rg|find|stat|wc|file|diff|sed|awk|du|tree): |fatal: ambiguous arg"
    r"|fatal: path(?:spec)? '|FAIL \S+ \[setup failed\]"
)
_ERROR_FILE = re.compile(r"([\w.-]+\.\w{1,5})(?=:\d|\(\d)")
_ERROR_AT_LEAST = 40
_REPEATED = 3
_ORDINARY = 3  # the most failures of ordinary work that are reported


@dataclass(frozen=True, slots=True)
class Failure:
    """One error: the command that met it most, in how many calls, and how that ended."""

    first: Attempt
    last: Attempt
    error: str
    count: int
    total: int
    ending: Ending

    @property
    def rank(self) -> int:
        """Order by use to the next session: what helped, what is still broken, what returned."""
        if self.ending.remedy:
            return 0
        edited = self.ending.state == "edited"
        if _SLIP.search(self.error):
            return 4 if self.total < _REPEATED or edited else 3
        if _SURROUNDINGS.search(self.error) and not edited:
            return 1
        if self.ending.state == "open" and self.first.is_shell:
            return 2
        return 3 if self.total > 1 or self.first.is_shell else 4

    @property
    def is_signal(self) -> bool:
        """Whether it may teach by itself: it came back, or one step resolved it."""
        if self.ending.state == "remedied":
            return True
        # What the surroundings lack, every command meets.
        return self.rank < 3 and (self.total if self.rank == 1 else self.count) > 1


def failures(done: Sequence[Attempt]) -> list[Failure]:
    """Return each error of the session once, in the order in which it was first met."""
    groups: dict[str, list[int]] = {}
    lines: dict[int, str] = {}
    for place, attempt in enumerate(done):
        if error := error_of(attempt):
            lines[place] = error
            groups.setdefault(f"{attempt.tool} {normalised(error)}", []).append(place)
    return [_failure(done, places, lines) for places in groups.values()]


def error_of(attempt: Attempt) -> str:
    """Return the line that says why a call failed; "" where it did not, or was meant to."""
    if not attempt.failed or not attempt.ran or attempt.expected:
        return ""
    if attempt.is_shell and attempt.only_looks:
        return ""
    line = find_error_line(attempt.output)
    return "" if _LOOKED.match(line) else without_folders(line, attempt.root, prose=True)


def failure_points(done: Sequence[Attempt]) -> dict[str, str]:
    """Return a sentence for each error worth telling, with its kind, most telling first."""
    serious = [failure for failure in failures(done) if failure.rank < 4]
    serious.sort(key=lambda one: (one.rank, -one.total, one.first.place))
    ordinary = [one for one in serious if one.rank == 3][_ORDINARY:]
    return {
        sentence(one): FIXED if one.ending.remedy else FAILED
        for one in serious
        if one not in ordinary
    }


def sentence(failure: Failure) -> str:
    """Return the failure as an entry tells it: a sentence with a full stop of its own."""
    text = statement(failure, f" ({failure.count} times)")
    return text if text.endswith(("?", "!", "…")) else f"{text}."


def statement(failure: Failure, times: str = "", *, limit: int = 0) -> str:
    """Return what failed, why, and what helped, as a signal tells it.

    With a `limit` the error is cut to keep to it, never a command; "" where that is not enough.
    """
    times = (times or f" {failure.count} times") if failure.count > 1 else ""
    more = failure.ending.remedy or _edited(failure)
    error = failure.error.rstrip(".;:")
    start, end = f"{named(failure.first)} failed{times}: ", f"; {more}" if more else ""
    if limit:
        room = limit - len(start) - len(end)
        if room < min(_ERROR_AT_LEAST, len(error)):
            return ""
        error = clip(error, room)
    return f"{start[:1].upper()}{start[1:]}{error}{end}"


def named(attempt: Attempt) -> str:
    """Return what was called: the command whole, or the name of the tool."""
    if not attempt.is_shell:
        return tool_name(attempt.tool) or "A tool"
    return shown(attempt.command, attempt.task)


def _edited(failure: Failure) -> str:
    """Say what was edited before the command passed, unless the error is about another file."""
    names = list(dict.fromkeys(re.split(r"[/\\]", name)[-1] for name in failure.ending.files))
    about = _ERROR_FILE.findall(failure.error)
    meant = [name for name in names if name in about]
    if not names or (about and not meant and not any("test" in name for name in about)):
        return ""
    if len(names) <= 2:
        return f"it passed after edits to {' and '.join(names)}"
    more = f"{meant[0]} and {len(names) - 1} other files" if meant else f"{len(names)} files"
    return f"it passed after edits to {more}"


def _failure(done: Sequence[Attempt], places: list[int], lines: dict[int, str]) -> Failure:
    """Count the calls of the one command that met the error most, and no other's."""
    calls: dict[str, list[int]] = {}
    for place in places:
        calls.setdefault(done[place].task, []).append(place)
    endings = {task: _ending(done, mine[-1], lines) for task, mine in calls.items()}
    task = max(calls, key=lambda one: (bool(endings[one].remedy), len(calls[one])))
    mine = calls[task]
    first = done[mine[0]]
    return Failure(first, done[mine[-1]], lines[mine[0]], len(mine), len(places), endings[task])


def _ending(done: Sequence[Attempt], place: int, lines: dict[int, str]) -> Ending:
    return ending_of(done, place, lines[place]) if done[place].is_shell else Ending("unclear")
