"""A Python of its own for what could hang: it is ended after a hard limit."""

import subprocess
import sys


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
