"""`check`: what a person should fix in a knowledge base."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from shlex import quote

from calmkb.config import settings_file
from calmkb.documents.findings import Finding
from calmkb.kb.base import points
from calmkb.kb.base.filtering import filter_notes
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_with_problems
from calmkb.kb.checks.digests import export_findings
from calmkb.kb.checks.text import all_text_findings, case_findings, similar_findings
from calmkb.kb.journal.sessions import two_versions
from calmkb.kb.memories.approval import approvals_by_path
from calmkb.kb.search.methods import method_of
from calmkb.model import Approval, Memory, Problem, Reflection
from calmkb.store.git.file_versions import CommitSeen, commits_of
from calmkb.store.git.trees import shown_paths
from calmkb.store.index.index import RESTORED, Index
from calmkb.store.index.queries import record_ids, stored_records
from calmkb.store.journal import Stored

_NAMED = re.compile(r"-([0-9a-f]{8})(?:-\d+)?\.md\Z")
_LATELY = timedelta(days=14)
_MEANT = re.compile(r"Revert |calmkb: |reflect\b|(?:retire|merge|resolve)\(")
_Cited = tuple[tuple[str, tuple[str, ...], set[str]], ...]


@dataclass(frozen=True, slots=True)
class _Journal:
    """What is checked: every record's path, kind and id, and those that cite others."""

    ids: Sequence[tuple[str, str, str]] = ()
    citing: Sequence[Stored] = ()
    problems: Sequence[Problem] = ()


def check(kb: KnowledgeBase) -> list[Finding]:
    """Return all that is wrong in `kb`, by path and line; no record is changed."""
    journal = _read(kb)
    inside = f"{_prefix(kb)}{kb.config.journal}/"
    found = [Finding(p.path, p.line, _rule(p), p.message) for p in journal.problems]
    found += [*_doubled(journal), *_dangling(journal, cache(lambda: _removed_ids(kb)))]
    found += similar_findings(journal.citing, method=method_of(kb))
    found += case_findings(kb, [path for path, _, _ in journal.ids])
    found += _contradicted_by_git(kb, journal.citing)
    found += _hidden(kb, journal, inside)
    found += _removed_by_git(kb, journal)
    found += points.memories_checked(kb, _memories(journal.citing))
    found += all_text_findings(kb)
    placed = [Finding(inside + f.path, f.line, f.rule, f.message) for f in found]
    placed += export_findings(kb, _prefix(kb))
    settings = f"{_prefix(kb)}{settings_file(kb.root).name}"
    placed += [Finding(settings, 1, "exempt-values", note) for note in filter_notes(kb)]
    return sorted(set(placed), key=lambda f: (f.path, f.line, f.rule, f.message))


def _read(kb: KnowledgeBase) -> _Journal:
    """Return what the index knows once it is up to date; sessions, which cite none, stay there."""

    def read(index: Index) -> tuple[list[tuple[str, str, str]], list[Stored]]:
        return record_ids(index), stored_records(index, "memory", "reflection")

    (ids, citing), problems = ask_with_problems(kb, read, look_at_all=True)
    return _Journal(ids, citing, problems)


def _rule(problem: Problem) -> str:
    return "restored-record" if problem.path == RESTORED else "unreadable-record"


def _prefix(kb: KnowledgeBase) -> str:
    """Return where the knowledge base is below its repository's root: `` or `team/kb/`."""
    repository = kb.repository_if_any
    if repository is None:
        return ""
    below = os.path.relpath(os.path.realpath(kb.root), os.path.realpath(repository.top))
    return "" if below == "." else f"{Path(below).as_posix()}/"


def _doubled(journal: _Journal) -> Iterator[Finding]:
    memories = _memories(journal.citing)
    places = defaultdict(list)
    for path, _, identity in journal.ids:
        places[identity].append(path)
    for first, *others in (sorted(paths, key=len) for paths in places.values()):
        for path in others:
            one, other = memories.get(first), memories.get(path)
            if one and other and one.created_at == other.created_at:
                why = two_versions(one.id, first)
                yield Finding(path, 1, "conflicting-edits", why)
            else:
                why = f"has the same id as {first}; give one of them a new UUID"
                yield Finding(path, 1, "duplicate-id", why)


def _contradicted_by_git(kb: KnowledgeBase, stored: Sequence[Stored]) -> Iterator[Finding]:
    """Yield the committed memories whose approver is not who committed them."""
    found = approvals_by_path(kb)
    for path, memory in _memories(stored).items():
        approval = found.get(path, Approval())
        if approval.differs and approval.committed_by:
            message = f"{approval.words}; the person who approves it commits it: calmkb memory edit"
            yield Finding(path, 1, "forged-approval", f"{message} {memory.id[:8]}")


def _hidden(kb: KnowledgeBase, journal: _Journal, inside: str) -> Iterator[Finding]:
    """Yield the records that git does not show: they are in no commit, or a change of them is."""
    if repository := kb.repository_if_any:
        shown = shown_paths(repository, inside.rstrip("/"))
        for path, _, _ in journal.ids:
            if inside + path not in shown:
                why = "git does not show it: look for the rule with git check-ignore -v, or git "
                why += "ls-files -v; git add -f commits it"
                yield Finding(path, 1, "hidden-record", why)


def _removed_by_git(kb: KnowledgeBase, journal: _Journal) -> Iterator[Finding]:
    """Yield each commit of the last days that removed records and is none of calmkb's.

    A stash or a merge that a person's git made while records came takes them back unsaid.
    """
    present = {identity[:8] for _, _, identity in journal.ids}
    since = f"--since={(kb.environment.now() - _LATELY).isoformat()}"
    for commit in _removals(kb, since):
        paths = [one.path.removeprefix(f"{kb.prefix}/") for one in commit.touched
                 if (name := _NAMED.search(one.path)) and name[1] not in present]  # fmt: skip
        if paths and not _MEANT.match(commit.subject):
            more, each = (f" and {len(paths) - 1} more", "each") if paths[1:] else ("", "it")
            why = (
                f"commit {commit.id} removed this record{more}; if that was not intended, restore "
            )
            why += f"{each} with: git checkout {commit.id}^ -- "
            why += quote(f"{kb.prefix}/{paths[0]}")
            yield Finding(paths[0], 1, "removed-record", why)


def _memories(stored: Sequence[Stored]) -> dict[str, Memory]:
    return {item.path: item.record for item in stored if isinstance(item.record, Memory)}


def _dangling(journal: _Journal, removed_ids: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    entries = {identity for _, kind, identity in journal.ids if kind == "session"}
    present = [item.record for item in journal.citing if isinstance(item.record, Memory)]
    memories = {memory.id for memory in present} | {old for m in present for old in m.merged}
    for item in journal.citing:
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
                if missing[:8] in removed_ids():
                    continue  # retired, merged or forgotten: its citation is history
                message = f"cites {what} {missing}, which is not in this journal; restore its file "
                yield Finding(item.path, 1, "dangling-source", message + "or take the id out")


def _removed_ids(kb: KnowledgeBase) -> frozenset[str]:
    """Return the first eight characters of the ids of memories and sessions that were removed.

    They are read from file names; a file that a person renamed is not found.
    """
    names = (_NAMED.search(one.path) for commit in _removals(kb) for one in commit.touched)
    return frozenset(name[1] for name in names if name)


def _removals(kb: KnowledgeBase, *options: str) -> list[CommitSeen]:
    if kb.repository_if_any is None:
        return []
    folders = [f"{kb.prefix}/memories", f"{kb.prefix}/sessions"]
    return commits_of(kb.repository, folders, "--diff-filter=D", *options)
