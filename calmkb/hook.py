"""Puts a hook's input into the queue, with nothing but the standard library.

Run as a file, `python -I -S calmkb/hook.py EVENT`, where no shell can do it: importing the package
would cost more than the work. Never fails, never prints: the agent must not notice it.
"""

import os
import sys
import time

TYPE_CHECKING = False  # as `typing` has it, whose import takes a quarter of the time
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

CHILD = "CALMKB_CHILD"
"""Set to 1 in the environment of clients that calmkb starts: their sessions are not captured."""
# What coding agents set for the commands and hooks they run; some run these in a terminal.
AGENT_MARKS = (
    *("AI_AGENT", "AGENT", "CLAUDECODE", "CODEX_THREAD_ID", "CODEX_SANDBOX", "CURSOR_AGENT"),
    *("GEMINI_CLI", "OPENCODE", "COPILOT_CLI", "AUGMENT_AGENT", "QWEN_CODE", "GOOSE_TERMINAL"),
    *("AMP_CURRENT_THREAD_ID", "ANTIGRAVITY_AGENT", "CLAUDE_PROJECT_DIR", CHILD),
)
_CHUNK = 1 << 20


def agent_mark(env: "Mapping[str, str]") -> str:
    """Return the variable by which an agent is known to run this, or nothing."""
    return next((name for name in AGENT_MARKS if env.get(name)), "")


def state_folder(env: "Mapping[str, str]", home: str = "~", cwd: str = ".") -> str:
    """Return the folder of what stays on this machine."""
    home = os.path.expanduser(home)  # noqa: PTH111 - pathlib costs six milliseconds
    named = env.get("REFLECTIONS_DIR", "")
    moved = os.path.isabs(named) and not is_of_project(named, home, cwd)  # noqa: PTH117
    return named if moved else os.path.join(home, ".calm")  # noqa: PTH118


def is_of_project(folder: str, home: str, cwd: str) -> bool:
    """Return whether a folder that a variable names lies in the project that one works in.

    Settings for a client that come with a clone set variables, and what the folder holds came with
    it. A home that is a repository is no project.
    """
    top = here = os.path.realpath(cwd)
    folder, home = os.path.realpath(folder) + os.sep, os.path.realpath(home) + os.sep
    while here != os.path.dirname(here):  # noqa: PTH120
        if os.path.lexists(os.path.join(here, ".git")) and not home.startswith(here + os.sep):  # noqa: PTH118
            top = here
        here = os.path.dirname(here)  # noqa: PTH120
    return folder.startswith(top + os.sep) and not home.startswith(top + os.sep)


def has_state_folder(env: "Mapping[str, str]") -> bool:
    """Return whether there is such a folder: with an empty HOME it would be at the disk's root."""
    return env.get("HOME") != "" or state_folder(env) != "/.calm"


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
        for chunk in chunks(stream):
            file.write(chunk)
    return path


def chunks(stream: "BinaryIO") -> "Iterator[bytes]":
    """Yield what comes until the end, or until it is JSON: some clients leave the pipe open."""
    parts: list[bytes] = []
    read = getattr(stream, "read1", stream.read)
    while chunk := read(_CHUNK):
        yield chunk
        parts.append(chunk)
        if chunk.rstrip().endswith(b"}") and not _has_more(stream) and _is_json(b"".join(parts)):
            return


def _has_more(stream: "BinaryIO") -> bool:
    """Return whether more, or the end, comes soon; it does from what cannot be asked."""
    import select

    try:
        return bool(select.select([stream], [], [], 0.05)[0])
    except (OSError, ValueError):
        return True


def _is_json(data: bytes) -> bool:
    import json

    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


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
