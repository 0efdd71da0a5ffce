"""Which targets an export has where the settings name none: the instruction files that are there.

To make another would change what an agent reads: Claude Code reads AGENTS.md only as long as there
is no CLAUDE.md.
"""

from collections.abc import Iterable
from pathlib import Path

from calmkb.config import ExportSettings
from calmkb.errors import ExportError
from calmkb.export.block import has_block
from calmkb.export.targets.table import EXPORTERS
from calmkb.export.tokens import estimate_tokens
from calmkb.kb.export.files import read_text_file
from calmkb.model import Memory
from calmkb.system.paths import real_path

_FIRST, _RULES, _SHARED = "claude-md", "claude-rules", "agents-md"
_FEW = 1 / 3
"""Of the digest's tokens: a rule for paths is gone after a compaction until such a file is read."""


def targets_there(
    settings: ExportSettings, folder: Path, memories: Iterable[Memory] = ()
) -> tuple[str, ...]:
    """Return the configured targets, else those whose files hold a digest, else those there are.

    Files that people write in count, each once behind links; without any it is CLAUDE.md. Beside it
    many memories of some paths are rules, which Claude Code reads with those files alone; not where
    it imports AGENTS.md, which says them to every agent.
    """
    if settings.targets:
        return settings.targets
    found = _written(settings, folder)
    if _FIRST not in found or _SHARED in found:
        return found
    scoped = sum(estimate_tokens(memory.text) for memory in memories if memory.paths)
    many = scoped > settings.max_tokens * _FEW or any(folder.glob(EXPORTERS[_RULES].owned))
    return (*found, _RULES) if many else found


def _written(settings: ExportSettings, folder: Path) -> tuple[str, ...]:
    there: dict[str, str] = {}
    for exporter in EXPORTERS.values():
        path = folder / (settings.file if exporter.name == _FIRST else exporter.file)
        if exporter.file in exporter.reader.files and path.is_file():
            there.setdefault(real_path(path), exporter.name)
    ours = tuple(name for path, name in there.items() if _holds_digest(Path(path)))
    return ours or tuple(there.values()) or (_FIRST,)


def _holds_digest(path: Path) -> bool:
    try:
        return has_block((read_text_file(path) or b"").decode())
    except ExportError:  # the export itself says what is wrong with it
        return False
