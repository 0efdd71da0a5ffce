"""`check`: what a person should mend in a knowledge base."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from calmkb.config import settings_file
from calmkb.documents.findings import Finding
from calmkb.kb.approval import approvals
from calmkb.kb.base import KnowledgeBase
from calmkb.kb.check_digests import export_findings
from calmkb.kb.check_memories import alike
from calmkb.kb.check_names import case_findings
from calmkb.kb.check_text import text_findings
from calmkb.kb.memory_history import taken_out
from calmkb.kb.semantics import method_of
from calmkb.kb.trust.filtering import filter_notes
from calmkb.model import Entry, Memory, Problem, Reflection
from calmkb.store.git import find_repository
from calmkb.store.index_head import absent_problem, tracked_records
from calmkb.store.journal import Stored, read_journal

_Cited = tuple[tuple[str, tuple[str, ...], set[str]], ...]


def check(kb: KnowledgeBase) -> list[Finding]:
    """Return all that is amiss in `kb`, by path and line; nothing is changed."""
    stored, problems = read_journal(kb.journal)
    inside = f"{_prefix(kb)}{kb.config.journal}/"
    absent = _absent(kb, stored, problems)
    found = [Finding(p.path, p.line, "unreadable-record", p.message) for p in (*problems, *absent)]
    found += [*_doubled(stored), *_dangling(stored, cache(lambda: taken_out(kb)))]
    found += alike(stored, method=method_of(kb))
    found += case_findings(kb, [item.path for item in stored])
    found += _unlike_git(kb, stored)
    redactor = kb.redactor()
    for path in [*(item.path for item in stored), *(p.path for p in problems)]:
        found += text_findings(kb, redactor, path)
    placed = [Finding(inside + f.path, f.line, f.rule, f.message) for f in found]
    placed += export_findings(kb, _prefix(kb))
    settings = f"{_prefix(kb)}{settings_file(kb.root).name}"
    placed += [Finding(settings, 1, "exempt-values", note) for note in filter_notes(kb)]
    return sorted(set(placed), key=lambda f: (f.path, f.line, f.rule, f.message))


def _prefix(kb: KnowledgeBase) -> str:
    """Return where the knowledge base stands below its repository's root: `` or `team/kb/`."""
    repository = find_repository(kb.root) if kb.root.is_dir() else None
    if repository is None:
        return ""
    below = os.path.relpath(os.path.realpath(kb.root), os.path.realpath(repository.top))
    return "" if below == "." else f"{Path(below).as_posix()}/"


def _absent(
    kb: KnowledgeBase, stored: list[Stored], problems: list[Problem]
) -> tuple[Problem, ...]:
    """Return the problem of what git has and the work tree lacks."""
    present = {item.path for item in stored} | {problem.path for problem in problems}
    return absent_problem(sorted(tracked_records(kb.journal) - present))


def _doubled(stored: list[Stored]) -> Iterator[Finding]:
    places = defaultdict(list)
    for item in stored:
        places[item.record.id].append(item)
    for first, *others in places.values():
        for item in others:
            yield Finding(item.path, 1, "duplicate-id", _why_doubled(first, item))


def _why_doubled(first: Stored, other: Stored) -> str:
    """Return what to do about two files with one id: mostly two people edited one memory."""
    if isinstance(first.record, Memory) and first.record.created_at == other.record.created_at:
        return (
            f"is another version of the memory in {first.path}: it was edited in two places. "
            "Put what is true of both into one file and git rm the other"
        )
    return f"has the same id as {first.path}; give one of them a new UUID"


def _unlike_git(kb: KnowledgeBase, stored: list[Stored]) -> Iterator[Finding]:
    """Yield the committed memories whose approver is not who committed them."""
    memories = {item.path: item.record for item in stored if isinstance(item.record, Memory)}
    found = approvals(kb, list(memories.values()))
    for path, memory in memories.items():
        approval = found[memory.id]
        if approval.differs and approval.committed_by:
            message = f"{approval.words}; whoever approves it commits it: calmkb memory edit"
            yield Finding(path, 1, "forged-approval", f"{message} {memory.id[:8]}")


def _dangling(stored: list[Stored], taken_out: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    entries = {item.record.id for item in stored if isinstance(item.record, Entry)}
    standing = [item.record for item in stored if isinstance(item.record, Memory)]
    memories = {memory.id for memory in standing} | {old for m in standing for old in m.merged}
    for item in stored:
        record = item.record
        if isinstance(record, Memory):
            replaced = tuple(filter(None, (record.supersedes,)))
            cited: _Cited = (("session", record.sources, entries), ("memory", replaced, memories))
        elif isinstance(record, Reflection):
            cited = (("session", record.entries, entries), ("memory", record.memories, memories))
        else:
            continue
        for what, ids, known in cited:
            for missing in [i for i in ids if i not in known and not i.startswith("SIG-")]:
                if what == "memory" and missing[:8] in taken_out():
                    continue  # retired or merged: what cites it tells what was
                message = f"cites {what} {missing}, which is not in this journal; restore its file "
                yield Finding(item.path, 1, "dangling-source", message + "or take the id out")
