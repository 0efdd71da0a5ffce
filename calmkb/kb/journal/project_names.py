"""What projects and sessions are called, and which projects are one."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from shlex import quote

from calmkb.documents import render
from calmkb.errors import CalmError, NotFoundError
from calmkb.kb.base.filed import commit_message, read_filed
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.base.reading import ask_index, current_project, find_records
from calmkb.kb.journal.sessions import get_session, read_contents
from calmkb.model import GLOBAL_SCOPE, Entry, ProjectAlias
from calmkb.store.index.project_names import latest_decision
from calmkb.system.git_files import linked_worktrees


@dataclass(frozen=True, slots=True)
class KnownProject:
    """A project: its sessions, the repositories they worked in, and the memories that are its."""

    name: str
    sessions: int
    repositories: tuple[str, ...]
    memories: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Why projects look like one, or one like several, and the command that says so."""

    reason: str
    command: str


def list_projects(kb: KnowledgeBase) -> tuple[KnownProject, ...]:
    """Return the projects, those of most sessions first; sessions without one are left out."""
    contents = read_contents(kb)
    sessions: dict[str, list[Entry]] = defaultdict(list)
    for view in contents.sessions:
        sessions[view.entry.project_name].append(view.entry)
    scopes = Counter(memory.scope.casefold() for memory in contents.memories)
    found = [
        KnownProject(name, len(entries), _repositories(entries), scopes[name.casefold()])
        for name, entries in sessions.items()
        if name
    ]
    return tuple(sorted(found, key=lambda one: (-one.sessions, one.name)))


def suggestions(kb: KnowledgeBase, projects: Sequence[KnownProject]) -> tuple[Suggestion, ...]:
    """Return what a person may want to merge or to tell apart."""
    repository = kb.repository_if_any
    own = current_project(kb, repository.top) if repository else ""
    shared = repository.common_dir.resolve() if repository else None
    linked = {place.name for place in linked_worktrees(shared)} if shared else set()
    own = next((one.name for one in projects if one.name.casefold() == own.casefold()), own)
    ordered = sorted(projects, key=lambda one: one.name != own)
    return (*_same(ordered), *_worktrees(projects, own, linked), *_several(projects))


def merge_projects(kb: KnowledgeBase, names: Sequence[str], into: str) -> ProjectAlias:
    """Record that `names`, projects or repositories, are `into`; no session is rewritten.

    Raises NotFoundError on a name that no session has, CalmError on one that is no project's.
    """
    kb.catch_up()
    target = kb.redactor.line(into).strip()
    if not target or GLOBAL_SCOPE in {name.casefold() for name in (target, *names)}:
        raise CalmError(f"{target or into!r} is not a project; give another name")
    known = list_projects(kb)
    places = {place.casefold() for one in known for place in (one.name, *one.repositories)}
    if missing := [name for name in names if name.casefold() not in places]:
        raise NotFoundError(
            f"project {missing[0]!r} not found; list them with: calmkb project list"
        )
    aliases = tuple(dict.fromkeys(name for name in names if name != target))
    if not aliases:
        raise CalmError(f"project {target!r} is called so already")
    now, latest = kb.environment.now(), ask_index(kb, latest_decision)
    record = ProjectAlias(
        id=kb.environment.new_id(),
        created_at=max(now, latest + timedelta(seconds=1)) if latest else now,
        name=target,
        aliases=aliases,
        decided_by=kb.reviewer(),
    )
    kb.save_record(record, commit_message(f"project({target}): {', '.join(aliases)}", "", ""))
    return record


def rename_project(kb: KnowledgeBase, old: str, new: str) -> ProjectAlias:
    """Record that a project, or a repository's, has another name.

    Raises CalmError where another project has that name: that is a merge.
    """
    taken = {one.name.casefold() for one in list_projects(kb)} - {old.casefold()}
    if new.strip().casefold() in taken:
        raise CalmError(
            f"there is a project {new!r}; if both are one: calmkb project merge {old} {new}"
        )
    return merge_projects(kb, [old], new)


def _repositories(entries: Sequence[Entry]) -> tuple[str, ...]:
    found = {entry.repository.casefold(): entry.repository for entry in entries}
    counts = Counter(entry.repository.casefold() for entry in entries if entry.repository)
    return tuple(found[key] for key in sorted(counts, key=lambda key: (-counts[key], key)))


def _same(projects: Sequence[KnownProject]) -> Iterator[Suggestion]:
    """Yield names of one repository."""
    named: dict[str, list[str]] = defaultdict(list)
    for one in projects:
        for mark in one.repositories:
            named[mark].append(one.name)
    seen = set()
    for mark, names in sorted(named.items()):
        if len(names) > 1 and tuple(names) not in seen:
            seen.add(tuple(names))
            words = ", ".join(names)
            yield Suggestion(f"{words} are of {mark}", _merge(names[1:], names[0]))


def _worktrees(
    projects: Sequence[KnownProject], own: str, linked: set[str]
) -> Iterator[Suggestion]:
    """Yield names that are those of folders of work trees; `linked` are the own repository's."""
    for one in projects:
        if one.name == own or one.repositories:
            continue
        if one.name in linked:
            yield Suggestion(f"{one.name} is a work tree of {own}", _merge([one.name], own))
        elif one.name.isdigit():
            words = f"{one.name} looks like the folder of a work tree"
            yield Suggestion(words, _merge([one.name], own or "PROJECT"))


def _several(projects: Sequence[KnownProject]) -> Iterator[Suggestion]:
    for one in projects:
        if len(one.repositories) > 1:
            words = f"{one.name} has sessions of {len(one.repositories)} repositories"
            yield Suggestion(words, f"calmkb project rename {one.repositories[-1]} NAME")


def _merge(names: Sequence[str], into: str) -> str:
    return f"calmkb project merge {' '.join(map(quote, [*names, into]))}"


def rename_session(kb: KnowledgeBase, prefix: str, title: str) -> Entry:
    """Commit a title for the session whose id begins so, "" for none; return its entry.

    Raises NotFoundError where none or many do, RecordError for a title that is too long, StoreError
    where the file changed meanwhile.
    """
    kb.catch_up()
    view = get_session(kb, prefix)
    (found,) = find_records(kb, view.replaced_by or view.entry.id, "session")
    filed = read_filed(kb, found.path, Entry)
    entry = replace(filed.record, title=" ".join(kb.redactor.text(title).split()))
    if entry != filed.record:
        named = f"rename(session): {entry.title or 'as its summary says'}"
        message = commit_message(named, "", f"Calm-Entry: {entry.id}")
        kb.save({filed.path: render(entry).encode()}, message, expected=filed.expected)
    return entry
