"""Paths that settings and records may name: below their folder, and nothing that is git's own."""

import os
import re
import stat
from functools import lru_cache
from pathlib import Path

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]")
_SHORT = re.compile(r"git~[0-9]+")
_LINK_LENGTH = 1024
_JUNCTION = 0xA0000003  # what Windows calls a mount point: a link to a folder that anybody may make


@lru_cache(maxsize=1024)  # an import asks for the same few folders with each of its files
def is_git_name(name: str) -> bool:
    """Return whether some file system opens git's own folder by `name`.

    macOS ignores case and invisible characters, Windows what follows a colon, dots and spaces at
    the end, and it has short names such as GIT~1.
    """
    plain = _UNSEEN.sub("", name).casefold().partition(":")[0].rstrip(". ")
    return plain == ".git" or _SHORT.fullmatch(plain) is not None


def path_fault(value: str) -> str:
    """Return what keeps `value` from being a path below a folder of a person's; "" for nothing."""
    parts = value.replace("\\", "/").split("/")
    if any(map(is_git_name, parts)):
        return "git keeps its own files there; give another path inside the knowledge base"
    if not value or not parts[0] or ".." in parts or ":" in value or "\0" in value:
        return "give a path inside the knowledge base"
    return ""


def real_path(path: Path | str) -> str:
    """Return the path behind links, and behind one that git checked out as text.

    Where `core.symlinks` is false, as often on Windows, a link is a file that holds its target.
    """
    real = os.path.realpath(path)
    here = Path(real)
    try:
        if not 0 < here.stat().st_size < _LINK_LENGTH:
            return real
        target = here.parent / here.read_bytes().decode()
        is_file = "\n" not in target.name and target.is_file()
    except (OSError, ValueError):
        return real
    return os.path.realpath(target) if is_file else real


def link_on_the_way(top: Path, below: str) -> Path | None:
    """Return the first link on the way from `top` to the path `below` it, or None."""
    here = top
    for part in below.replace("\\", "/").split("/"):
        here /= part
        if leads_elsewhere(here):
            return here
    return None


def leads_elsewhere(path: Path | str) -> bool:
    """Return whether `path` is a link, or what Windows has instead."""
    try:
        return is_link(os.lstat(path))
    except (OSError, ValueError):
        return False


def is_link(status: os.stat_result) -> bool:
    """Return whether `status` is that of a symbolic link or a junction."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION
