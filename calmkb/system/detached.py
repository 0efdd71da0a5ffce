"""A program that goes on after the one that started it has ended."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_NO_CONSOLE = 0x0208 if os.name == "nt" else 0
"""DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP, which other systems' modules do not name."""


def start_detached(command: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
    """Start `command` in a session of its own, with no pipe to anybody; OSError if it cannot be.

    A client ends the group of its hook, and waits for the hook's output to be closed.
    """
    null = subprocess.DEVNULL
    started = subprocess.Popen(
        command, cwd=cwd, env=dict(env), stdin=null, stdout=null, stderr=null,
        start_new_session=True, close_fds=True, creationflags=_NO_CONSOLE,
    )  # fmt: skip
    started.returncode = 0  # nobody waits for it, and Python need not warn of that
