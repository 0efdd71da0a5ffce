"""Which sessions changed a file."""

from collections import defaultdict
from collections.abc import Iterable

from calmkb.model import SessionView

Files = dict[tuple[str, str], list[SessionView]]
"""Sessions by project and path."""
FILES_SHOWN = 600
"""Files that have a page: those that most sessions changed."""


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
