"""What surrounds a call: home, current folder, variables, clock, ids, user and host."""

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from calmkb.hook import agent_mark as agent_mark
from calmkb.hook import state_folder


def _new_id() -> str:
    import uuid

    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True)
class Environment:
    """What surrounds a call: given by the face, so that tests and servers choose their own."""

    home: Path
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    user: str = ""
    host: str = ""
    now: Callable[[], datetime] = lambda: datetime.now(UTC).replace(microsecond=0)
    new_id: Callable[[], str] = _new_id
    report: Callable[[str, int, int], None] = lambda *_: None
    """Called with a step, how much is done and of how much; 0 of 0 where that is not known."""

    @property
    def state(self) -> Path:
        """The folder of what stays on this machine."""
        return Path(state_folder(self.env, str(self.home), str(self.cwd)))

    @property
    def own(self) -> Path:
        """The folder of what a person decided, whatever a project's variables say."""
        return self.home / ".calm"


def process_environment() -> Environment:
    """Return the environment of this process."""
    # A symbolic-link working directory is recorded as the folder it is.
    cwd = Path(os.path.realpath("."))
    home = Path.home()
    _close_to_others(home / ".calm")
    return Environment(home=home, cwd=cwd, env=dict(os.environ), user=_user(), host=_host())


def _close_to_others(folder: Path) -> None:
    """Let nobody else into the state folder, which an earlier version made for all to read."""
    try:
        mode = folder.lstat().st_mode
        if stat.S_ISDIR(mode) and mode & 0o077 and os.name != "nt":
            folder.chmod(mode & 0o700)
    except OSError:
        return


def _user() -> str:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):  # as getpass does, without its import
        if user := os.environ.get(name):
            return user
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return ""


def _host() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket

    return socket.gethostname()
