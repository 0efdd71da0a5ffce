"""The files that digests go to: ours wholly, or a person's with a block of ours."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import ExportError
from calmkb.export.base import Exporter, Output
from calmkb.export.block import has_block, replace_block
from calmkb.store.files import read_bytes

FILE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what it holds, and what it is to hold; None where there is none."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def needed(self) -> bool:
        """Tell whether anything is to be written."""
        return self.before != self.after


def change_for(folder: Path, output: Output, *, force: bool) -> Change:
    """Return what becomes of an output's file; ExportError where it is not ours to write."""
    path = _real(folder, folder / output.path)
    before = read_text_file(path)
    text = "" if before is None else before.decode()
    front = output.front if output.owned else None
    if output.whole:
        after = output.body
        if text and '"generator": "calmkb"' not in text and not force:
            raise ExportError(f"{path} stands already and is not calmkb's; move it away")
    else:
        after = replace_block(text, output.body, place=str(path), force=force, front=front)
    gone = not after and (output.owned or before is None)
    new = None if gone else after.encode()
    if new != before:
        _check_writable(path)
    return Change(path, before, new)


def stale_files(folder: Path, exporter: Exporter, named: set[Path], *, force: bool) -> list[Change]:
    """Return the removal of files of ours that nothing is said in any more."""
    if not exporter.owned:
        return []
    found = []
    for path in sorted(folder.glob(exporter.owned)):
        if path in named or path.is_symlink() or not path.is_file():
            continue
        before = read_text_file(path)
        if before is not None and has_block(before.decode()):
            after = replace_block(before.decode(), "", place=str(path), force=force, front="")
            found.append(Change(path, before, after.encode() if after else None))
    return found


def _real(folder: Path, path: Path) -> Path:
    """Return the file behind a link, as long as it stays in the folder that the link is in."""
    inside = folder.resolve()
    if path.is_relative_to(folder) and not path.parent.resolve().is_relative_to(inside):
        raise ExportError(f"{path.parent} is a link to a place outside {folder}; use --file")
    if not path.is_symlink():
        return path
    target = path.resolve()
    if not target.is_relative_to(path.parent.resolve()):
        raise ExportError(f"{path} is a link to {target}, outside its folder; name it with --file")
    return target


def read_text_file(path: Path) -> bytes | None:
    """Return the bytes of a UTF-8 file, None where there is none; ExportError on any other."""
    if not path.exists():
        return None
    data = read_bytes(path, limit=FILE_LIMIT)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise ExportError(f"{path} is not UTF-8; save it as UTF-8, then export again") from error
    return data


def _check_writable(path: Path) -> None:
    if path.exists() and not path.stat().st_mode & 0o222:
        raise ExportError(f"{path} is read-only; make it writable (chmod u+w), then export again")
