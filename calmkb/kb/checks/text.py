"""Checks of one record beside others: its text, memories that say the same, names alike in case."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from calmkb.documents import SIZE_LIMIT
from calmkb.documents.findings import Finding
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model import Memory
from calmkb.redact.invisible import show_invisible
from calmkb.reflect.memories.stale import meet
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.methods import Method
from calmkb.store.caches.clean_files import Look, keep_clean, unknown_files
from calmkb.store.git.trees import tree_entries
from calmkb.store.journal import Stored
from calmkb.system.files import read_bytes


def all_text_findings(kb: KnowledgeBase) -> list[Finding]:
    """Return the findings in the text of every file; one that was clean before is not read again.

    What was found clean is kept for the same rules, the same names of this machine and settings.
    """
    if not kb.journal.is_dir():
        return []
    stamp = kb.redactor.stamp()
    looks = kb.with_index(partial(unknown_files, stamp=stamp), look_at_all=True)
    found, clean = list[Finding](), list[Look]()
    for number, look in enumerate(looks, 1):
        kb.environment.report("Looking through records", number, len(looks))
        new = list(text_findings(kb, look[0]))
        found += new
        clean += () if new else (look,)
    if clean:
        kb.with_index(partial(keep_clean, stamp=stamp, looks=clean))
    return found


def text_findings(kb: KnowledgeBase, path: str) -> Iterator[Finding]:
    """Yield the secrets, machine's names and hidden characters of the file at `path`, by line."""
    try:
        text = read_bytes(kb.journal / path, limit=SIZE_LIMIT).decode().replace("\r\n", "\n")
    except (CalmError, UnicodeDecodeError):
        return  # reported as unreadable
    tests: tuple[tuple[str, Callable[[str], str], str], ...] = (
        ("secret", kb.redactor.without_secrets, "holds what looks like a secret or a private span; "
         "take it out, revoke it if it was real, or list it under [redact] allow"),
        ("machine-path", kb.redactor.without_machine,
         "names a folder, login or host of one machine; write ~ or the repository's name"),
        ("hidden-character", show_invisible,
         "holds a character that is invisible; delete it (calmkb show makes it visible)"),
    )  # fmt: skip
    for rule, clean, message in tests:
        if (cleaned := clean(text)) != text:
            yield Finding(path, _first_change(text, cleaned), rule, message)


def _first_change(text: str, cleaned: str) -> int:
    pairs = zip(text.split("\n"), cleaned.split("\n"), strict=False)
    return next((n for n, (one, other) in enumerate(pairs, 1) if one != other), 1)


def similar_findings(stored: Sequence[Stored], method: Method) -> Iterator[Finding]:
    """Yield a finding for the later of each two memories that are similar within one scope."""
    current = _current_memories(stored)
    if len(current) < 2:
        return
    texts = [memory.text for _, memory in current]
    for one, other, share in method.near(texts, None, method.duplicate * CONFLICT_SHARE):
        (first, older), (path, newer) = current[one], current[other]
        if one >= other or older.id == newer.id or not meet(older.scope, newer.scope):
            continue
        from calmkb.reflect.opposites.compare import opposed  # few memories are near another

        if opposed(older.text, newer.text):
            message = f"says the opposite of {first} (alike: {share:.2f}); retire one of them"
            yield Finding(path, 1, "conflict", f"{message}, or narrow its scope")
        elif share >= method.duplicate:
            message = f"says the same as {first} (alike: {share:.2f}); merge them into one"
            yield Finding(path, 1, "near-duplicate", message)


def _current_memories(stored: Sequence[Stored]) -> list[tuple[str, Memory]]:
    """Return path and memory, oldest first, of those that no other one supersedes."""
    all_of_them = [(s.path, s.record) for s in stored if isinstance(s.record, Memory)]
    replaced = {memory.supersedes for _, memory in all_of_them}
    kept = [pair for pair in all_of_them if pair[1].id not in replaced]
    return sorted(kept, key=lambda pair: (pair[1].created_at, pair[0]))


def case_findings(kb: KnowledgeBase, known: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each path below the journal that another one hides on some disks.

    `known` are in the work tree. The last commit is looked at too: it has both, where the disk
    has one.
    """
    repository = kb.repository_if_any
    committed: list[str] = []
    if repository and (tip := repository.tip("HEAD")):
        names = tree_entries(repository, tip, kb.prefix)
        committed = [name.removeprefix(f"{kb.prefix}/") for name in names]
    seen: dict[str, str] = {}
    for path in _with_folders({*known, *committed}):
        other = seen.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if other != path:
            message = f"differs from {other} in case only, and some disks hold one of the two"
            yield Finding(path, 1, "case-only-name", f"{message}; rename it with git mv")


def _with_folders(paths: Iterable[str]) -> list[str]:
    """Return the paths and the folders above them, sorted."""
    found: set[str] = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = path.rpartition("/")[0]
    return sorted(found)
