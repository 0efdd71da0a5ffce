"""Runs one agent's program and ends it with all that it started; the standard library alone.

Started as a program of its own: `python -I -S guard.py LIFELINE GRACE PROGRAM [ARGUMENT…]`. It
outlives its parent, even where that was killed: LIFELINE is the reading end of a pipe that
nobody writes to, and its end says that they are dead. On Linux every descendant, also one in a
session of its own, stays below this process (it is their subreaper); elsewhere its process group
is all that can be ended.
"""

import contextlib
import os
import select
import signal
import sys
import time
from pathlib import Path

_PDEATHSIG, _SUBREAPER = 1, 36
_PAUSE = 0.02
_KILLING_SECONDS = 3.0
_CANNOT_START = 127
_IS_LINUX = sys.platform == "linux"


def main(lifeline: int, grace: float, command: list[str]) -> int:
    """Run `command` to its end, or stop it; return its exit code, or 128 and its signal."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _prctl(_SUBREAPER, 1)
    agent = _start(command)
    _let_go_of_the_streams()
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    poll.register(woken, select.POLLIN)
    code = None
    while code is None and not asked:
        ready = dict(poll.poll())
        if lifeline in ready:
            break
        with contextlib.suppress(BlockingIOError):
            os.read(woken, 4096)
        code = _reap(agent)
    stopped = _end_all(agent, grace if code is None else min(grace, 1.0), ended=code is not None)
    return stopped if code is None else code


def _start(command: list[str]) -> int:
    ours = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        _prctl(_PDEATHSIG, signal.SIGKILL)  # should this process itself be killed
        if os.getppid() == ours:
            os.execv(command[0], command)  # noqa: S606 - the command is a list, as it was given
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode(errors="replace"))
    finally:
        os._exit(_CANNOT_START)


def _let_go_of_the_streams() -> None:
    """Leave the pipes to the agent: their reader waits for their last holder."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _reap(agent: int) -> int | None:
    """Collect all that have ended; return the agent's exit code where it is among them."""
    code = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == agent:
                given = os.waitstatus_to_exitcode(ended[1])
                code = given if given >= 0 else 128 - given
    return code


def _end_all(agent: int, grace: float, *, ended: bool) -> int:
    """Ask every descendant to end, and kill what is left after `grace` seconds."""
    if not _IS_LINUX and ended:
        return 0  # the parent of this process kills its group
    _signal_all(signal.SIGTERM)
    code = _wait_for_all(agent, grace, until_killed=False)
    late = _wait_for_all(agent, _KILLING_SECONDS, until_killed=True)
    found = code if code is not None else late
    return 128 + signal.SIGKILL if found is None else found


def _wait_for_all(agent: int, seconds: float, *, until_killed: bool) -> int | None:
    until = time.monotonic() + seconds
    code = None
    while True:
        ended = _reap(agent)
        code = ended if ended is not None else code
        if not _descendants() or time.monotonic() >= until:
            return code
        if until_killed:
            _signal_all(signal.SIGKILL)
        time.sleep(_PAUSE)


def _signal_all(number: int) -> None:
    if not _IS_LINUX:
        os.killpg(0, number)
        return
    for process in _descendants():
        with contextlib.suppress(OSError):
            os.kill(process, number)


def _descendants() -> list[int]:
    """Return the living descendants of this process; elsewhere than on Linux none is known."""
    if not _IS_LINUX:
        return [0] if _has_children() else []
    parents = dict(_processes())
    found = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def _has_children() -> bool:
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def _processes() -> list[tuple[int, int]]:
    """Return each living process with its parent."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - thousands of Paths would take longer
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                state, parent = _stat(name)
                if state not in "ZX":
                    found.append((int(name), parent))
    return found


def _stat(process: str) -> tuple[str, int]:
    fields = Path("/proc", process, "stat").read_text(errors="replace").rsplit(")", 1)[1].split()
    return fields[0], int(fields[1])


def _prctl(option: int, value: int) -> None:
    if _IS_LINUX:
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
