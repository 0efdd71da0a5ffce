"""Records that the last commit has and the work tree lacks: a sparse checkout, or a deletion.

The index keeps which commit was looked at and which paths were absent. A later look costs two
small files while the branch stays, and one comparison of two commits when it moves.
"""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.store.git.refs import branch_in, own_paths, tip_in
from calmkb.store.index.schema import writing

if TYPE_CHECKING:
    from calmkb.model import Problem

_PRESENT = "DELETE FROM absent WHERE path IN (SELECT path FROM files)"


def not_checked_out(db: sqlite3.Connection, journal: Path, git_dir: Path) -> list[str]:
    """Return the tracked records below `journal` that the work tree lacks, in path order.

    A deletion that is staged is meant, and is not listed.
    """
    if not journal.is_dir():
        return sorted(tracked_records(journal))
    tip = _tip(git_dir, journal)
    if tip is None:
        return []
    seen = db.execute("SELECT commit_id FROM head").fetchone()
    if seen is None or seen[0] != tip:
        before = seen[0] if seen else ""
        own = own_paths(git_dir, before, tip)
        if own is None:
            _compare(db, journal, before, tip)
        else:
            _enter(db, [path.removeprefix(_prefix(journal)) for path in own], tip)
    if db.execute("SELECT 1 FROM absent").fetchone() is None:
        return []
    return _still_tracked(db, journal)


def tracked_records(journal: Path) -> set[str]:
    """Return the paths below `journal` of the records in git's index; empty outside git."""
    from calmkb.errors import GitFailedError
    from calmkb.store.git.repository import git_in
    from calmkb.store.git.trees import names_in
    from calmkb.store.journal import is_record_place

    folder = next(place for place in (journal, *journal.parents) if place.is_dir())
    below = journal.relative_to(folder).as_posix()
    try:
        listed = names_in(git_in(folder)(literal_pathspecs=True).ls_files("-z", "--", below))
    except GitFailedError:
        return set()
    prefix = "" if below == "." else f"{below}/"
    found = {path.removeprefix(prefix) for path in listed if path.startswith(prefix)}
    return {path for path in found if is_record_place(path)}


def absent_problem(paths: list[str]) -> "tuple[Problem, ...]":
    """Return one problem that names the first of `paths` and counts the others."""
    if not paths:
        return ()
    from calmkb.model import Problem

    more = len(paths) - 1
    others = f", like {more:,} other record{'s' if more > 1 else ''}" if more else ""
    message = (
        f"is in git but not in the work tree{others}; it is not read. Bring it back with: "
        "git restore PATH (in a sparse checkout: git sparse-checkout add FOLDER), or git rm it"
    )
    return (Problem(paths[0], 1, message),)


def _tip(git_dir: Path, journal: Path) -> str | None:
    branch = branch_in(git_dir)
    found = tip_in(git_dir, branch) if branch else None
    if found is None:
        from calmkb.store.git.repository import git_in

        found = git_in(journal).ask("rev-parse", "--verify", "-q", "HEAD")
    return found


def _compare(db: sqlite3.Connection, journal: Path, seen: str, tip: str) -> None:
    """Enter what `tip` holds, or changed since the commit `seen`, and the work tree lacks."""
    from calmkb.errors import GitFailedError
    from calmkb.store.git.repository import git_in
    from calmkb.store.git.trees import names_in

    git = git_in(journal)
    try:
        if seen:
            listed = git.diff_tree(
                "-r", "-z", "--name-only", "--no-renames", "--relative", seen, tip
            )
        else:
            listed = git.ls_tree("-r", "-z", "--name-only", tip)
    except GitFailedError:
        if seen:  # it was collected since
            _compare(db, journal, "", tip)
        return
    _enter(db, names_in(listed), tip)


def _prefix(journal: Path) -> str:
    """Return the journal's path from the top of its work tree, with a slash at its end."""
    place = journal.resolve()
    top = next((one for one in (place, *place.parents) if (one / ".git").exists()), place)
    return "" if top == place else f"{place.relative_to(top).as_posix()}/"


def _enter(db: sqlite3.Connection, paths: list[str], tip: str) -> None:
    """Enter those of `paths` that the work tree lacks; the last look is at `tip`."""
    from calmkb.store.journal import is_record_place, is_utf8

    named = [(path,) for path in paths if is_utf8(path) and is_record_place(path)]
    with writing(db):
        db.executemany("INSERT OR IGNORE INTO absent VALUES (?)", named)
        db.execute(_PRESENT)
        db.execute("DELETE FROM head")
        db.execute("INSERT INTO head VALUES (?)", (tip,))


def _still_tracked(db: sqlite3.Connection, journal: Path) -> list[str]:
    tracked = tracked_records(journal)
    with writing(db):
        db.execute(_PRESENT)
        absent = {path for (path,) in db.execute("SELECT path FROM absent")}
        untracked = [(path,) for path in absent - tracked]
        db.executemany("DELETE FROM absent WHERE path = ?", untracked)
    return sorted(absent & tracked)
