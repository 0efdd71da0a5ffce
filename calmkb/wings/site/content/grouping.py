"""Records in order and in groups: by a key, by what they name, by the file they changed."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from calmkb.model import Entry, Improvement, Memory, Reflection, SessionView

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")
Dated = TypeVar("Dated", Entry, Memory, Reflection, Improvement)

Files = dict[tuple[str, str], list[SessionView]]
"""Sessions by project and path."""
FILES_SHOWN = 600  # files that have a page: those that most sessions changed


def newest(records: Iterable[Dated]) -> tuple[Dated, ...]:
    """Return records, newest first, each id once."""
    unique = {one.id: one for one in records}
    return tuple(sorted(unique.values(), key=lambda one: (one.created_at, one.id), reverse=True))


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return key -> items, both in the order they came."""
    groups: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def inverted(items: Iterable[Item], keys: Callable[[Item], Iterable[str]]) -> dict[str, list[Item]]:
    """Return key -> the items that name it, each once."""
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        for key in dict.fromkeys(keys(item)):
            groups[key].append(item)
    return dict(groups)


def changed_files(sessions: Iterable[SessionView]) -> Files:
    """Return the sessions that changed each file, the files of most sessions first.

    A file that one session changed is left out: that session's page names it.
    """
    found: Files = defaultdict(list)
    for view in sessions:
        for path in dict.fromkeys(view.entry.files):
            found[view.entry.project_name, path].append(view)
    order = sorted(found, key=lambda key: (-len(found[key]), key))
    return {key: found[key] for key in order[:FILES_SHOWN] if len(found[key]) > 1}
