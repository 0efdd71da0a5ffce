"""Processes of a test's own that could hang: each has a hard limit."""

import subprocess
import sys
from typing import Any


def run_python(code: str, *arguments: str, seconds: float) -> str:
    """Return what `code` prints; TimeoutExpired after `seconds`, AssertionError where it fails."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def interrupt(child: Any, expected: str = "") -> None:
    """Press ^C until `expected`, or without it the end, is heard from the pexpect child.

    Python misses a ^C that arrives between its prompt and its read; a person presses it again.
    """
    import pexpect

    for _ in range(6):
        child.sendintr()
        if child.expect([expected or pexpect.EOF, pexpect.TIMEOUT], timeout=10) == 0:
            return
    raise AssertionError(f"six interrupts did not bring {expected!r}: {child.before!r}")
