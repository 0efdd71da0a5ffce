"""A Python that has imported calmkb and forks a process for each command: `python -m`, with a path.

It never scans for secrets itself: the scanner's runtime does not survive a fork.
"""

import fcntl
import gc
import importlib.util
import json
import os
import pkgutil
import shutil
import signal
import socket
import sys
import termios
from contextlib import suppress
from pathlib import Path

from tests.people import AS_A_PERSON

WINGS = ("analysts", "archive", "proof", "sharing", "site", "start")
EXTRAS = {"mcp": "mcp", "private": "mcp", "runs": "fastapi"}
PACKAGES = ("cli", "kb", "reflect", "documents", "store", "capture", "export", "redact")
LATE = (
    *("sklearn.feature_extraction.text", "sklearn.neighbors", "sklearn.cluster"),
    *("markdown_it", "snowballstemmer", "wcwidth"),
)
"""What functions import when they run: each child would, for more than a second."""


def serve(path: str, owner: int) -> None:
    """Fork for each connection, until the process `owner` is gone."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        _import_all()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        server.listen(64)
        server.settimeout(2)
        while _is_alive(owner):
            try:
                asked, _ = server.accept()
            except TimeoutError:
                continue
            with asked:
                if not os.fork():
                    server.close()
                    _answer(asked)
    shutil.rmtree(Path(path).parent)


def _import_all() -> None:
    """Import what the commands do, and let no search for garbage copy it into a child."""
    wings = [*WINGS, *(wing for wing, needs in EXTRAS.items() if importlib.util.find_spec(needs))]
    for name in (*PACKAGES, *(f"wings.{wing}" for wing in wings)):
        package = importlib.import_module(f"calmkb.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations." not in module.name:  # which Alembic alone can import
                importlib.import_module(module.name)
    for name in LATE:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _answer(asked: socket.socket) -> None:
    """Run the command that is asked for, tell how it ended, and exit."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    asked.settimeout(None)
    message, handles, _, _ = socket.recv_fds(asked, 1 << 20, 3)
    if not message:  # somebody looked whether the server is there
        os._exit(0)
    while not message.endswith(b"\n"):
        message += asked.recv(1 << 20)
    child = os.fork()
    if not child:
        asked.close()
        _become(handles, **json.loads(message))
    asked.sendall(f"{child}\n".encode())
    asked.sendall(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    os._exit(0)


def _become(
    handles: list[int], args: list[str], env: dict[str, str], folder: str, *, person: bool
) -> None:
    """Be the command from now on, with these streams; never return."""
    os.setsid()
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
    os.closerange(3, 4096)
    if os.isatty(0):  # of a shell's session it stays the shell's
        with suppress(PermissionError):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    sys.argv = ["calmkb", *args]
    from calmkb.__main__ import main

    code: object = 0
    try:
        exec(AS_A_PERSON) if person else main()  # noqa: S102 - our own five lines
    except SystemExit as done:
        code = done.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
