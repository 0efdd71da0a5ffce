"""The one door to git: a clean environment, no hooks, no fsmonitor, options before paths."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.system.programs import find_program, safe_path

if TYPE_CHECKING:
    import subprocess

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
SAFE_OPTIONS = (
    f"core.hooksPath={os.devnull}",  # a knowledge base's hooks are not ours to run
    "core.fsmonitor=false",  # a repository can name a program here
    "log.showSignature=false",  # and here one that looks at signatures
    "push.gpgSign=false",
    "submodule.recurse=false",  # a submodule's settings are one more repository's
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "maintenance.auto=false",
    "gc.auto=0",
)


class GitFailedError(StoreError):
    """Git exited with an error; `stderr` holds its words."""

    def __init__(self, message: str, stderr: str) -> None:
        super().__init__(message)
        self.stderr = stderr


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `environ` without what ties git to another repository, index, date or folder.

    calmkb runs inside other tools' hooks, where GIT_DIR and GIT_INDEX_FILE point elsewhere.
    """
    kept = {k: v for k, v in environ.items() if not k.startswith("GIT_") or k in _KEPT}
    kept["PATH"] = safe_path(environ.get("PATH", os.defpath))  # for what git starts in its turn
    return kept | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def git_program() -> str:
    """Return the full path of git; StoreError where it is not on PATH."""
    found = _git_on(os.environ.get("PATH"))
    if found is None:
        raise StoreError("git is not on PATH; install git 2.30 or newer")
    return found


@lru_cache(maxsize=4)
def _git_on(path: str | None) -> str | None:
    return find_program("git", path)


def start_git(
    args: Sequence[str],
    *,
    cwd: Path,
    index: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Return the running `git ARGS`, its streams open; raise StoreError where it cannot start.

    `index` is read and written in place of the work tree's own; `env` comes on top of the rest.
    """
    import subprocess  # five milliseconds, and most reading commands start no git

    whole = clean_environment(os.environ) | ({"GIT_INDEX_FILE": str(index)} if index else {})
    options = [part for option in SAFE_OPTIONS for part in ("-c", option)]
    try:
        return subprocess.Popen(
            [git_program(), *options, *args],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=whole | dict(env or {}),
        )
    except FileNotFoundError:
        raise StoreError(f"{cwd} is not a folder") from None
    except OSError as error:
        raise StoreError(f"cannot run git in {cwd}: {error.strerror or error}") from error


def run_git(
    args: Sequence[str],
    *,
    cwd: Path,
    data: bytes = b"",
    index: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> bytes:
    """Return what `git ARGS` prints; raise GitFailedError where it exits with an error."""
    with start_git(args, cwd=cwd, index=index, env=env) as process:
        output, errors = process.communicate(data)
    if process.returncode:
        raise git_failed(args, cwd, process.returncode, errors)
    return output


def git_failed(args: Sequence[str], cwd: Path, code: int, errors: bytes) -> GitFailedError:
    """Return the error for a git that exited with `code`, below 0 for a signal."""
    stderr = errors.decode(errors="replace").strip()
    command = next((arg for arg in args if not arg.startswith("-") and "=" not in arg), args[0])
    words = stderr or (f"ended by signal {-code}" if code < 0 else f"exit code {code}")
    return GitFailedError(f"git {command} failed in {cwd}: {words}", stderr)


def ask_git(args: Sequence[str], *, cwd: Path, index: Path | None = None) -> str | None:
    """Return the one value that `git ARGS` prints, or None where git says there is none."""
    try:
        return run_git(args, cwd=cwd, index=index).decode(errors="surrogateescape").rstrip("\n")
    except GitFailedError:
        return None
