"""CLAUDE.md beside AGENTS.md: Claude Code reads the second only where the first is not."""

import os
from dataclasses import replace
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.export.base import Output
from calmkb.export.block import without_block
from calmkb.kb.export.files import FILE_LIMIT
from calmkb.kb.export.instruction_files import imports_in
from calmkb.system.files import read_bytes

_AGENTS = "AGENTS.md"


def imported(folder: Path, output: Output) -> Output:
    """Return the output of Claude Code's memory file where AGENTS.md holds the digest: an import.

    None where a person imports it already, and the digest itself where both are one file.
    """
    path = folder / output.path
    if not output.body or _real(path) == _real(folder / _AGENTS):
        return output
    if _imports(path, folder):
        return replace(output, body="")
    return replace(
        output, body=f"@{Path(os.path.relpath(folder / _AGENTS, path.parent)).as_posix()}"
    )


def unread(folder: Path) -> bool:
    """Tell whether Claude Code does not get to see the AGENTS.md in `folder`."""
    path = folder / "CLAUDE.md"
    if not path.is_file() or _real(path) == _real(folder / _AGENTS):
        return False
    return not _imports(path, folder)


def _imports(path: Path, folder: Path) -> bool:
    """Tell whether a person's own words in `path` import the AGENTS.md in `folder`."""
    try:
        text = read_bytes(Path(_real(path)), limit=FILE_LIMIT).decode(errors="replace")
    except StoreError:
        return False
    wanted = os.path.normpath(folder / _AGENTS)
    names = imports_in(without_block(text))
    return any(os.path.normpath(path.parent / name) == wanted for name in names)


def _real(path: Path) -> str:
    return os.path.realpath(path)
