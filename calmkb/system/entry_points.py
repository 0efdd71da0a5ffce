"""What other installed packages add, by their entry points.

`importlib.metadata` takes four interpreter starts to find that out; the files that it reads are
read here, and those that do not name calmkb cost a look. Packages count where Python installs them:
a folder that is on the path by itself, such as the current one, may be anybody's repository.
"""

import os
import site
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def added(group: str) -> dict[str, str]:
    """Return by name what installed packages declare in a group, each as `module:ATTRIBUTE`."""
    folders = [*site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return dict(_declared(tuple(folders)).get(group, {}))


@cache
def _declared(folders: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return what is declared for calmkb by group and name; the first folder's word counts."""
    found: dict[str, dict[str, str]] = {}
    for text in _texts(folders):
        from configparser import ConfigParser, Error  # loaded where there is something to read

        parser = ConfigParser(delimiters=("=",), interpolation=None)
        parser.optionxform = str  # type: ignore[assignment, method-assign]  # names keep their case
        try:
            parser.read_string(text)
        except Error:
            continue  # another tool's file
        for group in parser.sections():
            for name, place in parser.items(group):
                found.setdefault(group, {}).setdefault(name, place.strip())
    return found


def _texts(folders: tuple[str, ...]) -> Iterator[str]:
    """Yield the entry points of each distribution that declares any for calmkb."""
    for folder in folders:
        try:
            names = sorted(one.name for one in os.scandir(folder))
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with Path(folder, name, "entry_points.txt").open("rb") as file:
                        text = file.read(65_536).decode(errors="replace")
                except OSError:
                    continue
                if "[calmkb." in text:
                    yield text


def zstd() -> Any:
    """Return the module of zstd, which comes with Python from 3.14 on."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
