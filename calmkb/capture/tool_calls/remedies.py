"""How a failure ended: what made the very same command pass, and whether one can know it.

That something worked later proves little: time may have passed, a network come back, a person have
helped. A remedy is reported only where one step alone lay between, and bears on the error.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from calmkb.capture.tool_calls import commands
from calmkb.capture.tool_calls.attempts import Attempt, shown
from calmkb.capture.tool_calls.commands import LIMIT, same_but_for_the_runner

State = Literal["open", "unclear", "edited", "remedied"]
"""How a failure ended: it was never seen to pass; it may have; it passed after edits, or after one
step that helped."""
_DELEGATES = frozenset({"Task", "Agent"})
# Lines and services far away come back by themselves.
_PASSING = re.compile(
    r"getaddrinfo|ENOTFOUND|EAI_AGAIN|resolve host|name resolution|[Nn]etwork|ETIMEDOUT|timed? ?out"
    r"|ECONNRESET|rate limit|\b(?:429|50[0234])\b|[Tt]oo [Mm]any [Rr]equests|[Tt]emporar|TLS|SSL"
    r"|index\.lock|database is locked|[Cc]onnection (?:reset|closed)|unreachable"
)
# Steps that provide what a command needs, and the errors of what is missing.
_PROVIDES = re.compile(
    r"\b(?:i|install|ci|add|sync|get|restore|download|tidy|trust|login|up|start|generate|migrate"
    r"|upgrade|setup|init|bootstrap|build|use|create|createdb|mkdir|mod|link|enable|fetch)\b"
)
_MISSING = re.compile(
    r"ECONNREFUSED|[Cc]onnection refused|[Cc]ould not connect|[Cc]annot connect|not running"
    r"|command not found|not installed|No module named|[Cc]annot find|ModuleNotFound|not found"
    r"|does not exist|[Nn]o such|[Uu]nauthorized|authenticat|not logged|not trusted|out of date"
    r"|needed|[Mm]issing|lock ?file|EADDRINUSE|already in use|not initiali[sz]ed|is not set"
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a failure ended, and the words for what helped, where that is known."""

    state: State
    remedy: str = ""
    files: tuple[str, ...] = ()


def ending_of(done: Sequence[Attempt], place: int, error: str) -> Ending:
    """Return how the failed shell command at `place` ended; `error` is the line that says why."""
    failed = done[place]
    between: list[Attempt] = []
    edits: dict[str, None] = {}
    changed = alike = False
    for later in done[place + 1 :]:
        if later.is_edit or later.tool in _DELEGATES:
            changed = True
            edits.update(dict.fromkeys(later.files))
        elif not later.is_shell or later.is_sidechain != failed.is_sidechain:
            continue
        elif later.failed:
            if later.task == failed.task:
                # Another error: this one is gone, and what came of the command is its story.
                return Ending("edited" if changed else "unclear")
        elif later.kind == "result":
            if (how := _how_passed(failed, later)) is not None:
                if changed:
                    otherwise = any(
                        _is_hinted(step, failed) or commands.changes_files(step.task)
                        for step in between
                    )
                    return Ending("edited", files=() if otherwise else tuple(edits))
                return _cause(failed, later, between, how, error)
            alike = alike or commands.program(later.task) == commands.program(failed.task)
            if not later.only_looks or re.match(r"(?:cd|pushd|popd)\b", later.task):
                between.append(later)
    return Ending("unclear" if alike else "open")


def _how_passed(failed: Attempt, later: Attempt) -> str | None:
    """Return what was put before the command that passed, None where it is another command."""
    if later.task == failed.task:
        return ""
    for joint in ("&&", ";"):
        head = later.task.removesuffix(failed.task).rstrip()
        if head != later.task and head.endswith(joint):
            return head.removesuffix(joint).strip()
    if same_but_for_the_runner(failed.task.split(), later.task.split()):
        return later.task
    return None


def _cause(
    failed: Attempt, later: Attempt, between: Sequence[Attempt], how: str, error: str
) -> Ending:
    if any(commands.UNSAFE.search(one.task) for one in (*between, later)):
        return Ending("unclear")
    # What a person did or said in between may have helped as well, and so may time.
    alone, by_itself = later.prompt == failed.prompt, _PASSING.search(error) is not None
    taken = [*between, *([later] if how and how != later.task else [])]
    if how == later.task:
        clear = alone and not by_itself and not taken and _can_be_shown(later)
        return _remedied(f"{shown(later.command)} worked" if clear else "")
    if len(taken) != 1 or by_itself:
        return Ending("unclear")
    if how:
        clear = alone and _is_remedy(later, how, failed)
        return _remedied(f"{shown(later.command)} worked" if clear else "")
    (step,) = taken
    clear = _provides(step, failed, error) and _can_be_shown(step)
    return _remedied(f"it worked after {shown(step.command)}" if clear else "")


def _remedied(words: str) -> Ending:
    return Ending("remedied", words) if words else Ending("unclear")


def _is_remedy(later: Attempt, how: str, failed: Attempt) -> bool:
    """Return whether what was put before the same command is what helped."""
    is_other = later.command != failed.command
    return is_other and not _other_files(how, failed) and _can_be_shown(later)


def _can_be_shown(attempt: Attempt) -> bool:
    return 0 < len(attempt.command) <= LIMIT and "`" not in attempt.command


def _provides(step: Attempt, failed: Attempt, error: str) -> bool:
    """Return whether the failed command itself asks for a step, or it provides what is missing."""
    if _is_hinted(step, failed):
        return True
    return bool(
        _PROVIDES.search(step.task)
        and _MISSING.search(error)
        and not commands.changes_files(step.task)
    )


def _other_files(step: str, failed: Attempt) -> bool:
    """Tell a step after which the same command works on other files; git's own are its work."""
    of_git = commands.program(step).startswith("git") and commands.program(failed.task).startswith(
        "git"
    )
    return commands.changes_files(step) and not of_git


def _is_hinted(step: Attempt, failed: Attempt) -> bool:
    """Tell a step that the failed command's own output names: `run go mod tidy`."""
    name = commands.program(step.task)
    return " " in name and name in " ".join(failed.output.split())
