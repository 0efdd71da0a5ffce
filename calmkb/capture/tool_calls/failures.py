"""What failed in a session, one sentence for each distinct error, most telling first.

Most failures are the ordinary round of work: write, run, fix. Friction is what a next session
would meet again: a tool or service that is missing, an error that keeps coming back, a command
that worked only after another one, a test that passes when run again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from calmkb.capture.tool_calls.attempts import EDITS, Attempt, shown, tool_name
from calmkb.capture.tool_calls.error_line import find_error_line, is_noise, normalised

_SURROUNDINGS = re.compile(
    r"ECONNREFUSED|ERESOLVE|Unsupported URL"
    r"|[Cc]onnection refused|could not connect|[Cc]annot connect|command not found"
    r"|not installed|No module named|Cannot find module|ModuleNotFound|EADDRINUSE|already in use"
    r"|[Pp]ermission denied|EACCES|denied|timed? ?out|ERR_PNPM|lock ?file|[Uu]nsupported engine"
    r"|relation .* does not exist|no such table|UndefinedTable|migrat|[Dd]ocker daemon|rate limit"
    r"|[Uu]nauthorized|[Ff]orbidden|\b40[13]\b|no space left|out of memory|heap|pre-?commit|hook"
    r"|already used by worktree|protected branch|non-fast-forward|failed to push|not running"
    r"|environment variable|must be set|is not set|[Mm]issing (?:required )?(?:env|script|key"
    r"|secret)"
    r"|ignored by one of your|certificate|ENOSPC|ENOTFOUND|resolve host|Session info not available"
)
_REACH = 14
"""How many calls after a failure the one that worked is looked for."""


@dataclass(slots=True)
class _Group:
    line: str
    first: Attempt
    count: int = 0
    remedy: str = ""
    fixed: bool = False
    commands: set[str] = field(default_factory=set)

    @property
    def rank(self) -> int:
        """Order by use to the next session: a known remedy, then the surroundings, then returns."""
        if self.remedy:
            return 0
        if _SURROUNDINGS.search(self.line) and not self.fixed:
            return 1
        return 2 if self.count > 1 else 3


def failure_points(done: Sequence[Attempt]) -> list[str]:
    """Return one sentence for each error worth telling, most telling first."""
    groups = [group for group in _groups(done).values() if group.rank < 3]
    groups.sort(key=lambda group: (group.rank, -group.count, group.first.place))
    return [_sentence(group) for group in groups]


def _groups(done: Sequence[Attempt]) -> dict[str, _Group]:
    groups: dict[str, _Group] = {}
    for number, attempt in enumerate(done):
        if not _counts(attempt):
            continue
        line = find_error_line(attempt.output)
        if not line or (attempt.is_shell and attempt.only_looks):
            continue
        key = f"{attempt.tool} {normalised(line)}"
        group = groups.setdefault(key, _Group(line, attempt))
        group.count += 1
        group.commands.add(attempt.command)
        if attempt.is_shell and not group.remedy:
            later = done[number + 1 :]
            group.remedy = _remedy(attempt, later)
            group.fixed = _fixed_by_an_edit(attempt, later)
            if group.remedy:
                group.first = attempt
    return groups


def _counts(attempt: Attempt) -> bool:
    return attempt.failed and attempt.kind == "result" and not is_noise(attempt.output)


def _remedy(failed: Attempt, later: Sequence[Attempt]) -> str:
    """Tell what made the same command work, where nothing else was changed in between."""
    between: list[str] = []
    for attempt in later[:_REACH]:
        if attempt.tool in EDITS and not attempt.failed:
            return ""
        if not attempt.is_shell or attempt.is_sidechain != failed.is_sidechain:
            continue
        if attempt.failed:
            continue
        if attempt.command == failed.command:
            return _after(between)
        if prefix := _prefix(failed.command, attempt.command):
            return _after([*between, prefix])
        if _same_but_for_the_runner(failed.command, attempt.command):
            return f"{shown(attempt.command)} worked"
        if not attempt.only_looks:
            between.append(attempt.command)
    return ""


def remedy_of(done: Sequence[Attempt], place: int) -> str:
    """Tell what made the attempt at `place` work later, where it can be read off; else nothing."""
    return _remedy(done[place], done[place + 1 :]) if done[place].is_shell else ""


def _fixed_by_an_edit(failed: Attempt, later: Sequence[Attempt]) -> bool:
    """Tell an error of the work itself: the same command passed once files had been changed."""
    edited = False
    for attempt in later:
        edited = edited or (attempt.tool in EDITS and not attempt.failed)
        if attempt.is_shell and not attempt.failed and attempt.command == failed.command:
            return edited
    return False


def _after(between: list[str]) -> str:
    if not between:
        return "it passed when run again unchanged"
    # With many steps in between nobody can say which one helped.
    return f"it worked after {' and '.join(map(shown, between))}" if len(between) <= 2 else ""


def _prefix(failed: str, worked: str) -> str:
    """Return X where the command that worked is `X && failed`."""
    for joint in ("&&", ";"):
        if worked.endswith(failed) and (head := worked.removesuffix(failed).rstrip()).endswith(
            joint
        ):
            return head.removesuffix(joint).strip()
    return ""


def _same_but_for_the_runner(failed: str, worked: str) -> bool:
    """Tell `npm run test` from `pnpm test`: other program, same task."""
    old, new = (
        [word for word in command.split() if word not in ("run", "--")]
        for command in (failed, worked)
    )
    return len(old) > 1 and len(new) > 1 and old[0] != new[0] and old[1:] == new[1:]


def _sentence(group: _Group) -> str:
    first = group.first
    what = shown(first.command) if first.is_shell and first.command else tool_name(first.tool)
    times = f" ({group.count} times)" if group.count > 1 else ""
    if others := len(group.commands) - 1:
        what = f"{what} and {others} other {'command' if others == 1 else 'commands'}"
    # The sentence has a full stop of its own.
    line = group.line.rstrip(".;:")
    remedy = f"; {group.remedy}" if group.remedy else ""
    end = "" if not remedy and line.endswith(("?", "!", "…")) else "."
    return f"{what or 'A tool'} failed{times}: {line}{remedy}{end}"
