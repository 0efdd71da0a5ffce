"""The one door to git: a clean environment, no hooks, no fsmonitor, options before paths."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import StoreError

_KEPT = {
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
}
_SAFE_OPTIONS = (
    f"core.hooksPath={os.devnull}",  # a knowledge base's hooks are not ours to run
    "core.fsmonitor=false",  # a repository can name a program here
    "maintenance.auto=false",
    "gc.auto=0",
)
FALLBACK_NAME = "calmkb"
FALLBACK_EMAIL = "calmkb@localhost"


class GitFailedError(StoreError):
    """Git exited with an error; `stderr` holds its words."""

    def __init__(self, message: str, stderr: str) -> None:
        super().__init__(message)
        self.stderr = stderr


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `environ` without what ties git to another repository, index or date.

    calmkb runs inside other tools' hooks, where GIT_DIR and GIT_INDEX_FILE point elsewhere.
    """
    kept = {k: v for k, v in environ.items() if not k.startswith("GIT_") or k in _KEPT}
    return kept | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def run_git(args: Sequence[str], *, cwd: Path, data: bytes = b"") -> bytes:
    """Return what `git ARGS` prints; raise GitFailedError where it exits with an error."""
    options = [part for option in _SAFE_OPTIONS for part in ("-c", option)]
    try:
        done = subprocess.run(
            ["git", *options, *args],
            cwd=cwd,
            input=data,
            capture_output=True,
            env=clean_environment(os.environ),
            check=False,
        )
    except FileNotFoundError:
        if not cwd.is_dir():
            raise StoreError(f"{cwd} is not a folder") from None
        raise StoreError("git is not on PATH; install git 2.30 or newer") from None
    if done.returncode:
        stderr = done.stderr.decode(errors="replace").strip()
        raise GitFailedError(f"git {args[0]} failed in {cwd}: {stderr}", stderr)
    return done.stdout


def ask_git(args: Sequence[str], *, cwd: Path) -> str | None:
    """Return the one value that `git ARGS` prints, or None where git says there is none."""
    try:
        return run_git(args, cwd=cwd).decode(errors="surrogateescape").rstrip("\n")
    except GitFailedError:
        return None


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree and its git directory (a linked worktree has one of its own)."""

    top: Path
    git_dir: Path

    def branch(self) -> str:
        """Return the full name of the checked-out branch, born or not.

        Raises StoreError on a detached HEAD: a commit there would belong to no branch.
        """
        name = ask_git(["symbolic-ref", "-q", "HEAD"], cwd=self.top)
        if name is None:
            raise StoreError(
                f"HEAD of {self.top} is detached (a rebase, a bisect or a tag checked out?); "
                "finish it or check out a branch, then try again"
            )
        return name

    def tip(self, branch: str) -> str | None:
        """Return the commit that `branch` points at, or None before the first commit."""
        return ask_git(["rev-parse", "-q", "--verify", f"{branch}^{{commit}}"], cwd=self.top)

    def identity(self) -> tuple[str, str]:
        """Return (name, email) for commits; what git does not know gets a neutral stand-in."""
        lines = ask_git(["config", "--get-regexp", r"^user\.(name|email)$"], cwd=self.top) or ""
        known = dict(line.partition(" ")[::2] for line in lines.split("\n"))
        name = os.environ.get("GIT_AUTHOR_NAME") or known.get("user.name")
        email = os.environ.get("GIT_AUTHOR_EMAIL") or known.get("user.email")
        return name or FALLBACK_NAME, email or FALLBACK_EMAIL


def find_repository(folder: Path) -> Repository | None:
    """Return the repository whose work tree holds `folder`, or None."""
    try:
        found = run_git(["rev-parse", "--show-toplevel", "--absolute-git-dir"], cwd=folder)
    except GitFailedError as error:
        if "dubious ownership" in error.stderr:
            raise
        return None
    top, git_dir = found.decode(errors="surrogateescape").split("\n")[:2]
    return Repository(Path(top), Path(git_dir))


def create_repository(folder: Path) -> Repository:
    """Make `folder` a repository of its own, its first branch called main."""
    run_git(["init", "-q", "-b", "main"], cwd=folder)
    repository = find_repository(folder)
    if repository is None:
        raise StoreError(f"git init in {folder} left no repository; is the disk writable?")
    return repository
