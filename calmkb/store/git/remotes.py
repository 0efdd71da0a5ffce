"""Fetches and pushes through GitPython: progress as it happens, results, and why one failed."""

from collections.abc import Callable
from typing import Any

from calmkb.errors import GitFailedError
from calmkb.store.git.repository import Repository
from calmkb.store.git.run import Git, gitpython

Report = Callable[[str, int, int], None]
"""Called with a step, how much is done and of how much."""


class _Progress(gitpython.RemoteProgress):
    """Reports how far git is, and keeps what else it says."""

    def __init__(self, step: str, report: Report | None) -> None:
        super().__init__()
        self._step, self._report = step, report

    def update(self, _: int, done: Any, total: Any = None, message: str = "") -> None:
        """Take one line of git's progress."""
        if self._report:
            self._report(self._step, int(done or 0), int(total or 0))

    @property
    def words(self) -> str:
        """All that was no progress."""
        return "\n".join([*self.other_lines, *self.error_lines]).strip()


def fetch(git: Git, remote: str, *specs: str, report: Report | None = None) -> None:
    """Fetch `specs` and nothing else; GitFailedError where the remote cannot be reached.

    Not `Remote.fetch`: it reads its results from FETCH_HEAD, which is a person's, and looks each
    branch that moved up among the objects, which fails on SHA-256. The refs tell what came.
    """
    git.check_unsafe_protocols(remote)
    progress = _Progress("Pulling", report)
    shown = ("--progress",) if report else ()
    process = git.fetch(
        "-q", *shown, "--no-tags", "--no-write-fetch-head", "--", remote, *specs,
        as_process=True, universal_newlines=True,
    )  # fmt: skip
    gitpython.cmd.handle_process_output(
        process, None, progress.new_message_handler(), decode_streams=False
    )
    process.wait(progress.words)


def push(repository: Repository, remote: str, spec: str, report: Report | None = None) -> str:
    """Push one ref; return why the remote refused it, or "".

    Raises GitFailedError where the remote cannot be reached.
    """
    progress = _Progress("Pushing", report)
    try:
        done = gitpython.Remote(repository.repo, remote).push(spec, progress=progress)
    except GitFailedError as error:
        raise GitFailedError(f"{error}\n{progress.words}", progress.words) from error
    refused = [info.summary.strip() for info in done if info.flags & gitpython.PushInfo.ERROR]
    return "\n".join([*refused, progress.words]).strip() if refused else ""
