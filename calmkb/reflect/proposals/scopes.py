"""Where a learning holds: one project, all, the folders that all its sessions touched, unknown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from calmkb.model import GLOBAL_SCOPE, UNKNOWN_SCOPE, Evidence
from calmkb.reflect.statements.statements import Statement

Authors = Callable[[], Mapping[str, str]]
"""Who committed each session, by its id: asked for only where several sessions say the same."""
_DEPTH = 2
_FOLDERS = 3


@dataclass(frozen=True, slots=True)
class Sources:
    """What is known of the entries that evidence cites: who committed them, which are notes.

    `witnesses` tells by its id which entry one counts for: a resumed session's for the first.
    """

    authors: Authors = dict
    notes: frozenset[str] = frozenset()
    witnesses: Mapping[str, str] = field(default_factory=dict)

    def sessions(self, evidence: Iterable[Evidence]) -> int:
        """Return how many sessions evidence is from: a note is none, but for one alone."""
        sources = {item.source for item in evidence} - self.notes
        return len({self.witnesses.get(source, source) for source in sources}) or 1

    def people(self, evidence: Sequence[Evidence]) -> int:
        """Return how many people committed the sessions that evidence is from, as git tells."""
        sessions = {item.source for item in evidence}
        if len(sessions) < 2:  # who it was is asked for only where it matters
            return len(sessions)
        return len({person for person in map(self.authors().get, sessions) if person}) or 1

    def scope(self, evidence: Iterable[Evidence]) -> str:
        """Return the project where there is one, and nothing certain where none is named.

        What several projects say holds everywhere only if several people say it, or if the journal
        is one person's. Otherwise it is the project's that most sessions were in.
        """
        projects: dict[str, set[str]] = {}
        for item in evidence:
            if item.project:
                projects.setdefault(item.project, set()).add(item.source)
        several = len(projects) > 1
        if several and not _is_of_several(set().union(*projects.values()), self.authors()):
            return min(projects, key=lambda name: (-len(projects[name]), name))
        return GLOBAL_SCOPE if several else next(iter(projects), UNKNOWN_SCOPE)


def _is_of_several(entries: set[str], authors: Mapping[str, str]) -> bool:
    """Say whether different people committed the sessions, or nobody else commits any."""
    people = {person for person in map(authors.get, entries) if person}
    return len(people) > 1 or len(set(authors.values())) < 2


def globs_of(members: Sequence[Statement]) -> tuple[str, ...]:
    """Return globs of the folders, at most two deep, that every session touched and no other.

    Nothing where a session does not say what it changed, where they differ, where there are more
    than three, or where one session alone speaks: a single one tells nothing about the place.
    """
    touched = {member.entry_id: _folders(member.files) for member in members}
    if len(touched) < 2 or len(set(touched.values())) != 1:
        return ()
    folders = next(iter(touched.values()))
    if not 0 < len(folders) <= _FOLDERS:
        return ()
    return tuple(f"{folder}/**" for folder in sorted(folders))


def _folders(files: Iterable[str]) -> frozenset[str]:
    """Return the folders of files; a file at the top makes it the whole repository: nothing."""
    parts = [file.split("/")[:-1][:_DEPTH] for file in files]
    return frozenset() if not all(parts) else frozenset("/".join(part) for part in parts)
