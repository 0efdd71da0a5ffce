"""Exported files: do they say what the memories say, and is it short enough to be read?"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from calmkb.documents.findings import Finding
from calmkb.errors import ExportError
from calmkb.export.exporters import EXPORTERS
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.digests import Wanted, export, plan

_MARK = re.compile(r"^\ufeff?[ \t>]*<!--\s*calmkb:(?:begin|end)\b", re.IGNORECASE)


def export_findings(kb: KnowledgeBase, prefix: str) -> Iterator[Finding]:
    """Yield what is wrong with the files that hold a block of ours; `prefix` leads to the root."""
    if not kb.root.is_dir():
        return
    for target, exporter in sorted(EXPORTERS.items()):
        name = kb.config.export.file if target == "claude-md" else exporter.file
        path = kb.root / name
        line = _block_line(path)
        if line:
            shown = prefix + Path(os.path.relpath(path, kb.root)).as_posix()
            yield from _of(kb, target, path, Finding(shown, line, "drifted-export", ""))
    yield from _crowded(kb, prefix)


def _of(kb: KnowledgeBase, target: str, path: Path, at: Finding) -> Iterator[Finding]:
    try:
        done = export(kb, target, file=path, project=_project(kb), check=True)
    except ExportError as error:
        said = str(error).replace(f"{path}:", "line ").replace(str(path), at.path)
        yield Finding(at.path, at.line, "broken-block", said)
        return
    if done.changed:
        message = f"is not what the memories say; run: calmkb export --target {target}"
        yield Finding(at.path, at.line, "drifted-export", message)


def _crowded(kb: KnowledgeBase, prefix: str) -> Iterator[Finding]:
    limit = kb.config.export.max_tokens
    try:
        told = plan(kb, Wanted(force=True)).told
    except ExportError:
        return  # said already of the file itself
    for one in told:
        if count := one.digest.selection.crowded_out:
            path = one.outputs[0].path if one.outputs else kb.config.export.file
            message = (
                f"{count} memories have no room in {limit:,} tokens; see which with "
                "`calmkb export --explain`, retire what no longer helps, "
                "or raise [export] max_tokens"
            )
            yield Finding(prefix + path, 1, "long-digest", message)


def _project(kb: KnowledgeBase) -> str:
    return kb.config.project or kb.root.name


def _block_line(path: Path) -> int:
    """Return the line of the block's first mark, 0 where the file has none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return 0
    return next((n for n, line in enumerate(lines, 1) if _MARK.search(line)), 0)
