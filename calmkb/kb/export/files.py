"""The files that digests go to: ours wholly, or a person's with a block of ours."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import ExportError, StoreError
from calmkb.export.base import Exporter, Output
from calmkb.export.block import has_block, replace_block
from calmkb.system.files import read_bytes, sync_folder
from calmkb.system.paths import is_git_name, real_path

FILE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what it holds, and what it is to hold; None where there is none."""

    path: Path
    before: bytes | None
    after: bytes | None
    folder: Path = Path()
    """Where the agent works: a folder below it goes when the last file in it does."""

    @property
    def needed(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after


def change_for(folder: Path, output: Output, *, force: bool, personal: bool = False) -> Change:
    """Return what becomes of an output's file; ExportError where it is not ours to write.

    In a `personal` folder, the home, links are the person's own and lead where they like.
    """
    path = folder / output.path
    path = path.resolve() if personal else _real(folder, path)
    before = read_text_file(path)
    text = "" if before is None else before.decode()
    front = output.front if output.owned else None
    if output.merge:
        after = output.merge(text, output.body)
    elif output.whole:
        after = output.body
        if text and '"generator": "calmkb"' not in text and not force:
            raise ExportError(f"{path} exists already and is not calmkb's; move it away")
    else:
        text = text or (output.opening if output.body else "")
        after = replace_block(text, output.body, place=str(path), force=force, front=front)
    if output.opening and after.strip() == output.opening.strip():
        after = ""
    gone = not after and (output.owned or before is None or bool(output.opening))
    return Change(path, before, None if gone else after.encode(), folder)


def check_ready(change: Change) -> None:
    """Raise ExportError where the file may not be written, or is not what it was when read."""
    path = change.path
    if read_text_file(path) != change.before:
        raise ExportError(
            f"{path} was changed while it was exported; nothing was written, try again"
        )
    if path.exists() and not path.stat().st_mode & 0o222:
        raise ExportError(f"{path} is read-only; make it writable (chmod u+w), then export again")


def stale_files(folder: Path, exporter: Exporter, named: set[Path], *, force: bool) -> list[Change]:
    """Return the removal of our files that no longer hold a memory."""
    if not exporter.owned:
        return []
    found, inside = [], folder.resolve()
    for path in sorted(folder.glob(exporter.owned)):
        real = Path(real_path(path))
        if {path, real} & named or path.is_symlink() or not path.is_file():
            continue
        if not real.is_relative_to(inside):
            continue  # behind a linked folder: not this project's
        before = read_text_file(path)
        if before is not None and has_block(before.decode()):
            after = replace_block(before.decode(), "", place=str(path), force=force, front="")
            found.append(
                Change(_real(folder, path), before, after.encode() if after else None, folder)
            )
    return found


def _real(folder: Path, path: Path) -> Path:
    """Return the file behind a link, as long as it stays in `folder` (else in the link's own)."""
    inside = Path(os.path.realpath(folder))
    parent = Path(os.path.realpath(path.parent))
    if path.is_relative_to(folder) and not parent.is_relative_to(inside):
        raise ExportError(f"{path.parent} is a link to a place outside {folder}; use --file")
    real = Path(real_path(path))
    if any(is_git_name(part) for part in real.parts):
        raise ExportError(f"{path} is in a folder that is git's own; choose another file")
    if os.path.realpath(path) == str(real) and not path.is_symlink():
        linked = path.is_relative_to(folder) and parent != inside / path.parent.relative_to(folder)
        return real if linked else path
    if real.is_symlink() or not real.exists():
        raise ExportError(f"{path} is a link to nothing; make {real} or delete the link")
    if not real.is_relative_to(inside if path.is_relative_to(folder) else parent):
        raise ExportError(f"{path} is a link to {real}, outside its folder; name that with --file")
    return real


def read_text_file(path: Path) -> bytes | None:
    """Return the bytes of a UTF-8 file, None where there is none; ExportError on any other."""
    try:
        path.stat()
        data = read_bytes(path, limit=FILE_LIMIT)
        if "\0" in data.decode():
            raise ExportError(f"{path} is not text; save it as UTF-8, then export again")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ExportError(f"cannot read {path}: {error.strerror or error}") from error
    except StoreError as error:
        raise ExportError(str(error)) from error
    except UnicodeDecodeError as error:
        raise ExportError(f"{path} is not UTF-8; save it as UTF-8, then export again") from error
    return data


def remove_file(path: Path, folder: Path) -> None:
    """Remove a file below `folder`, and the folders that are empty without it."""
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for above in path.parents:
            if above == folder or not above.is_relative_to(folder):
                break
            above.rmdir()
            sync_folder(above.parent)
