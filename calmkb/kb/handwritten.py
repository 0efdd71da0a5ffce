"""What people wrote by hand where an agent reads it: the file itself, its imports, its parents."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.export.base import Reader
from calmkb.export.block import without_block
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.semantics import method_of
from calmkb.model import Memory
from calmkb.reflect.learnings_known import statements_in
from calmkb.reflect.verdicts import Known, judge
from calmkb.store.files import read_bytes

_HOPS = 4
_FILES = 64
_LIMIT = 1024 * 1024
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)|`[^`\n]*`")
_IMPORT = re.compile(r"(?<![\w`@])@([~./\w-][^\s`]*)")
_NAMES: dict[Reader, tuple[str, ...]] = {
    "claude": ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"),
    "agents": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
    "copilot": (".github/copilot-instructions.md",),
}


@dataclass(frozen=True, slots=True)
class Met:
    """A memory that a person's own words say, or say the opposite of: where, and the words."""

    memory: Memory
    place: str
    words: str
    opposite: bool


def met_by_hand(
    kb: KnowledgeBase, memories: Sequence[Memory], folder: Path, reader: Reader
) -> list[Met]:
    """Return the memories that hand-written text in or above `folder` duplicates or contradicts."""
    known = [
        Known(f"{place}\0{number}", text)
        for place, said in _texts(kb, folder, reader)
        for number, text in enumerate(statements_in(said))
    ]
    if not known or not memories:
        return []
    method = method_of(kb)
    texts = [memory.text for memory in memories]
    vectors = method.vectors([*texts, *(item.text for item in known)])
    verdicts = judge(texts, known, vectors, duplicate=method.duplicate)
    return [
        Met(memory, found.other.partition("\0")[0], found.text, found.kind == "conflict")
        for memory, found in zip(memories, verdicts, strict=True)
        if found.kind != "new"
    ]


def imports_in(text: str) -> list[str]:
    """Return the paths that `@path` pulls in, as Claude Code and Gemini read them: not in code."""
    bare = _CODE.sub(" ", re.sub(r"(?s)<!--.*?-->", "", text))
    return [found.rstrip(".,;:!?)]}'\"") for found in _IMPORT.findall(bare)]


def _texts(kb: KnowledgeBase, folder: Path, reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield the place and the words of each file that the reader takes in, each once."""
    home = kb.world.home
    seen: set[Path] = set()
    waiting = [(path, 0) for path in _files(folder, home, reader)]
    while waiting and len(seen) < _FILES:
        path, hops = waiting.pop(0)
        real = path.resolve()
        if real in seen:
            continue
        seen.add(real)
        text = _read(real)
        if not text:
            continue
        said = without_block(text)
        yield _shown(path, folder, home), said
        if hops < _HOPS and reader in ("claude", "gemini"):
            waiting += [(_target(real, name, home), hops + 1) for name in imports_in(said)]


def _files(folder: Path, home: Path, reader: Reader) -> list[Path]:
    names = _NAMES.get(reader, ())
    places = [folder, *folder.parents]
    files = [place / name for place in places for name in names]
    return [*files, home / ".claude/CLAUDE.md"] if reader == "claude" else files


def _target(importer: Path, name: str, home: Path) -> Path:
    return home / name[2:] if name.startswith("~/") else importer.parent / name


def _read(path: Path) -> str:
    try:
        return read_bytes(path, limit=_LIMIT).decode(errors="replace") if path.is_file() else ""
    except (StoreError, OSError):
        return ""


def _shown(path: Path, folder: Path, home: Path) -> str:
    for base, name in ((folder, ""), (home, "~/")):
        if path.is_relative_to(base):
            return name + path.relative_to(base).as_posix()
    return path.name
