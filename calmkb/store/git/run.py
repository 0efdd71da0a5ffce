"""The one door to git: every process is started by one subclass of GitPython's `Git`.

It runs git by its full path, in a clean environment, without hooks and programs that a repository
names. GitPython's import takes sixty milliseconds: what lists and hooks need is read in `refs`,
and they import this module only where git itself must be asked.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git.refs import branch_in
from calmkb.system.programs import find_program, safe_path

_KEPT = {
    *("GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CEILING_DIRECTORIES"),
    *("GIT_EXEC_PATH", "GIT_SSH", "GIT_SSH_COMMAND"),
}
SAFE_OPTIONS = (
    f"core.hooksPath={os.devnull}",  # a knowledge base's hooks are not ours to run
    "core.fsmonitor=false",  # a repository can name a program here
    "log.showSignature=false",  # and here one that looks at signatures
    "protocol.ext.allow=never",  # and one in the address of a remote
    "push.gpgSign=false",
    "submodule.recurse=false",  # a submodule's settings are one more repository's
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "maintenance.auto=false",
    "gc.auto=0",
)
_READ_BY_GIT = "HEAD config index packed-refs shallow info/exclude ../.gitattributes".split()
_SHOWS_FILES = {"blame", "diff", "log", "show"}
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")  # a repository can name both


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `environ` without what ties git to another repository, index, date or folder.

    calmkb runs inside other tools' hooks, where GIT_DIR and GIT_INDEX_FILE point elsewhere.
    """
    kept = {k: v for k, v in environ.items() if not k.startswith("GIT_") or k in _KEPT}
    kept["PATH"] = safe_path(environ.get("PATH", os.defpath))  # for what git starts in its turn
    return kept | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


@contextmanager
def _quiet_import() -> Iterator[None]:
    """Keep GitPython's import from starting the `git` that is on PATH: it asks for the version."""
    asked = {"GIT_PYTHON_GIT_EXECUTABLE": os.devnull, "GIT_PYTHON_REFRESH": "quiet"}
    before = {name: os.environ.get(name) for name in asked}
    os.environ |= asked
    try:
        yield
    finally:
        for name, value in before.items():
            del os.environ[name]
            os.environ |= {name: value} if value is not None else {}


with _quiet_import():
    import git as gitpython  # noqa: TID251 - here alone
    from git.compat import safe_decode  # noqa: TID251
    from git.db import GitCmdObjectDB  # noqa: TID251

__all__ = ["Git", "Process", "Repo", "gitpython"]

# What git says of a fetch or a push is in our own messages.
logging.getLogger("git").addHandler(logging.NullHandler())
logging.getLogger("git").propagate = False


class Process(gitpython.Git.AutoInterrupt):
    """A running git, killed where it goes out of scope before its end: wait for it."""

    folder = ""

    def wait(self, stderr: str | bytes | None = b"") -> int:
        """Return 0 at the end of the process; raise GitFailedError where git failed."""
        status = self.proc.wait() if self.proc else self.status
        if status:
            raise self.failed(status, safe_decode(stderr) or "")
        return 0

    def result(self, data: bytes = b"") -> bytes:
        """Give git `data` and the end of its input; return what it prints, as `wait` does."""
        output, errors = self.communicate(data)
        if self.returncode:
            raise self.failed(self.returncode, errors.decode(errors="replace"))
        return bytes(output)

    def failed(self, code: int, stderr: str) -> GitFailedError:
        """Return the error for this git, which exited with `code`, below 0 for a signal."""
        stderr, args = stderr.strip(), self.args[1:]
        command = next(one for one in args if not one.startswith("-") and "=" not in one)
        words = stderr or (f"ended by signal {-code}" if code < 0 else f"exit code {code}")
        return GitFailedError(f"git {command} failed in {self.folder}: {words}", stderr)


if TYPE_CHECKING:
    _Env = Mapping[str, str]

    class Command(Protocol):
        """A sub-command of git: its text without the last line end, its bytes, or its process."""

        @overload
        def __call__(self, *args: object, istream: bytes = ..., env: _Env = ...) -> str: ...

        @overload
        def __call__(
            self, *args: object, stdout_as_string: Literal[False], istream: bytes = ...
        ) -> bytes: ...

        @overload
        def __call__(
            self, *args: object, as_process: Literal[True], istream: int = ..., **how: Any
        ) -> Process: ...


