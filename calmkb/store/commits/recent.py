"""What calmkb committed within a day, so that a record lost to a race is put back.

git has no lock around "read the branch, read the index, commit": a person's commit that began in
the wrong millisecond can still write back an index without our file. The file is then in history,
in the work tree, and not in HEAD. A file that somebody deleted is not in the work tree either.
A rebase that read the branch a moment before our commit takes the commit itself out of history:
the file is then gone everywhere, and no commit says that anybody deleted it.
"""

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.changes import Change, PathChange
from calmkb.store.commits.worktree import tree_entries
from calmkb.store.git.attributes import is_stored_as
from calmkb.store.git.refs import RECENT, noted
from calmkb.store.git.repository import Repository
from calmkb.store.git.trees import is_ignored
from calmkb.system.files import write_atomically

_DAY = 86_400
_MOST = 500  # paths that are watched: an import of thousands is one act that a person waits for
_TIMES = 3
"""How often one path is put back: a loop of commits beside ours can lose it again at once."""
_BRANCHES = 4  # branches beside the one at hand of which what was committed there is remembered


@dataclass(frozen=True, slots=True)
class Recent:
    """A path and the "MODE BLOB" that calmkb committed there, at seconds since 1970.

    `times` is how often it was put back.
    """

    path: str
    entry: str
    at: float
    times: int = 0


def note_recent(
    repository: Repository, branch: str, base: str | None, tip: str, changes: Sequence[PathChange]
) -> None:
    """Remember what was just committed to `branch` as `tip` on `base`.

    Where `base` is not what was last looked at, somebody else's commits are below ours: the next
    look then begins where the last one ended. A full disk costs only this net.
    """
    now = time.time()
    changed = {change.path for change in changes}
    seen, known = _read(repository, branch)
    kept = [row for row in known if row.path not in changed]
    new = [Recent(change.path, change.after, now) for change in changes if change.after]
    rows = [row for row in (*kept, *new) if 0 <= now - row.at < _DAY][-_MOST:]
    tips = noted(repository.git_dir).get(branch, {}).get("tips", [])
    if tips[-1:] != [base] or len(rows) < len(kept) + len(new):
        tips = [base] if len(rows) >= len(new) else []
    _write(repository, branch, seen if kept and seen != base else tip, rows, [*tips, tip])


def has_moved(repository: Repository) -> bool:
    """Return whether the branch has moved since what is remembered of it was last found there."""
    branch = repository.attached_branch()
    if branch is None or not _place(repository).exists():
        return False
    seen, rows = _read(repository, branch)
    return bool(rows) and seen != repository.tip(branch)


def lost(repository: Repository, branch: str, tip: str | None) -> dict[str, bytes]:
    """Return path → content of what HEAD lost to a race since the last look.

    One look at a small file where the branch has not moved. What a commit deletes, in history and
    work tree, or what is ignored by now was taken out on purpose; so was a path that was put back
    before and is gone from the work tree too, or that was put back `_TIMES` times.
    """
    seen, rows = _read(repository, branch)
    if not rows or tip is None or seen == tip:
        return {}
    held = tree_entries(repository, tip, [row.path for row in rows])
    gone = [row for row in rows if row.path not in held]
    deleted = _deleted(repository, seen, tip, [row.path for row in gone])
    found = {
        row.path: data
        for row in gone
        if row.times < _TIMES
        and (data := _kept(repository, row, in_a_commit=row.path in deleted)) is not None
    }
    for path in list(found):
        if is_ignored(repository, path):
            del found[path]
    watched = [row if row.path in held else replace(row, times=row.times + 1)
               for row in rows if row.path in held or row.path in found]  # fmt: skip
    # What is found is only put back by our next commit: until then the next look begins here too.
    _write(repository, branch, seen if found else tip, watched)
    return found


def restoring(found: Mapping[str, bytes]) -> Change:
    """Return the change that puts lost files back."""
    message = "calmkb: put back records that were lost in a race\n\n"
    at = datetime.fromtimestamp(int(time.time()), UTC)
    return Change(dict(found), message + "\n".join(found) + "\n", at)


def restored_notice(found: Mapping[str, bytes], branch: str) -> str:
    """Return what to say of files that were put back."""
    shown = ", ".join(list(found)[:3]) + (" …" if len(found) > 3 else "")
    return (
        f"{len(found)} of calmkb's files were missing from {branch} after another git "
        f"command ran at the same time; they were put back ({shown}). To remove one: git rm"
    )


def _deleted(repository: Repository, seen: str, tip: str, paths: Sequence[str]) -> set[str]:
    """Return those of `paths` that a commit since `seen` deletes."""
    if not paths:
        return set()
    listed = repository.git(literal_pathspecs=True).ask(
        "log", "-m", "--diff-filter=D", "--no-renames", "--format=", "--name-only", "-z",
        f"{seen}..{tip}", "--", paths,
    )  # fmt: skip
    # Where git no longer has the commit that was seen, nobody can tell.
    return set(paths) if listed is None else set(listed.split("\0"))


def _kept(repository: Repository, row: Recent, *, in_a_commit: bool) -> bytes | None:
    """Return the content of a record that HEAD lacks, or None where it was deleted on purpose."""
    blob = row.entry.partition(" ")[2]
    try:
        data = (repository.top / row.path).read_bytes()
    except FileNotFoundError:
        return None if in_a_commit or row.times else _stored(repository, blob)
    except OSError:
        return None
    return data if is_stored_as(repository, row.path, data, blob) else None


def _stored(repository: Repository, blob: str) -> bytes | None:
    try:
        return repository.git.cat_file("blob", blob, stdout_as_string=False)
    except GitFailedError:
        return None


def _place(repository: Repository) -> Path:
    return repository.git_dir / RECENT


def _read(repository: Repository, branch: str) -> tuple[str, list[Recent]]:
    """Return the tip of `branch` that was looked at last, and what is watched there."""
    try:
        found = noted(repository.git_dir)[branch]
        return str(found["seen"]), [Recent(**row) for row in found["rows"]]
    except (KeyError, TypeError):
        return "", []


def _write(
    repository: Repository,
    branch: str,
    seen: str,
    rows: Sequence[Recent],
    tips: Sequence[str | None] = (),
) -> None:
    """Keep what is watched on `branch`, and on the branches that were written to before it.

    `tips` are where the branch was while nobody but calmkb moved it; `rows` has what it wrote.
    """
    others = {name: kept for name, kept in noted(repository.git_dir).items() if name != branch}
    kept = [{"path": row.path, "entry": row.entry, "at": row.at, "times": row.times}
            for row in rows]  # fmt: skip
    newest = list(others.items())[-_BRANCHES:]
    document = {
        "branches": dict(newest) | {branch: {"seen": seen, "rows": kept, "tips": tips[-_MOST:]}}
    }
    with contextlib.suppress(StoreError):
        write_atomically(_place(repository), json.dumps(document).encode(), durable=False)
