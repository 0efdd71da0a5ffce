"""`memory review`: memories that may be stale, presented for review."""

import fnmatch
import re
from collections.abc import Iterator, Sequence

from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import current_project
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.memories.effectiveness import mentions_of, similar_memories
from calmkb.kb.memories.feedback import feedback_given, record_feedback
from calmkb.kb.search.methods import method_of
from calmkb.model import GLOBAL_SCOPE, KEPT, Memory
from calmkb.reflect.memories.stale import MemoryHistory, Retirement, propose_retirement
from calmkb.store.git.file_versions import commits_of, tracked_files
from calmkb.store.git.repository import Repository, find_repository

__all__ = ["Retirement", "keep_memory", "missing_files", "review"]

_FILE = re.compile(
    r"[\w@+~-][\w.@+~-]*(?:/[\w.@+~-]+)*\.[A-Za-z]\w{0,7}|(?:[\w.@+~-]+/)+[\w.@+~-]+"
)
_LOOKED_UP = 50
"""Names asked of history, so that a list of ten thousand stays quick."""


def review(kb: KnowledgeBase) -> tuple[Retirement, ...]:
    """Return the memories to look at again, those with the most against them first.

    Nothing is changed.
    """
    contents = read_contents(kb)
    memories = contents.memories
    known = MemoryHistory(
        said=feedback_given(kb, memories),
        mentioned=mentions_of(kb, memories, contents.sessions),
        similar=similar_memories(kb, memories),
        missing=missing_files(kb, memories),
        spoken={view.entry.id: view.entry.created_at for view in contents.sessions},
    )
    return propose_retirement(
        memories,
        known,
        now=kb.environment.now(),
        half_life_days=kb.config.reflect.half_life_days,
        duplicate=method_of(kb).duplicate,
    )


def keep_memory(kb: KnowledgeBase, memory: Memory, *, note: str = "") -> None:
    """Record that a person kept a memory: it is not presented again for a while.

    The record counts neither as helpful nor as harmful.
    """
    record_feedback(kb, memory.id, KEPT, note=note)


def missing_files(kb: KnowledgeBase, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
    """Return by memory id the files and globs it names that were in this repository and are gone.

    Only memories of the knowledge base's own project are asked about: of others nothing is known.
    """
    repository = find_repository(agent_folder(kb)) if kb.root.is_dir() else None
    if repository is None:
        return {}
    here = current_project(kb, repository.top).casefold()
    own = [memory for memory in memories if memory.scope.casefold() == here != GLOBAL_SCOPE]
    named = {memory.id: list(_names(memory)) for memory in own}
    if not any(named.values()) and not any(memory.paths for memory in own):
        return {}
    tracked = tracked_files(repository)
    standing = tracked | {part for path in tracked for part in _above(path)}
    asked = sorted({name for names in named.values() for name in names} - standing)
    gone = _removed(repository, asked[:_LOOKED_UP])
    found = {}
    for memory in own:
        missing = [name for name in named[memory.id] if name in gone]
        missing += [glob for glob in memory.paths if not _matches(glob, tracked)]
        if missing:
            found[memory.id] = tuple(dict.fromkeys(missing))
    return found


def _removed(repository: Repository, names: Sequence[str]) -> set[str]:
    """Return those of `names` that history holds as a file or a folder; one walk for all."""
    if not names:
        return set()
    commits = commits_of(repository, names, removing=True)
    paths = {touched.path for commit in commits for touched in commit.touched}
    held = paths | {part for path in paths for part in _above(path)}
    return held & set(names)


def _names(memory: Memory) -> Iterator[str]:
    """Yield what looks like a file or a path from the repository's top."""
    for found in _FILE.finditer(memory.text):
        name = found[0].rstrip("./").removeprefix("./")
        if name and ".." not in name.split("/"):
            yield name


def _above(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _matches(glob: str, tracked: frozenset[str]) -> bool:
    # `*` of fnmatch crosses `/`, so that too much matches rather than too little.
    pattern = re.compile(fnmatch.translate(glob.replace("**/", "*").replace("**", "*")))
    return any(pattern.match(path) for path in tracked)
