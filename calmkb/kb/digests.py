"""`export`: approved memories into the files that agents read."""

from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import ExportError
from calmkb.export.block import replace_block
from calmkb.export.digest import in_scope
from calmkb.export.exporters import find_exporter
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.sessions import read_contents
from calmkb.store.files import read_bytes, write_atomically
from calmkb.store.git import find_repository

FILE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Exported:
    """The file, how many memories it holds now, and whether it had to change."""

    path: Path
    memories: int
    changed: bool


def export(
    kb: KnowledgeBase,
    target: str,
    *,
    file: Path | None = None,
    project: str | None = None,
    check: bool = False,
    force: bool = False,
) -> Exported:
    """Bring the managed block of a file up to date; with `check` only say whether it is.

    Raises ExportError on a broken or hand-edited block, or a file that is not UTF-8 text.
    """
    exporter = find_exporter(target)
    folder = _project_folder(kb)
    named = kb.config.export.file if target == "claude-md" else exporter.file
    path = _real(file or folder / named)
    scope = project or kb.config.project or folder.name
    memories = read_contents(kb).memories
    before = _read(path)
    after = replace_block(before, exporter.render(memories, scope), place=str(path), force=force)
    if after != before and not check:
        write_atomically(path, after.encode())
    return Exported(path, len(in_scope(memories, scope)), after != before)


def _project_folder(kb: KnowledgeBase) -> Path:
    """Return where the agent works: the knowledge base's folder, or, if it is the personal one of
    the state folder, the repository (or folder) that one stands in."""
    if kb.root != kb.world.home / ".calm" / "kb":
        return kb.root
    repository = find_repository(kb.world.cwd)
    return repository.top if repository else kb.world.cwd


def _real(path: Path) -> Path:
    """Return the file behind a link, as long as it stays beside or below the link's folder."""
    if not path.is_symlink():
        return path
    target = path.resolve()
    if not target.is_relative_to(path.parent.resolve()):
        raise ExportError(f"{path} is a link to {target}, outside its folder; name it with --file")
    return target


def _read(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return read_bytes(path, limit=FILE_LIMIT).decode()
    except UnicodeDecodeError as error:
        raise ExportError(f"{path} is not UTF-8; save it as UTF-8, then export again") from error