class Git(gitpython.Git):
    """git in one folder: `git.rev_parse("HEAD")`.

    A sub-command returns its output as text, or with `stdout_as_string=False` as the very bytes;
    `istream` may be bytes. GitFailedError where git fails, StoreError where it cannot start.
    """

    AutoInterrupt = Process

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._working_dir = str(folder)  # as it is: GitPython would expand `~` and `$NAME`
        self._persistent_git_options = [w for one in SAFE_OPTIONS for w in ("-c", one)]

    if TYPE_CHECKING:

        def __getattribute__(self, name: str) -> Command: ...

        ls_remote: Command  # type: ignore[assignment]

    def __call__(self, **options: Any) -> "Git":
        """Return a git with options before each sub-command, as in `git(c=["gc.auto=0"])`.

        GitPython keeps them in the object until the next call, which another thread may make.
        """
        made = type(self)(Path(str(self._working_dir)))
        made._persistent_git_options = [
            *self._persistent_git_options, *self.transform_kwargs(**options)
        ]  # fmt: skip
        return made

    def ask(self, command: str, *args: object) -> str | None:
        """Return the one value that a sub-command prints, or None where git says there is none."""
        try:
            return str(self._call_process(command, *args)).rstrip("\n")
        except GitFailedError:
            return None

    @classmethod
    def check_unsafe_protocols(cls, url: str) -> None:
        """Raise StoreError where the address of a remote is a program, as in `ext::sh`."""
        try:
            super().check_unsafe_protocols(url)
        except gitpython.UnsafeProtocolError as error:
            raise StoreError(f"the remote {url!r} runs a program; name it by an address") from error

    def _call_process(self, method: str, *args: Any, **kwargs: Any) -> Any:
        shown = _NO_PROGRAMS if method in _SHOWS_FILES else ()
        return super()._call_process(method, *shown, *args, **kwargs)

    def execute(self, command: Any, *_: Any, **how: Any) -> Any:
        """Start git, and return what it prints unless `as_process`.

        Not GitPython's own: it copies the environment with GIT_DIR in it, and where it cannot enter
        the folder it goes to the current one.
        """
        _refuse_pipes(Path(str(self._working_dir)).absolute())
        words, given = [git_program(), *command[1:]], how.get("istream")
        text = bool(how.get("universal_newlines"))  # a remote's words need not be UTF-8
        try:
            child: Popen[Any] = Popen(
                words, cwd=str(self._working_dir), stdout=PIPE, stderr=PIPE,
                stdin=DEVNULL if given is None else PIPE,
                text=text, errors="replace" if text else None,
                env=clean_environment(os.environ) | dict(how.get("env") or {}),
            )  # fmt: skip
        except FileNotFoundError:
            raise StoreError(f"{self._working_dir} is not a folder") from None
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"cannot run git in {self._working_dir}: {reason}") from error
        process = self.AutoInterrupt(child, words)
        process.folder = str(self._working_dir)
        if how.get("as_process"):
            return process
        output = process.result(given if isinstance(given, bytes) else b"")
        as_text = how.get("stdout_as_string", True)
        return safe_decode(output).removesuffix("\n") if as_text else output


class Repo(gitpython.Repo):
    """A repository whose places git has told: GitPython reads GIT_DIR and settings in its own way.

    Its objects (`head.commit`, trees, blame) are not used: they fail on SHA-256 and reftable.
    """

    GitCommandWrapperType = Git  # type: ignore[assignment]  # an alias there
    git: Git

    def __init__(self, top: Path, git_dir: Path, shared: Path) -> None:
        self.git_dir, self._common_dir = str(git_dir), str(shared)
        self.working_dir = self._working_tree_dir = str(top)
        self._bare = False
        self.git = self.GitCommandWrapperType(top)
        self.odb = GitCmdObjectDB(str(shared / "objects"), self.git)


def git_program() -> str:
    """Return the full path of git; StoreError where it is not on PATH."""
    if found := find_program("git", os.environ.get("PATH")):
        return found
    raise StoreError("git is not on PATH; install git 2.30 or newer")


def _refuse_pipes(folder: Path) -> None:
    """Raise StoreError on what git would read and never come to the end of: a pipe, a device."""
    git_dirs = (place / ".git" for place in (folder, *folder.parents))
    git_dir = next(filter(Path.is_dir, git_dirs), folder)
    for name in (*_READ_BY_GIT, ""):
        place = git_dir / (name or branch_in(git_dir) or "HEAD")  # last: HEAD may be one
        with suppress(OSError):
            if place.exists() and not (place.is_file() or place.is_dir()):
                raise StoreError(f"{place} is not a plain file: git would wait; move it away")
