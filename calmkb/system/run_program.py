"""A program of the user's, run to its end: bounded in time and output, and no child left behind."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from calmkb.system.programs import find_program

OUTPUT_LIMIT = 1024 * 1024
"""Bytes of standard output that are read; a program that says more is stopped."""
_COMPLAINT = 2_000
_GRACE_SECONDS = 2.0


def full_command(command: Sequence[str], path: str | None) -> list[str]:
    """Return `command` with its program's full path; one given as a path stays as it is.

    Raises FileNotFoundError where no such program is on PATH.
    """
    first, *rest = command
    if os.path.dirname(first):  # noqa: PTH120 - a Path would forget the dot in ./name
        return [first, *rest]
    found = find_program(first, path)
    if found is None:
        raise FileNotFoundError(2, "there is no such program on PATH", first)
    return [found, *rest]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its code (None where it could not start), what it said, and why not.

    `fault` is empty, or says in words that it could not start, took too long or said too much.
    """

    code: int | None
    output: str
    complaint: str = ""
    fault: str = ""


def run_program(
    command: Sequence[str], text: str, *, cwd: Path, env: Mapping[str, str], seconds: float
) -> Ended:
    """Run `command` with `text` on its standard input and return how it ended; raises nothing."""
    try:
        child = subprocess.Popen(
            full_command(command, env.get("PATH")), cwd=cwd, env=dict(env),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=os.name != "nt",
        )  # fmt: skip
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Ended(None, "", fault=f"{command[0]} could not be started: {reason}")
    return _Watched(child, seconds).end(text)


class _Watched:
    """A running child with its clock, and the threads that feed it and hear it out."""

    def __init__(self, child: "subprocess.Popen[bytes]", seconds: float) -> None:
        self._child, self._seconds, self._fault = child, seconds, ""
        self._complaint = b""

    def end(self, text: str) -> Ended:
        assert self._child.stdout and self._child.stderr  # noqa: S101 - pipes were asked for
        clock = threading.Timer(self._seconds, self._stop, [f"no answer in {self._seconds:g} s"])
        helpers = [
            threading.Thread(target=self._feed, args=(text.encode(errors="replace"),), daemon=True),
            threading.Thread(target=self._listen, args=(self._child.stderr,), daemon=True),
        ]
        clock.daemon = True
        for thread in (clock, *helpers):
            thread.start()
        try:
            output = self._read(self._child.stdout)
            code = self._child.wait()
        finally:
            clock.cancel()
            self._kill()
            self._close(helpers)
        complaint = self._complaint.decode(errors="replace").strip()
        return Ended(code, output.decode(errors="replace"), complaint, self._fault)

    def _close(self, helpers: Sequence[threading.Thread]) -> None:
        """Close the pipes, unless a grandchild that got away still holds one open."""
        for helper in helpers:
            helper.join(_GRACE_SECONDS)
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream and not any(helper.is_alive() for helper in helpers):
                with contextlib.suppress(OSError):
                    stream.close()

    def _read(self, stream: IO[bytes]) -> bytes:
        output = bytearray()
        while block := os.read(stream.fileno(), 65_536):
            output += block
            if len(output) > OUTPUT_LIMIT:
                self._stop(f"said more than {OUTPUT_LIMIT:,} bytes")
                break
        return bytes(output[:OUTPUT_LIMIT])

    def _feed(self, data: bytes) -> None:
        assert self._child.stdin  # noqa: S101 - a pipe was asked for
        with contextlib.suppress(OSError):  # it may end without reading all
            self._child.stdin.write(data)
            self._child.stdin.close()

    def _listen(self, stream: IO[bytes]) -> None:
        while block := os.read(stream.fileno(), 65_536):
            self._complaint = (self._complaint + block)[-_COMPLAINT:]

    def _stop(self, fault: str) -> None:
        self._fault = self._fault or fault
        self._kill()

    def _kill(self) -> None:
        """End the child and all that it started."""
        with contextlib.suppress(OSError):
            if os.name == "nt":
                self._child.kill()
            else:
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
