"""Exported files: do they say what the memories say, and is it short enough to be read?"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from calmkb.documents.findings import Finding
from calmkb.errors import ExportError, StoreError
from calmkb.export.block import has_block
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.digests import DigestSource, open_source
from calmkb.kb.export.files import FILE_LIMIT
from calmkb.kb.export.plan import PLACES, ExportRequest, TargetPlan, plan_target
from calmkb.system.files import read_bytes
from calmkb.system.paths import real_path

_JSON = b'"generator": "calmkb"'


def export_findings(kb: KnowledgeBase, prefix: str) -> Iterator[Finding]:
    """Yield what is wrong with the files of each target that is configured or exists here.

    `prefix` leads from the repository to the root. The personal knowledge base is exported to where
    one works, and `calmkb export --check` looks there.
    """
    if not kb.root.is_dir() or kb.agent_folder != kb.root:
        return
    source = open_source(kb)
    configured = tuple(name for name in source.settings.targets if name in EXPORTERS)
    # Exporting is optional; configured targets are wanted.
    chosen = bool(kb.config.export.targets) and configured != ("claude-md",)
    configured = tuple(name for name in configured if not EXPORTERS[name].personal)
    for target in configured:
        yield from _of(source, prefix, target, ExportRequest(targets=configured), wanted=chosen)
    told = {real_path(_files(source, target, "project")[0]) for target in configured}
    for target in EXPORTERS:
        # A file that is a link to another target's holds what that one says.
        if real_path(_files(source, target, "project")[0]) not in told:
            yield from _of(source, prefix, target, ExportRequest(targets=(target,)), wanted=False)
    beside = configured if "claude-md" in configured else ("claude-md",)
    for place in ("dot-claude", "local"):
        request = ExportRequest(targets=beside, place=place)
        yield from _of(source, prefix, "claude-md", request, wanted=False)


def _of(
    source: DigestSource, prefix: str, target: str, request: ExportRequest, *, wanted: bool
) -> Iterator[Finding]:
    """Yield the findings of one target; what is neither `wanted` nor there is passed over."""
    files = _files(source, target, request.place)
    exists = any(map(_is_ours, files))
    configured = target in source.settings.targets and request.place == "project"
    if not (wanted or exists or configured):
        return
    try:
        planned = plan_target(source, target, request)
    except ExportError as error:
        if wanted or exists:
            yield _broken(source.folder, prefix, files, str(error))
        return
    if wanted or exists:
        for change in planned.changes:
            if change.needed:
                message = f"is not what the memories say; run: calmkb export --target {target}"
                line = _block_line(change.before or b"")
                yield Finding(
                    _shown(source.folder, prefix, change.path), line, "drifted-export", message
                )
    if configured:
        yield from _crowded(source, prefix, files[0], planned)


def _files(source: DigestSource, target: str, place: str) -> list[Path]:
    """Return where a target's files are: the main one first, whether or not it is there."""
    exporter = EXPORTERS[target]
    name = exporter.file
    if target == "claude-md":
        name = source.settings.file if place == "project" else PLACES[place]
    owned = sorted(source.folder.glob(exporter.owned)) if exporter.owned else []
    return list(dict.fromkeys([source.folder / name, *owned]))


def _broken(folder: Path, prefix: str, files: Sequence[Path], message: str) -> Finding:
    path = next((one for one in files if message.startswith(str(one))), files[0])
    shown = _shown(folder, prefix, path)
    words = message.replace(f"{path}:", "line ").replace(str(path), shown)
    return Finding(shown, _block_line(_bytes(path)), "broken-block", words)


def _crowded(
    source: DigestSource, prefix: str, path: Path, planned: TargetPlan
) -> Iterator[Finding]:
    if count := planned.digest.selection.crowded_out:
        message = (
            f"{count} memories have no room in {source.settings.max_tokens:,} tokens; see which "
            f"with `calmkb export --explain --target {planned.target}`, "
            "retire what no longer helps, or raise [export] max_tokens"
        )
        yield Finding(_shown(source.folder, prefix, path), 1, "long-digest", message)


def _shown(folder: Path, prefix: str, path: Path) -> str:
    below = os.path.relpath(os.path.realpath(path.parent), os.path.realpath(folder))
    return prefix + Path(os.path.normpath(Path(below) / path.name)).as_posix()


def _is_ours(path: Path) -> bool:
    data = _bytes(path)
    return _JSON in data or has_block(data.decode(errors="replace"))


def _bytes(path: Path) -> bytes:
    try:
        return read_bytes(Path(os.path.realpath(path)), limit=FILE_LIMIT)
    except StoreError:
        return b""


def _block_line(data: bytes) -> int:
    """Return the line of the block's first mark, 1 where there is none."""
    lines = data.decode(errors="replace").split("\n")
    return next((n for n, line in enumerate(lines, 1) if has_block(line)), 1)
