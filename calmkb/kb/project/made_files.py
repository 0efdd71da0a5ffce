"""What `init` made, noted in the git directory: what `uninit` may take out again."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from calmkb.kb.project.scaffold import Scaffold
from calmkb.store.git.repository import Repository
from calmkb.system.files import read_json, write_atomically

_NOTE = "calmkb/made.json"


def note_made(repository: Repository, files: Mapping[Path, bytes]) -> None:
    """Note the content of `files`, which were made just now."""
    if not files:
        return
    top = Path(os.path.realpath(repository.top))
    rows = made_files(repository)
    rows |= {path.relative_to(top).as_posix(): _digest(data) for path, data in files.items()}
    text = json.dumps(rows, ensure_ascii=False, indent=1, sort_keys=True)
    write_atomically(repository.common_dir / _NOTE, text.encode())


def made_files(repository: Repository) -> dict[str, str]:
    """Return path → digest of what `init` made in this clone."""
    found = read_json(repository.common_dir / _NOTE)
    return {str(key): str(row) for key, row in found.items()} if isinstance(found, dict) else {}


def usual_files(root: Path, top: Path) -> dict[str, str]:
    """Return path → digest of what `init` makes unless it is told otherwise: in any clone."""
    texts = Scaffold(checks=True, pages=True, weekly=True).files(root.resolve(), top)
    return {
        path.relative_to(top).as_posix(): _digest(text.encode()) for path, text in texts.items()
    }


def is_as_made(path: Path, digest: str) -> bool:
    """Return whether a file still holds what `init` wrote."""
    try:
        return not path.is_symlink() and _digest(path.read_bytes()) == digest
    except OSError:
        return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
