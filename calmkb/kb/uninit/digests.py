"""The digests in the files that agents read."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.export.base import Exporter
from calmkb.export.block import has_block, taken_out
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.files import read_text_file
from calmkb.kb.export.plan import PLACES
from calmkb.kb.uninit.base import Step, remove_file
from calmkb.system.files import write_atomically
from calmkb.system.safe_paths import follow_inside

_IMPORTS = ("@AGENTS.md", "@../AGENTS.md")
"""What an export puts before its block in a CLAUDE.md that it makes."""
_JSON = '"generator": "calmkb"'


def digest_steps(kb: KnowledgeBase) -> Iterator[Step]:
    """Yield a step for each file with a digest; one that was edited by hand stays."""
    folder = agent_folder(kb)
    seen: set[Path] = set()
    for path, owned in _candidates(kb, folder):
        try:
            real = follow_inside(path, folder)
            data = None if real in seen else read_text_file(real)
            seen.add(real)
            if data is not None:
                yield from _steps_for(path, real, data.decode(), folder, owned=owned)
        except CalmError as error:
            yield Step(f"keep    {path}: {error}")


def _candidates(kb: KnowledgeBase, folder: Path) -> Iterator[tuple[Path, bool]]:
    """Yield the files that an export writes, and whether each is calmkb's own."""
    for place, name in PLACES.items():
        if place != "user":
            yield folder / (kb.config.export.file if place == "project" else name), False
    for exporter in EXPORTERS.values():
        yield folder / exporter.file, _is_owned(exporter)
        if exporter.owned:
            yield from ((path, True) for path in sorted(folder.glob(exporter.owned)))


def _is_owned(exporter: Exporter) -> bool:
    return bool(exporter.owned) and exporter.file not in exporter.reader.files


def _steps_for(path: Path, real: Path, text: str, folder: Path, *, owned: bool) -> Iterator[Step]:
    if _JSON in text and path.suffix == ".json":
        yield Step(f"remove  {path}", partial(remove_file, real, folder))
    elif has_block(text):
        left = taken_out(text, place=str(path))
        ours = owned or not left.strip() or left.strip() in _IMPORTS
        if ours:
            yield Step(f"remove  {path}", partial(remove_file, real, folder))
        else:
            act = partial(write_atomically, real, left.encode(), inside=folder)
            yield Step(f"restore {path}, without the digest", act)
