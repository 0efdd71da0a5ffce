"""The few settings of git that every command needs, asked of git once for each state of its files.

A look at these costs a tenth of a millisecond, git and the way to it sixty.
"""

import contextlib
import json
import os
import time
from binascii import crc32
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import StoreError
from calmkb.system.files import read_json, write_atomically
from calmkb.system.git_files import common_dir

if TYPE_CHECKING:
    from calmkb.store.git.repository import Repository

_ASKED = (
    r"^(user\.(name|email)|commit\.gpgsign|core\.(attributesfile|ignorecase)|remote\.origin\.url"
    r"|url\..*\.insteadof|branch\..*\.(remote|merge))$"
)
_NOTE = "calmkb/settings.json"
_DAY = 86_400  # after which git is asked again: where a system's own settings are, only it knows


def settings_of(repository: "Repository") -> Mapping[str, str]:
    """Return git's configuration by key: a server runs for weeks, and a person may edit it."""
    environ = os.environ
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or ".")
    files = (
        common_dir(repository.git_dir) / "config",
        repository.git_dir / "config.worktree",
        Path(environ.get("GIT_CONFIG_GLOBAL") or home / ".gitconfig"),
        Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "git/config",
        Path(environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"),
    )
    return _settings(repository, files, tuple(map(_stamp, files)))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=32)
def _settings(repository: "Repository", files: tuple[Path, ...], _: object) -> Mapping[str, str]:
    place = repository.common_dir / _NOTE
    try:
        state = _state(files)
    except OSError:
        state = []
    kept = read_json(place)
    known = kept.get("values") if isinstance(kept, dict) and kept.get("state") == state else None
    if state and isinstance(known, dict):
        return {str(key): str(value) for key, value in known.items()}
    lines = repository.git.ask("config", "--get-regexp", _ASKED) or ""
    values = dict(line.partition(" ")[::2] for line in lines.split("\n"))
    # The folder is made by the first write; a repository that is only looked at stays as it is.
    if state and place.parent.is_dir() and not place.parent.is_symlink():
        text = json.dumps({"state": state, "values": values})
        with contextlib.suppress(StoreError):  # a cache
            write_atomically(place, text.encode(), durable=False)
    return values


def _state(files: tuple[Path, ...]) -> list[object]:
    """Return what differs where git may answer otherwise; nothing where files include others."""
    texts = {os.path.normpath(file): file.read_bytes() for file in files if file.is_file()}
    if any(b"[include" in text.lower() for text in texts.values()):
        return []
    known = [[name, len(text), crc32(text)] for name, text in texts.items()]
    return [_ASKED, int(time.time() // _DAY), os.environ.get("GIT_CONFIG_NOSYSTEM"), known]
