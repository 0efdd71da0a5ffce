"""Which files of a repository are audited: those named, or those that agents read."""

import re
from collections import deque
from collections.abc import Mapping, Sequence, Set
from pathlib import Path, PurePosixPath
from posixpath import normpath

from calmkb.errors import NotFoundError
from calmkb.wings.proof.anchors.git_files import Moment
from calmkb.wings.proof.anchors.references import Reference, imports_in
from calmkb.wings.proof.anchors.tree import State

_READ = re.compile(
    r"""(?:^|/)(?:
        \.(?:clinerules|cursorrules|goosehints|windsurfrules)
        | (?:AGENTS?|CLAUDE(?:\.local)?|CRUSH|GEMINI|QWEN|copilot-instructions)\.md
        | \.(?:amazonq|augment|claude|continue|cursor|roo|trae|windsurf)/rules(?:-\w+)?/.+\.mdc?
        | \.clinerules/[^/]+\.md | \.junie/guidelines\.md | \.kiro/steering/.+\.md
        | \.github/instructions/.+\.md
        | \.[\w-]+/skills/.+/SKILL\.md
        | \.(?:claude|opencode)/(?:agents?|commands?)/.+\.md
    )\Z""",
    re.VERBOSE,
)
OF_OTHERS = re.compile(
    r"(?:^|/)(?:_*fixtures?_*|_archived?|adrs?|backups?|decisions|docs/(?:.+/)?archived?|assets|node_modules|playground"
    r"|(?:[\w-]+-)?templates?|testdata|vendor)/"
)
"""A file of another repository, which a test or a generator makes, or of the past."""
SKILL = re.compile(r"/skills/.+/SKILL\.md\Z|(?:^|/)\.[\w-]+/(?:agents?|commands?)/")
"""A skill, a command or an agent: these are passed on between projects."""
_FILES, _LONGEST = 200, 5_000


def is_passed_on(
    now: Moment, path: str, states: Mapping[Reference, State], absent: Set[Reference], held: bool
) -> bool:
    """Whether a skill is of other projects: a lock names it, or most of what it names never was.

    So is a template: below the top folder, it names six things or more, none of which `held`.
    """
    told = [one for one in states if one.kind != "name" and states[one] != "unknown"]
    if not SKILL.search(path) and (held or "/" not in path or path[0] == "." or len(told) < 6):
        return False
    locks = [one for one in now.tree.files if one.rpartition("/")[2] == "skills-lock.json"]
    entry = f'"{PurePosixPath(path).parent.name}": {{'
    never = sum(one in absent for one in told)
    return never * 2 > len(told) or any(entry in t for t in now.tree.source.read(locks).values())


def asked_files(now: Moment, folder: Path, names: Sequence[str]) -> list[str]:
    """Return the paths, from the top, of files that a person names from `folder`.

    NotFoundError where one is outside the repository or no file.
    """
    if now.commit:
        return list(names)
    top, found = now.repository.top.resolve(), []
    for name in names:
        whole = (folder / name).resolve()
        if not whole.is_relative_to(top):
            raise NotFoundError(f"{name} is not in the repository {top}")
        if not whole.is_file():
            raise NotFoundError(f"{name} is not a file here; name one, or none for all")
        found.append(whole.relative_to(top).as_posix())
    return found


def instruction_files(now: Moment) -> list[str]:
    """Return what agents read by themselves in the repository, in any folder, and its imports."""
    paths = (path for path in sorted(now.tree.files) if _READ.search(path))
    found = dict.fromkeys(path for path in paths if not OF_OTHERS.search(path))
    waiting = deque(found)
    while waiting and len(found) < _FILES:
        path = waiting.popleft()
        base = PurePosixPath(path).parent
        for name in imports_in(now.tree.source.read([path]).get(path, "")):
            imported = normpath(base / name)
            if imported in now.tree.files and imported not in found:
                found[imported] = None
                waiting.append(imported)
    return list(found)[:_FILES]


def without_ours(text: str) -> str:
    """Return a file's text without the block that export wrote, 5,000 characters of each line."""
    if "calmkb:begin" in text:
        from calmkb.export.block import without_block

        text = without_block(text)
    # Each reference looks through its whole line.
    return "\n".join(line[:_LONGEST] for line in text.split("\n"))
