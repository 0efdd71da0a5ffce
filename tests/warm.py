"""calmkb as a process of its own, forked from one that has imported it.

A test about start-up, kills or the environment of Python itself starts `python -m calmkb`.
"""

import os
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from tests import stand_in
from tests.people import AS_A_PERSON
from tests.stand_in import stand_for

COMMAND = [sys.executable, "-m", "calmkb"]
ROOT = Path(__file__).parents[1]


def at_terminal(
    *args: str,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    dimensions: tuple[int, int] = (50, 120),
) -> Any:
    """Return a pexpect child: calmkb at a real terminal; `env` is all of its environment."""
    pexpect = pytest.importorskip("pexpect", reason="needs a POSIX terminal")
    with _forking():
        child = pexpect.spawn(
            COMMAND[0], [*COMMAND[1:], *args], cwd=folder and str(folder), env=env,
            encoding="utf-8", dimensions=dimensions, timeout=60, preexec_fn=_forked(args, env),
        )  # fmt: skip
    child.ptyproc.delayafterterminate = 2  # on a busy machine it takes its time to go
    return child


def without_terminal(
    *args: str,
    env: Mapping[str, str] | None = None,
    said: str | bytes = "",
    person: bool = False,
    **options: Any,
) -> "subprocess.CompletedProcess[Any]":
    """Run calmkb to its end where nobody can answer, with `said` as its input.

    With `person` as if somebody were at a terminal. It prints bytes where bytes are said.
    """
    command = [sys.executable, "-c", AS_A_PERSON] if person else COMMAND
    with _forking():
        return subprocess.run(
            [*command, *args], input=said, capture_output=True, text=isinstance(said, str),
            timeout=120, check=False, env=env,
            preexec_fn=_forked(args, env, person=person), **options,
        )  # fmt: skip


def begun(*args: str, **options: Any) -> "subprocess.Popen[str]":
    """Begin calmkb where nobody can answer, beside what else runs."""
    with _forking():
        return subprocess.Popen(
            [*COMMAND, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=_forked(args, None), **options,
        )  # fmt: skip


def stood_for() -> list[str]:
    """Return the words of `python -m calmkb` for a process that ends at an interrupt or SIGTERM.

    A kill (SIGKILL) does not reach what is forked for it.
    """
    return [sys.executable, "-IS", stand_in.__file__, _server()] if hasattr(os, "fork") else COMMAND


def python_in(folder: Path) -> str:
    """Make a Python that is forked where it is asked for `-m calmkb`; Windows has its own."""
    if not hasattr(os, "fork"):
        return sys.executable
    program = folder / "forked-python"
    forked = f'case "$1 $2" in "-m calmkb") shift 2; exec {shlex.join(stood_for())} "$@";; esac'
    program.write_text(f'#!/bin/sh\n{forked}\nexec {shlex.quote(sys.executable)} "$@"\n')
    program.chmod(0o755)
    return str(program)


def programs_in(folder: Path) -> Path:
    """Make a folder for PATH with a `calmkb` that is forked."""
    folder.mkdir()
    (folder / "calmkb").write_text(f'#!/bin/sh\nexec {shlex.join(stood_for())} "$@"\n')
    (folder / "calmkb").chmod(0o755)
    return folder


def in_shell(line: str, said: bytes, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    """Run a line of shell that may start calmkb, as a client's hook does, with `said` as input."""
    program = shlex.quote(str(Path(sys.executable).with_name("calmkb")))
    if program in line:
        line = line.replace(program, shlex.join(stood_for()))
    return subprocess.run(
        ["sh", "-c", line], input=said, capture_output=True, timeout=120, check=False, **options
    )


@contextmanager
def _forking() -> Iterator[None]:
    """Let Python 3.12 and newer fork beside threads: the child only hands its streams over."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        yield


@cache
def _server() -> str:
    """Return the address of the server: the first of a run's workers starts it, for all of them."""
    run, owner = os.environ.get("PYTEST_XDIST_TESTRUNUID"), os.getppid()
    if run:
        folder = Path(tempfile.gettempdir(), f"calmkb-{run}")
        folder.mkdir(mode=0o700, exist_ok=True)
    else:
        folder, owner = Path(tempfile.mkdtemp(prefix="calmkb-")), os.getpid()
    address = str(folder / "socket")
    with FileLock(folder / "lock"):
        if not _is_answered(address):
            _start(address, owner)
    return address


def _start(address: str, owner: int) -> None:
    """Start a server that ends with the process `owner`."""
    clean = {name: value for name, value in os.environ.items() if name != "HOME"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fork_server", address, str(owner)], cwd=ROOT,
        env=clean | {"OPENBLAS_NUM_THREADS": "1"}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    while not _is_answered(address):
        if process.poll() is not None:
            raise AssertionError("the fork server ended")
        time.sleep(0.02)
    process.returncode = 0  # nobody waits for it, and Python need not warn of that


def _is_answered(address: str) -> bool:
    with suppress(OSError), socket.socket(socket.AF_UNIX) as tried:
        tried.connect(address)
        return True
    return False


def _forked(
    args: tuple[str, ...], env: Mapping[str, str] | None, *, person: bool = False
) -> Callable[[], None] | None:
    """Return what a child does instead of starting Python; Windows has no fork."""
    if not hasattr(os, "fork"):
        return None
    address, asked = _server(), dict(os.environ if env is None else env)

    def stand() -> None:
        os.closerange(3, 4096)  # among them the pipe at which the parent waits for exec
        stand_for(address, args=args, env=asked, person=person)

    return stand
