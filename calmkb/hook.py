"""Puts a hook's input into the queue, with nothing but the standard library.

Run as a file, `python -I -S calmkb/hook.py EVENT`, where no shell can do it: importing the package
would cost more than the work. Never fails, never prints: the agent must not notice it.
"""

import os
import sys
import time

TYPE_CHECKING = False  # as `typing` has it, whose import takes a quarter of the time
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

CHILD = "CALMKB_CHILD"
"""Set to 1 in the environment of clients that calmkb starts: their sessions are not captured."""
_CHUNK = 1 << 20


def state_folder(env: "Mapping[str, str]") -> str:
    """Return the folder of what stays on this machine."""
    return env.get("REFLECTIONS_DIR") or os.path.join(os.path.expanduser("~"), ".calm")  # noqa: PTH111, PTH118 - pathlib costs six milliseconds


def has_state_folder(env: "Mapping[str, str]") -> bool:
    """Return whether there is such a folder: with an empty HOME it would be at the disk's root."""
    return bool(env.get("REFLECTIONS_DIR") or env.get("HOME") != "")


def put(event: str, stream: "BinaryIO", state: str) -> str:
    """Copy `stream` into the queue, readable by its owner alone, and return the file's path.

    Until it is JSON it is not finished. Raises OSError.
    """
    folder = os.path.join(state, "queue")  # noqa: PTH118
    for place in (state, folder):  # `mode` holds for the last folder alone
        os.makedirs(place, mode=0o700, exist_ok=True)  # noqa: PTH103
    name = f"{event}-{os.getppid()}-{os.getpid()}-{time.time_ns()}"
    path = os.path.join(folder, f"{name}.json")  # noqa: PTH118
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o600)
    with os.fdopen(handle, "wb") as file:
        while chunk := stream.read(_CHUNK):
            file.write(chunk)
    return path


def main() -> None:
    """Queue what is on standard input, and leave without a word whatever happens."""
    try:
        ours = os.environ.get(CHILD) != "1" and has_state_folder(os.environ)
        if ours and len(sys.argv) > 1 and sys.argv[1].isalnum():
            put(sys.argv[1], sys.stdin.buffer, state_folder(os.environ))
    except BaseException:  # noqa: S110 - a hook that complains disturbs the agent's work
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
