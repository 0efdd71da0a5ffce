"""The files that an agent reads by itself, as people wrote them: memory files and what they import.

A repository may be hostile, and what is read here can be named in messages: nothing is read that
lies outside the folder of the file that leads to it, but for documents in `~/.claude`.
"""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.export.base import Output, Reader
from calmkb.export.block import without_block
from calmkb.system.files import read_bytes
from calmkb.system.paths import real_path

_AGENTS = "AGENTS.md"
_MEMORY_FILES = ("CLAUDE.md", ".claude/CLAUDE.md")
_HOPS = 4
_FIRST_WORDS = (8, 3)
_FILES = 64
_LIMIT = 256 * 1024
_FILE_LIMIT = 4 * 1024 * 1024
_FOR_PEOPLE = ("README.md", "README.rst", "README", "CONTRIBUTING.md", "CONTRIBUTING.rst",
               ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md")  # fmt: skip
_DOCUMENTS = (".md", ".mdc", ".markdown", ".txt", ".rst")
_COMMENT = re.compile(r"(?s)<!--.*?-->")
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)|`[^`\n]*`")
_IMPORT = re.compile(r"(?<![\w`@])@([~./\w-][^\s`]*)")


@dataclass(frozen=True, slots=True)
class HandwrittenMatch:
    """What a person's own words say, or the opposite of it: where, and the words.

    `line` is 0 where it is not known. Of a file outside the project there are no words, only its
    place; of one inside a few, where they are an opposite. Not `near`, an opposite is a guess.
    """

    place: str
    line: int
    words: str
    opposite: bool
    near: bool = True

    @property
    def where(self) -> str:
        """The file and the line, as a person would name them."""
        return f"{self.place}: line {self.line}" if self.line else self.place


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """What people wrote in one file, line for line; `quotable` where it is the project's own."""

    place: str
    text: str
    quotable: bool

    def line_of(self, statement: str) -> int:
        """Return the line on which a statement of this file begins, 0 where it is not found."""
        words = [re.escape(word) for word in statement.split()]
        for most in _FIRST_WORDS:
            if found := re.search(r"\s+".join(words[:most]), self.text):
                return self.text.count("\n", 0, found.start()) + 1
        return 0


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file to look at, the folder that it may not lead out of, and how it was come by."""

    path: Path
    within: Path
    hops: int = 0


def instruction_files(
    reader: Reader, folder: Path, home: Path, files: Iterable[Path] = ()
) -> Iterator[InstructionFile]:
    """Yield what the reader takes in when it works in `folder`, each file once, without our blocks.

    Those of the folder and of its parents, `files`, the rules, the user's own; and what they import
    over at most four hops. What is no document, too large or out of bounds is passed over.
    """
    candidates = _candidates(reader, folder, home, files)
    return _read_all(candidates, folder, home, imports=reader.imports, documents=home / ".claude")


def project_files(
    readers: Iterable[Reader], folder: Path, top: Path, home: Path
) -> Iterator[InstructionFile]:
    """Yield what a project itself says to agents and newcomers in `folder`, up to its `top`.

    The files of all readers, README and CONTRIBUTING, and what they import; nothing outside `top`.
    """
    asked = tuple(readers)
    places = (folder, *(one for one in folder.parents if one.is_relative_to(top)))
    found = [place / name for one in asked for name in one.files for place in places]
    found += [path for one in asked if one.rules for path in sorted(folder.glob(one.rules))]
    found += [place / name for name in _FOR_PEOPLE for place in places]
    there = [_Candidate(path, top) for path in found if os.path.isfile(path)]  # noqa: PTH113 - a Path raises where it may not look
    return _read_all(there, top, home, imports=True)


def _read_all(
    candidates: Iterable[_Candidate],
    folder: Path,
    home: Path,
    *,
    imports: bool,
    documents: Path | None = None,
) -> Iterator[InstructionFile]:
    """Yield the files in their order, each once, then what they import.

    An import may lead into `documents` too.
    """
    seen: set[Path] = set()
    waiting = deque(candidates)
    while waiting and len(seen) < _FILES:
        one = waiting.popleft()
        real = _real(one.path)
        if real is None or real in seen:
            continue
        seen.add(real)
        allowed = documents and one.hops and _inside(real, documents)
        if not (allowed or _inside(real, one.within)):
            continue
        text = _without_comments(without_block(_read(real)))
        if not text.strip():
            continue
        yield InstructionFile(_shown(one.path, folder, home), text, _inside(real, folder))
        if one.hops < _HOPS and imports:
            names = dict.fromkeys(imports_in(text))
            for name in names:
                place = home / name[2:] if name.startswith("~/") else real.parent / name
                waiting.append(_Candidate(place, one.within, one.hops + 1))


def imports_in(text: str) -> list[str]:
    """Return the paths that `@path` pulls in, as Claude Code and Gemini read them: not in code."""
    bare = _CODE.sub(" ", _without_comments(text))
    return [found.rstrip(".,;:!?)]}'\"") for found in _IMPORT.findall(bare)]


def with_import(folder: Path, output: Output) -> Output:
    """Return the output of Claude Code's memory file where AGENTS.md holds the digest: an import.

    None where a person imports it already, and the digest itself where both are one file.
    """
    path = folder / output.path
    if not output.body or real_path(path) == real_path(folder / _AGENTS):
        return output
    if _imports(path, folder):
        return replace(output, body="")
    return replace(
        output, body=f"@{Path(os.path.relpath(folder / _AGENTS, path.parent)).as_posix()}"
    )


def beginning(folder: Path, output: Output) -> Output:
    """Return the output of Claude Code's memory file; where it is made, it imports AGENTS.md first.

    Claude Code read AGENTS.md as long as there was none, and people wrote there for it.
    """
    path, agents = folder / output.path, folder / _AGENTS
    if not agents.is_file() or real_path(path) == real_path(agents):
        return output
    opening = f"@{Path(os.path.relpath(agents, path.parent)).as_posix()}\n"
    others = [folder / name for name in _MEMORY_FILES if folder / name != path]
    begins_otherwise = path.exists() and not _read(path).startswith(opening)
    if begins_otherwise or any(other.exists() for other in others):
        return output
    return replace(output, opening=opening)


def agents_md_is_unread(folder: Path) -> bool:
    """Whether Claude Code does not read the AGENTS.md in `folder`: CLAUDE.md is there instead."""
    path = folder / "CLAUDE.md"
    if not path.is_file() or real_path(path) == real_path(folder / _AGENTS):
        return False
    return not _imports(path, folder)


def _imports(path: Path, folder: Path) -> bool:
    """Whether a person's own words in `path` import the AGENTS.md in `folder`."""
    try:
        text = read_bytes(Path(real_path(path)), limit=_FILE_LIMIT).decode(errors="replace")
    except StoreError:
        return False
    wanted = os.path.normpath(folder / _AGENTS)
    names = imports_in(without_block(text))
    return any(os.path.normpath(path.parent / name) == wanted for name in names)


def _without_comments(text: str) -> str:
    """Return `text` without its comments, line for line; in time that grows with its length."""
    head, end, tail = text.rpartition("-->")
    bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), head + end)
    return bare + tail.replace("<!--", "")


def _candidates(
    reader: Reader, folder: Path, home: Path, files: Iterable[Path]
) -> list[_Candidate]:
    found = [_Candidate(path, path.parent) for path in files]
    for place in (folder, *folder.parents):
        found += [_Candidate(place / name, place) for name in reader.files]
    if reader.home:
        found.append(_Candidate(home / reader.home, home))
    rules = sorted(folder.glob(reader.rules))[:_FILES] if reader.rules else []
    return [*found, *(_Candidate(path, folder) for path in rules)]


def _real(path: Path) -> Path | None:
    try:
        return Path(real_path(path))
    except (OSError, ValueError):  # a loop, a name that is none
        return None


def _inside(real: Path, folder: Path) -> bool:
    return real.is_relative_to(real_path(folder))


def _read(path: Path) -> str:
    """Return the text of a document, nothing of any other file."""
    bare = not path.suffix and not path.name.startswith(".")
    if not (bare or path.suffix.lower() in _DOCUMENTS or path.name == ".cursorrules"):
        return ""
    try:
        return read_bytes(path, limit=_LIMIT).decode(errors="replace")
    except (StoreError, OSError):
        return ""


def _shown(path: Path, folder: Path, home: Path) -> str:
    for base, name in ((folder, ""), (home, "~/")):
        if path.is_relative_to(base):
            return name + Path(os.path.normpath(path.relative_to(base))).as_posix()
    return path.name
