"""Programs by their full path: one in the current folder can be anybody's, and is never run."""

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path


def find_program(name: str, path: str | None) -> str | None:
    """Return the full path of the program `name` in the folders of `path` (PATH), or None.

    Entries of PATH that are empty or relative mean the current folder, which may be a repository
    of somebody else's; Windows looks there even without them.
    """
    extensions = os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else ()
    names = candidates(name, extensions)
    places = (Path(folder) / one for folder in _folders(path or os.defpath) for one in names)
    # os.path.isfile says no of a folder that may not be entered; Path.is_file raises.
    return next((str(p) for p in places if os.path.isfile(p) and os.access(p, os.X_OK)), None)  # noqa: PTH113


def safe_path(path: str) -> str:
    """Return PATH without the entries that mean the current folder."""
    return os.pathsep.join(_folders(path))


def candidates(name: str, extensions: Sequence[str]) -> list[str]:
    """Return the file names that `name` may mean, the extensions of Windows added."""
    if not extensions or name.lower().endswith(tuple(e.lower() for e in extensions if e)):
        return [name]
    return [name + extension for extension in extensions if extension]


@lru_cache(maxsize=8)
def _folders(path: str) -> tuple[str, ...]:
    folders = (one for one in path.split(os.pathsep) if not one.startswith("/proc/"))  # self/cwd
    return tuple(folder for folder in folders if Path(folder).is_absolute())


def is_running(process: str | int) -> bool:
    """Return whether a process of this number runs; on Windows that is always assumed."""
    if os.name == "nt":  # asking would end it
        return True
    try:
        os.kill(int(process), 0)
        # One that has ended stays until its parent looks, which some containers' first never does.
        return b") Z " not in Path(f"/proc/{process}/stat").read_bytes()
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except OSError:  # another user's, or a system without /proc
        return True
