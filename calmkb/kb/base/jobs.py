"""Jobs that run while nobody looks: why each failed last is kept until it succeeds."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from calmkb.kb.base.environment import Environment
from calmkb.store.local.notices import note_failure, read_failures
from calmkb.system.programs import is_running

JOBS = {
    "keep": ("keeping sessions", "calmkb agents keep"),
    "vectors": ("making vectors", "calmkb agents keep --vectors"),
    "write": ("writing entries", "calmkb session write"),
}
"""What each job does, and the command that tries it again."""


_KILLED = "it was stopped before its end (process {})"
_PROCESS = re.compile(re.escape(_KILLED).replace(r"\{\}", r"(\d+)") + r"\Z")


@dataclass
class Watched:
    """Why a job failed in part; an idle one did nothing, and neither failed nor succeeded."""

    _environment: Environment
    _job: str
    faults: list[str] = field(default_factory=list)
    idle: bool = False
    earlier: str | None = None
    """What was noted when it began, None before that."""

    def begins(self) -> None:
        """Note that it works from now on: where it is killed, that is what stays."""
        self.earlier = read_failures(self._environment.state, [self._job]).get(self._job, "")
        _note(self._environment, self._job, _KILLED.format(os.getpid()))


@contextmanager
def watched(environment: Environment, job: str) -> Iterator[Watched]:
    """Note why a job failed, what is raised too; or that it succeeded."""
    watch = Watched(environment, job)
    try:
        yield watch
    except Exception as error:
        _note(environment, job, str(error) or type(error).__name__)
        raise
    except BaseException:  # a person ended it
        watch.idle = True
        raise
    finally:
        if watch.idle and watch.earlier is not None:
            note_failure(environment.state, job, watch.earlier)
    if not watch.idle:
        _note(environment, job, "; ".join(watch.faults))


@contextmanager
def failed_start_noted(environment: Environment, job: str) -> Iterator[None]:
    """Note that the process of a job could not be started; it is told of at the next start."""
    try:
        yield
    except OSError as error:
        _note(environment, job, f"it could not be started: {error.strerror or error}")


def forget_failure(environment: Environment, *jobs: str) -> None:
    """Forget why jobs failed that a person switched off."""
    for job in jobs:
        _note(environment, job, "")


def failures(environment: Environment) -> Iterator[tuple[str, str, str]]:
    """Yield of each job that failed last what it does, when and why it failed, and a command."""
    for job, fault in read_failures(environment.state, JOBS).items():
        what, command = JOBS[job]
        if (found := _PROCESS.search(fault)) and is_running(int(found[1])):
            continue
        yield what, fault, command


def failure_words(environment: Environment) -> str:
    """Return in a line which jobs failed last, and what tries each again; "" where none did."""
    return "; ".join(f"{what} failed {why} ({how})" for what, why, how in failures(environment))


def _note(environment: Environment, job: str, fault: str) -> None:
    words = ""
    if fault:
        from calmkb.kb.text import redact_secrets, show_invisible

        words = f"{environment.now():%Y-%m-%d %H:%M}: {show_invisible(redact_secrets(fault))}"
    note_failure(environment.state, job, words)
